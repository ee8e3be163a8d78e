// SPDX-License-Identifier: MIT
#include "recorder/wrappers/own_overhead.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "recorder/capture/handles.hpp"
#include "recorder/wrappers/completion.hpp"
#include "recorder/wrappers/describe_point_to_point.hpp"
#include "recorder/wrappers/record_call.hpp"

namespace reprise::recorder {
namespace {

constexpr std::size_t kLine = 64, kLines = 4096;  // 256 KiB: more than a first-level cache

// What the program does between two calls. It reads: stores that are still on their way when a clock is read hide what comes next.
class Walk {
 public:
  void lines(std::int64_t count) {
    for (; count > 0; --count) {
      const volatile unsigned char& place = memory_[next_ * kLine];
      sum_ += place;
      next_ = (next_ + 1) % kLines;
    }
  }
  // By the thread's own time: what others take of it makes the walk no shorter.
  void last(Nanoseconds length) {
    constexpr int kBetweenLooks = 8;
    const RecordingClock& clock = Recording::current()->clock;
    ThreadTime& time = Recording::this_thread()->time;
    const std::uint64_t begin = clock.now(time, Interval::compute);
    while (clock.between(begin, clock.now(time, Interval::compute)) < length) lines(kBetweenLooks);
  }

 private:
  std::vector<unsigned char> memory_ = std::vector<unsigned char>(kLine * kLines);
  std::size_t next_ = 0;
  unsigned sum_ = 0;
};

std::uint64_t wall_time() { return RecordingClock::system_time(CLOCK_MONOTONIC); }

struct Gap {
  std::int64_t lines = 0;  // of the head
  Nanoseconds tail{};      // after it
  void walk(Walk& memory) const {
    memory.lines(lines);
    if (tail.value > 0) memory.last(tail);
  }
};

Gap gap_of(Walk& memory, Nanoseconds length) {
  constexpr std::int64_t kTried = 2 * kLines;
  memory.lines(kTried);
  std::uint64_t least = ~std::uint64_t{0};
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t begin = wall_time();
    memory.lines(kTried);
    least = std::min(least, wall_time() - begin);
  }
  const Nanoseconds head = std::min(length, OverheadPlan::kHead);
  return {head.value * kTried / static_cast<std::int64_t>(std::max<std::uint64_t>(least, 1)),
          length - head};
}

// In an MPI library's place: branches that nobody foresees, and memory of its own. Without it the processor overlaps what the recorder
// does before and after the call as it never does in a program.
[[gnu::noinline]] int library() {
  constexpr int kSteps = 32;  // some 200 ns
  static std::array<unsigned char, 32 * 1024> memory;
  static std::uint64_t random = 1;
  for (int i = 0; i < kSteps; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    if ((random >> 40 & 1) != 0) memory[(random >> 48) % memory.size()]++;
  }
  return MPI_SUCCESS;
}

// Frames of their own, as exported procedures have.
[[gnu::noinline]] int sending_call() {
  return record_call(CallId::Send, REPRISE_FRAME, Presence::normal, library, [](Description& d) {
    return describe_send(d, nullptr, 8, MPI_BYTE, 0, 7, MPI_COMM_WORLD);
  });
}

[[gnu::noinline]] int starting_call(MPI_Request& request) {
  return record_call(CallId::Isend, REPRISE_FRAME, Presence::normal, library, [&](Description& d) {
    return describe_start(d, 8, MPI_BYTE, 0, 7, MPI_COMM_WORLD, false, false, &request);
  });
}

constexpr int kRequests = 2;  // of a completing call

[[gnu::noinline]] int completing_call(const MPI_Request* requests) {
  return record_completion(CallId::Waitall, REPRISE_FRAME, requests, kRequests, MPI_STATUSES_IGNORE,
                           kAll, nullptr, nullptr, [](void*) { return MPI_SUCCESS; });
}

using Calls = Nanoseconds (*)(const Gap&, Walk&, ThreadRecorder&, std::int64_t events);

// Each returns what was recorded as computing before the events.
Nanoseconds sending_calls(const Gap& gap, Walk& memory, ThreadRecorder& thread,
                          std::int64_t events) {
  const Nanoseconds before = thread.preemptions().compute;
  for (; events > 0; --events) {
    gap.walk(memory);
    sending_call();
  }
  return thread.preemptions().compute - before;
}

Nanoseconds completing_calls(const Gap& gap, Walk& memory, ThreadRecorder& thread,
                             std::int64_t events) {
  static_assert(kRequests == 2);
  std::array<MPI_Request, kRequests> requests{handle_of<MPI_Request>(1), handle_of<MPI_Request>(2)};
  Nanoseconds computed;
  for (; events > 0; --events) {
    for (MPI_Request& request : requests) starting_call(request);
    const Nanoseconds before = thread.preemptions().compute;
    gap.walk(memory);
    completing_call(requests.data());
    computed += thread.preemptions().compute - before;
  }
  return computed;
}

// As far below main() as programs call MPI.
[[gnu::noinline]] Nanoseconds below(int depth, Calls calls, const Gap& gap, Walk& memory,
                                    ThreadRecorder& thread, std::int64_t events) {
  const volatile std::int64_t computed =
      (depth > 0 ? below(depth - 1, calls, gap, memory, thread, events)
                 : calls(gap, memory, thread, events))
          .value;  // volatile: each level keeps its frame
  return Nanoseconds{computed};
}

Nanoseconds no_calls(const Gap& gap, Walk& memory, ThreadRecorder& thread, std::int64_t events) {
  const RecordingClock& clock = Recording::current()->clock;
  const std::uint64_t begin = clock.now(thread.time, Interval::compute);
  for (; events > 0; --events) gap.walk(memory);
  return clock.between(begin, clock.now(thread.time, Interval::compute));
}

// The mean of the middle half, and its standard error (of the winsorised deviations, Tukey and McLaughlin 1963).
std::pair<double, double> middle(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  const std::size_t cut = all.size() / 4, kept = all.size() - 2 * cut;
  double sum = 0, winsorised = 0, squares = 0;
  for (std::size_t i = cut; i < cut + kept; ++i) sum += all[i];
  const auto held = [&](double value) { return std::clamp(value, all[cut], all[cut + kept - 1]); };
  for (const double value : all) winsorised += held(value);
  winsorised /= static_cast<double>(all.size());
  for (const double value : all) squares += (held(value) - winsorised) * (held(value) - winsorised);
  const auto n = static_cast<double>(all.size()), k = static_cast<double>(kept);
  return {sum / k, n > 1 && k > 1 ? std::sqrt(squares / (k * (k - 1))) : sum / k};
}

// The parts of one replication, in ns a call: what samples of all its calls find of the wrappers, and what is left of their overhead.
template <class Replication>
std::pair<double, double> sampled_parts(ThreadRecorder& thread, trace_io::OverheadKind kind,
                                        std::int64_t events, const Replication& overhead) {
  const auto before = thread.sampled(kind);
  thread.samples.start(true);
  const double all = overhead() / static_cast<double>(events);
  thread.samples.stop();
  const auto after = thread.sampled(kind);
  const auto count = static_cast<double>(std::max<std::int64_t>(after.count - before.count, 1));
  const double found = static_cast<double>((after.sum - before.sum).value) / count;
  return {found, all - found};
}

// The handle tables of a program that has made nothing yet.
class ScratchHandles {
 public:
  ScratchHandles() : before_(std::exchange(all_handles, &own_)) {
    own_.communicators.begin(key_of(MPI_COMM_WORLD), key_of(MPI_COMM_SELF), 0, 1, nullptr);
    own_.types.remember(key_of(MPI_BYTE), 1);
  }
  ~ScratchHandles() { all_handles = before_; }
  ScratchHandles(const ScratchHandles&) = delete;
  ScratchHandles& operator=(const ScratchHandles&) = delete;

 private:
  Handles own_;
  Handles* before_;
};

}  // namespace

MeasuredOverhead measure_overhead(const Settings& settings, const RecordingClock& clock,
                                  trace_io::OverheadKind kind, const OverheadPlan& plan) {
  constexpr std::int64_t kShortest = 8'000, kAppend = 200, kWarmUp = 64;  // ns; events
  constexpr int kLeast = 8, kMost = 1000, kDepth = 8;
  const ScratchHandles handles;
  const Recording::Rehearsal rehearsal(settings, clock);
  ThreadRecorder* const thread = Recording::this_thread();
  if (thread == nullptr) return {};
  const Calls calls = kind == trace_io::OverheadKind::call ? sending_calls : completing_calls;
  Walk memory;
  const Gap gap = gap_of(memory, plan.gap), none;
  const auto computed = [&](Calls which, const Gap& between, std::int64_t events) {
    return static_cast<double>(below(kDepth, which, between, memory, *thread, events).value);
  };
  computed(calls, none, kWarmUp);
  const std::int64_t events = std::max<std::int64_t>(plan.gap.value > 1'000'000 ? 1 : 2,
                                                     kShortest / (plan.gap.value + kAppend));
  const std::uint64_t before = clock.now(thread->time, Interval::bookkeeping);
  for (int i = 0; i < kWarmUp; ++i) library();
  const double inside =
      static_cast<double>(
          clock.between(before, clock.now(thread->time, Interval::bookkeeping)).value) /
      kWarmUp;
  std::vector<double> periods, replications, recorded, wrappers, rest;
  MeasuredOverhead measured;
  const std::uint64_t end = wall_time() + static_cast<std::uint64_t>(plan.budget.value);
  do {
    const double reference = computed(no_calls, gap, events);
    // The first call finds what the reference has left of the caches, and its time before; the next ones what calls leave.
    thread->start_at(clock.now(thread->time, Interval::compute));
    computed(calls, gap, 1);
    const double with_calls = computed(calls, gap, events);
    recorded.push_back(with_calls);
    periods.push_back(with_calls / static_cast<double>(events) + inside);
    replications.push_back((with_calls - reference) / static_cast<double>(events));
    if (clock.is_cheap() && replications.size() % 2 == 1) {
      const auto [found, left] = sampled_parts(
          *thread, kind, events, [&] { return computed(calls, gap, events) - reference; });
      wrappers.push_back(found);
      rest.push_back(left);
    }
    const auto [overhead, error] = middle(replications);
    measured = {middle(periods).first, overhead, error};
    if (!wrappers.empty()) {
      measured.wrappers = middle(wrappers).first;
      measured.rest = middle(rest).first;
    }
    measured.replications = static_cast<int>(replications.size());
    measured.recorded = std::accumulate(recorded.begin(), recorded.end(), 0.0);
    measured.undisturbed = middle(recorded).first * static_cast<double>(recorded.size());
  } while (measured.replications < kLeast ||
           (measured.replications < kMost && wall_time() < end &&
            (measured.overhead <= 0 ||
             measured.error >
                 std::max(static_cast<double>(plan.small_error.value), measured.overhead / 100))));
  return measured;
}

// Interrupts fall on the recorder as on anything else, for its share of the time: some hundred in a second, of tens of microseconds.
// The middle halves are without them. A point sees too few of them; all points together see enough.
void include_disturbances(CalibratedOverhead& calibrated) {
  constexpr double kMost = 1.25;  // beyond it others had the core
  double recorded = 0, undisturbed = 0;
  for (const auto& points : calibrated)
    for (const MeasuredOverhead& point : points) {
      recorded += point.recorded;
      undisturbed += point.undisturbed;
    }
  if (undisturbed <= 0) return;
  const double factor = std::clamp(recorded / undisturbed, 1.0, kMost);
  for (auto& points : calibrated)
    for (MeasuredOverhead& point : points)
      for (double* time : {&point.overhead, &point.wrappers, &point.rest}) *time *= factor;
}

CalibratedOverhead calibrate_overhead(const Settings& settings, const RecordingClock& clock) {
  constexpr Nanoseconds kBudget{400'000};
  CalibratedOverhead calibrated{};
  for (std::size_t kind = 0; kind < trace_io::kOverheadKinds; ++kind)
    for (std::size_t i = 0; i < kCalibratedGaps.size(); ++i)
      calibrated[kind][i] =
          measure_overhead(settings, clock, static_cast<trace_io::OverheadKind>(kind),
                           {Nanoseconds{kCalibratedGaps[i]}, kBudget});
  include_disturbances(calibrated);
  return calibrated;
}

trace_io::Compensation compensation_by(const CalibratedOverhead& calibrated) {
  trace_io::Compensation compensation;
  for (std::size_t kind = 0; kind < trace_io::kOverheadKinds; ++kind)
    for (const MeasuredOverhead& one : calibrated[kind]) {
      trace_io::OverheadCurve& curve = compensation.curves[kind];
      if (!curve.empty() && one.error > one.overhead) continue;  // it says nothing
      const Nanoseconds period{std::llround(std::max(one.period, 0.0))};
      if (!curve.empty() && period <= curve.back().period) continue;
      curve.push_back({period, Nanoseconds{std::llround(std::max(one.overhead, 0.0))},
                       Nanoseconds{std::llround(std::ceil(one.error))}});
    }
  return compensation;
}

OverheadParts overhead_parts_by(const CalibratedOverhead& calibrated) {
  OverheadParts parts;
  for (std::size_t kind = 0; kind < trace_io::kOverheadKinds; ++kind)
    for (const MeasuredOverhead& one : calibrated[kind]) {
      if (one.wrappers <= 0) continue;
      auto &wrappers = parts.wrappers[kind], &rest = parts.rest[kind];
      const Nanoseconds period{std::llround(std::max(one.period, 0.0))};
      if (!wrappers.empty() && period <= wrappers.back().period) continue;
      wrappers.push_back({period, Nanoseconds{std::llround(one.wrappers)}, {}});
      rest.push_back({period, Nanoseconds{std::llround(one.rest)}, {}});
    }
  return parts;
}

}  // namespace reprise::recorder
