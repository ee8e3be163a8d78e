// SPDX-License-Identifier: MIT
// Samples of wrappers: which calls are sampled, and what comes of them in a thread's compute times.
#include "recorder/capture/wrapper_samples.hpp"

#include <catch2/catch.hpp>

#include "recorder/capture/thread_recorder.hpp"

using namespace reprise;
using namespace reprise::recorder;

namespace {

// Calls until the next sample, which then finds WRAPPERS.
std::uint64_t calls_until_sample(WrapperSamples& samples, Nanoseconds wrappers) {
  for (std::uint64_t calls = 1;; ++calls) {
    samples.recorded();
    if (!samples.is_leaving()) continue;
    samples.left(10);
    samples.entered(20);
    REQUIRE(samples.is_complete());
    samples.taken(wrappers);
    return calls;
  }
}

double mean_interval(Nanoseconds wrappers) {
  constexpr int kWarmUp = 16, kSamples = 2000;
  WrapperSamples samples;
  samples.start(false);
  for (int i = 0; i < kWarmUp; ++i) calls_until_sample(samples, wrappers);
  std::uint64_t calls = 0;
  for (int i = 0; i < kSamples; ++i) calls += calls_until_sample(samples, wrappers);
  return static_cast<double>(calls) / kSamples;
}

// A thread whose wrappers take 30 ns before their first reading and 50 ns after their last one; a sample's readings take nothing.
class SlowWrappers {
 public:
  SlowWrappers() : recorder(sites, {16, false}, {}, true, MemoryBudget::kDefault, losses) {
    recorder.start_at(clock.start(recorder.time));
  }
  // INTERRUPTED: for so long, in the end of the wrapper.
  void call(std::uint64_t compute, std::uint64_t interrupted = 0) {
    clock.advance(compute);
    if (recorder.samples.is_away() && recorder.samples.returns())
      recorder.samples.entered(clock.now(recorder.time, Interval::compute));
    clock.advance(30);
    const std::uint64_t begin = recorder.enter(clock);
    clock.advance(10);
    recorder.description().clear();
    recorder.append(0, "MPI_Barrier", frame(), clock,
                    {begin, clock.now(recorder.time, Interval::communicate)}, {});
    clock.advance(50 + interrupted);
    if (recorder.samples.is_leaving())
      recorder.samples.left(clock.now(recorder.time, Interval::bookkeeping));
  }
  Nanoseconds computed() const { return recorder.preemptions().compute; }

  RecordingClock clock = RecordingClock::stopped();
  SiteTable sites;
  Losses losses;
  ThreadRecorder recorder;

 private:
  static Frame frame() {
    static std::uintptr_t words[2] = {0, 1};
    return words;
  }
};

// Calibrated at half of what those wrappers take, and nothing beside.
OverheadTable calibrated() {
  trace_io::Compensation curves;
  OverheadParts parts;
  for (std::size_t kind = 0; kind < trace_io::kOverheadKinds; ++kind) {
    curves.curves[kind] = {{Nanoseconds{100}, Nanoseconds{40}, {}}};
    parts.wrappers[kind] = curves.curves[kind];
    parts.rest[kind] = {{Nanoseconds{100}, Nanoseconds{0}, {}}};
  }
  return OverheadTable(curves, parts);
}

}  // namespace

TEST_CASE("no call is sampled before samples are wanted, each one in a calibration") {
  WrapperSamples samples;
  for (int i = 0; i < 1000; ++i) {
    samples.recorded();
    REQUIRE_FALSE(samples.is_leaving());
  }
  samples.start(true);
  for (int i = 0; i < 1000; ++i) REQUIRE(calls_until_sample(samples, Nanoseconds{40}) == 1);
}

TEST_CASE("samples are the rarer the faster the wrappers are") {
  CHECK(mean_interval(Nanoseconds{40}) == Approx(97).epsilon(0.05));
  CHECK(mean_interval(Nanoseconds{640}) == Approx(9).epsilon(0.1));
  CHECK(mean_interval(Nanoseconds{4000}) == Approx(2).epsilon(0.1));
  CHECK(mean_interval(Nanoseconds{5000}) == 1);
  CHECK(mean_interval(Nanoseconds{10'000}) == 1);
}

TEST_CASE("a sample is dropped where something else than computing comes between") {
  WrapperSamples samples;
  samples.start(true);
  samples.recorded();
  samples.left(10);
  samples.drop();
  CHECK_FALSE(samples.is_away());
  samples.recorded();
  samples.left(10);
  samples.entered(20);
  CHECK_FALSE(samples.returns());  // that call was no event
  CHECK_FALSE(samples.is_complete());
}

TEST_CASE("wrappers slower than the calibration's are taken off once samples have shown it") {
  SlowWrappers thread;
  const OverheadTable table = calibrated();
  thread.recorder.compensate_by(&table, true);
  constexpr int kCalls = 20'000;
  constexpr std::int64_t kWork = 400;
  for (int i = 0; i < kCalls; ++i) thread.call(kWork);
  const double error =
      static_cast<double>(thread.computed().value) / (kCalls * static_cast<double>(kWork)) - 1;
  CHECK(error > 0);  // until there were enough samples
  CHECK(error < 0.01);
  CHECK(thread.recorder.correction().of(trace_io::OverheadKind::call) == Nanoseconds{40});
}

// Times from FirstTouches::kLong on are looked at, for pages and blocks. Their samples used to be dropped there: each such interrupt was the program's.
TEST_CASE("an interrupt in a wrapper that is sampled is none of the program's time") {
  const OverheadTable table = calibrated();
  const std::uint64_t interrupted = GENERATE(std::uint64_t{20'000}, std::uint64_t{300'000});
  SlowWrappers thread;
  thread.recorder.compensate_by(&table, true);
  thread.recorder.first_touches.watch(Nanoseconds{250}, FirstTouches::kLong.value);
  thread.recorder.samples.start(true);
  constexpr int kCalls = 1000;
  constexpr std::int64_t kWork = 400;
  for (int i = 0; i < kCalls; ++i) thread.call(kWork, i % 100 == 50 ? interrupted : 0);
  // the first call comes after no wrapper
  CHECK(thread.computed().value == kCalls * kWork - 10);
}

TEST_CASE("without samples the calibration alone is taken off") {
  SlowWrappers thread;
  const OverheadTable table = calibrated();
  thread.recorder.compensate_by(&table, false);
  for (int i = 0; i < 1000; ++i) thread.call(400);
  CHECK(thread.computed().value == 1000 * (400 + 40) - 50);  // the first one comes after no call
}
