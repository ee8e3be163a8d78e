// SPDX-License-Identifier: MIT
// Executions that take far longer than most, in runs that are too long to keep all: that they are played when they happened, and nowhere else.
#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/unit/trace-io/order/ordered_job.hpp"
#include "tests/unit/trace-io/payload_version.hpp"
#include "trace-io/base/integers.hpp"
#include "trace-io/file/format.hpp"
#include "trace-io/file/payload.hpp"
#include "trace-io/file/quick_bytes.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/order/order_code.hpp"
#include "trace-io/order/played_order.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using namespace reprise::trace_io::testing;

namespace {

constexpr std::int64_t kUsual = 1000, kRare = 4'000'000;

// Up to a tenth more or less, at random.
std::int64_t scattered(std::int64_t duration, int rank, int step) {
  const std::uint64_t random =
      mixed_bits(static_cast<std::uint64_t>(rank) * 1'000'003 + static_cast<std::uint64_t>(step));
  return duration * 9 / 10 +
         static_cast<std::int64_t>(random % (static_cast<std::uint64_t>(duration) / 5));
}

// A long step in each `every`, on rank r `apart` · r steps later.
OrderedJob rarely_long(int ranks, int steps, int every, int apart) {
  return {.ranks = ranks, .steps = steps, .duration = [every, apart](int r, int s) {
            return scattered(s % every == (apart * r) % every ? kRare : kUsual, r, s);
          }};
}

OrderLog log_of(const OrderedJob& job, int rank) {
  OrderLog log;
  for (int step = 0; step < job.steps; ++step) log.add(Nanoseconds{job.duration(rank, step)});
  return log;
}

}  // namespace

TEST_CASE("peaks: a log keeps each rare long time, once it leaves out blocks", "[trace-io]") {
  CHECK(log_of(rarely_long(2, 2048, 1000, 0), 0).peaks().empty());
  const OrderLog log = log_of(rarely_long(2, 50'000, 1000, 400), 1);
  REQUIRE(log.peaks().size() == 50);
  for (std::size_t i = 0; i < 50; ++i) {
    CHECK(log.peaks()[i].execution() == 400 + 1000 * i);
    const auto step = static_cast<int>(400 + 1000 * i);
    CHECK(static_cast<double>(log.peaks()[i].duration()) ==
          Approx(static_cast<double>(scattered(kRare, 1, step))).epsilon(1.0 / 1024));
  }
}

TEST_CASE("peaks: what is not rare, or not much longer, is none", "[trace-io]") {
  CHECK(log_of(rarely_long(2, 50'000, 16, 0), 0).peaks().empty());
  const OrderedJob random{.ranks = 1, .steps = 50'000, .duration = [](int r, int s) {
                            return scattered(kUsual, r, s) * (1 + s % 2);
                          }};
  CHECK(log_of(random, 0).peaks().empty());
  const OrderedJob drift{.ranks = 1, .steps = 50'000, .duration = [](int, int s) { return s; }};
  CHECK(log_of(drift, 0).peaks().empty());
}

TEST_CASE("peaks: a log has a bounded number of them, and then the longest", "[trace-io]") {
  OrderLog log;
  for (int step = 0; step < 2'000'000; ++step)
    log.add(Nanoseconds{step % 100 == 7 ? kRare + step : kUsual});
  CHECK(log.peaks().size() <= OrderLog::kMostPeaks);
  CHECK(log.peaks().size() > OrderLog::kMostPeaks / 4);
  CHECK(log.heap_bytes() <= 40'000);
  OrderLog alike;
  for (int step = 0; step < 2'000'000; ++step)
    alike.add(Nanoseconds{step % 100 == 7 ? kRare : kUsual});
  CHECK(alike.peaks().size() <= OrderLog::kMostPeaks);
  CHECK(alike.peaks().size() > OrderLog::kMostPeaks / 4);
}

TEST_CASE("peaks: a log behind another one has those of both", "[trace-io]") {
  const OrderedJob job = rarely_long(1, 30'000, 1000, 0);
  OrderLog log = log_of(job, 0);
  log.append(log_of(job, 0));
  REQUIRE(log.peaks().size() == 60);
  CHECK(log.peaks()[30].execution() == 30'000);
}

TEST_CASE("peaks: whether ranks have them together or apart, a replay takes as long as the run",
          "[trace-io]") {
  for (const int ranks : {2, 16})
    for (const int steps : {20'000, 50'000})
      for (const int apart : {0, 400, 37}) {
        const OrderedJob job = rarely_long(ranks, steps, 1000, apart);
        const Trace trace = merged(job);
        CAPTURE(ranks, steps, apart);
        CHECK(slowest_played(job, trace) == Approx(slowest(job)).epsilon(0.02));
        const OrderedJob even = rarely_long(ranks, steps, steps + 1, 0);
        CHECK(serialise(trace).size() <= serialise(merged(even)).size() + 120 +
                                             static_cast<std::size_t>(apart > 0 ? 16 * ranks : 0));
      }
}

TEST_CASE("peaks: each is played at its execution, and a rank's sum is the recorded one",
          "[trace-io]") {
  const OrderedJob job = rarely_long(2, 50'000, 1000, 400);
  const Trace trace = merged(job);
  const DeltaClass& delta = looped(trace);
  const PlayedOrder played(delta, 1);
  for (const int rank : {0, 1}) {
    const double mean = relative_mean(delta, Rank{rank}) * delta.durations.mean_ns();
    const auto opened = played.open(Rank{rank}, mean);
    double sum = 0, recorded = 0;
    int wrong = 0;
    for (int step = 1; step < job.steps; ++step) {  // the first is on another path
      const double value = mean * played.value(opened, static_cast<std::uint64_t>(step) - 1);
      const auto own = static_cast<double>(job.duration(rank, step));
      wrong += (value > 1e6) != (own > 1e6);
      sum += value;
      recorded += own;
    }
    CHECK(wrong == 0);
    CHECK(sum == Approx(recorded).epsilon(0.005));
  }
}

TEST_CASE("peaks: nothing repeats a peak, and a peak ends what repeats", "[trace-io]") {
  const Trace trace = merged(rarely_long(2, 50'000, 1000, 400));
  const DeltaClass& delta = looped(trace);
  REQUIRE(delta.order->stride == 5);  // groups of 2048
  const PlayedOrder played(delta, 1);
  const auto opened =
      played.open(Rank{0}, relative_mean(delta, Rank{0}) * delta.durations.mean_ns());
  // Executions of the path are the steps less one: peaks at 999, 1999, 2999, …
  CHECK(played.repeating(opened, 2048, 64) == 0);  // a block that is kept
  CHECK(played.repeating(opened, 2200, 64) == 799);
  CHECK(played.repeating(opened, 2998, 64) == 1);
  CHECK(played.repeating(opened, 2999, 64) == 0);
  CHECK(played.repeating(opened, 3000, 64) == 63);  // 3063 has what 2999 had not
  CHECK(played.repeating(opened, 3000, 128) == 127);
  CHECK(played.repeating(opened, 3063, 64) == 0);
  CHECK(played.repeating(opened, 3064, 64) == 3999 - 3064);
  CHECK(played.repeating(opened, 4000, 64) == 63);
  CHECK(played.repeating(opened, 4080, 64) == 4096 - 4080);
}

TEST_CASE("peaks: they come back from files and texts", "[trace-io]") {
  const OrderedJob job = rarely_long(3, 9000, 1000, 400);
  const Trace part = part_of(job, 2), whole = merged(job);
  REQUIRE(looped(part).logs.front().peaks().size() == 9);
  REQUIRE(looped(whole).order != nullptr);
  CHECK(looped(whole).order->peaks.size() == 3);
  for (const Trace* trace : {&part, &whole})
    for (const auto& file : {serialise(*trace), serialise_quickly(*trace)}) {
      CHECK(payload_version(file) == kNeighboursVersion);
      const Trace read = deserialise(file, "t");
      CHECK(looped(read).logs == looped(*trace).logs);
      if (looped(*trace).order != nullptr) CHECK(*looped(read).order == *looped(*trace).order);
      CHECK(dump(read) == dump(*trace));
      CHECK(serialise(assemble(dump(*trace), "t")) == serialise(*trace));
    }
}

// Of a job's trace, and of a rank's recording.
TEST_CASE("peaks: golden files read as they did when they were written", "[trace-io]") {
  const OrderedJob job{.ranks = 3, .steps = 9000, .duration = [](int r, int s) {
                         return s % 1000 == 400 * r ? kRare : kUsual;
                       }};
  for (const bool is_part : {false, true}) {
    const std::string path =
        std::string(REPRISE_GOLDEN_DIRECTORY) + (is_part ? "/v8/peaks_of_rank" : "/v8/peaks");
    const Trace trace = is_part ? part_of(job, 2) : merged(job);
    std::ostringstream text;
    text << std::ifstream(path + ".txt").rdbuf();
    REQUIRE(text.str().find("peaks=") != std::string::npos);
    CHECK(dump(load(path + ".reprise")) == text.str());
    CHECK(dump(trace) == text.str());
  }
}

// As ranks send each other what is not made of leaves alone.
TEST_CASE("peaks: a payload is of a version that has them, whoever asks for it", "[trace-io]") {
  const OrderedJob job = rarely_long(3, 9000, 1000, 400);
  for (const Trace& trace : {part_of(job, 2), merged(job)}) {
    std::uint32_t version = 0;
    const auto payload = encode_payload(trace, version);
    CHECK(version == kNeighboursVersion);
    CHECK(dump(decode_payload(payload, version, "t")) == dump(trace));
  }
}

TEST_CASE("peaks: those that no run can have are refused", "[trace-io]") {
  const Trace whole = merged(rarely_long(3, 9000, 1000, 400));
  REQUIRE(looped(whole).order != nullptr);
  CHECK(refusal(whole).empty());
  const auto changed = [&](const auto& change) { return refusal(with_order(whole, change)); };
  CHECK(changed([](DurationOrder& o) { o.peaks.clear(); }) == "rows with peaks, and no peaks");
  CHECK(changed([](DurationOrder& o) { o.peaks_of_rows.append(1); }) ==
        "4 numbers of peaks for 3 rows");
  CHECK(changed([](DurationOrder& o) { o.peaks.pop_back(); }) ==
        "a row with peaks that are not there");
  CHECK(changed([](DurationOrder& o) { o.peaks[1].durations.append(1); }) ==
        "peaks without a duration each");
  CHECK(changed([](DurationOrder& o) {
          o.peaks[1].distances.append(0);
          o.peaks[1].durations.append(1);
        }) == "a peak that no run can have");
  CHECK(changed([](DurationOrder& o) {
          o.peaks[0].distances = ValueSequence::of_run(1, 0, std::uint64_t{1} << 40U);
          o.peaks[0].durations = o.peaks[0].distances;
        }) == "too many peaks");
}
