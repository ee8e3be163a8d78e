// SPDX-License-Identifier: MIT
// A window of a predicted run: the calls and messages of the whole run that lie in it, also where iterations around it are left out.
#include "sim/engine/observe/timeline_window.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "sim/engine/observe/observation.hpp"
#include "sim/engine/replay.hpp"
#include "tests/physics/machines.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

using sim::Delivery;
using sim::WindowCall;
using sim::WindowQuestion;

// Each iteration: 100 us of computing, then 1000 bytes to the right and 1000 from the left.
const std::string kRing =
    "loop 1000 { MPI_Isend peer=+1 tag=1 bytes=1000 request=0 | compute 100us\n"
    "  MPI_Recv peer=-1 tag=1 bytes=1000\n  MPI_Wait request=0 }\n"
    "MPI_Barrier";
constexpr int kRanks = 4;

struct Seen {
  sim::Observation observation{sim::Watched{}};
  sim::Outcome outcome;
  const sim::TimelineWindow& window() const { return *observation.window(); }
};

void watch(Seen& seen, const std::string& calls, WindowQuestion question,
           bool fast_forward = true) {
  const auto trace = trace_io::assemble(
      "reprise-text 1\nranks " + std::to_string(kRanks) + "\nthread 0 {\n" + calls + "\n}\n",
      "test");
  sim::ReplaySettings settings;
  settings.deltas = sim::Deltas::mean;
  settings.fast_forward = fast_forward;
  seen.observation.open_window(std::move(question));
  settings.observation = &seen.observation;
  seen.outcome = sim::replay(trace, star(kRanks), settings);
}

bool alike(const WindowCall& a, const WindowCall& b, double within) {
  return a.rank == b.rank && a.site == b.site && a.iteration == b.iteration &&
         std::abs(a.begin - b.begin) <= within && std::abs(a.enter - b.enter) <= within &&
         std::abs(a.end - b.end) <= within && std::abs(a.wait - b.wait) <= within;
}

template <class Wanted>
std::vector<WindowCall> those(const std::vector<WindowCall>& calls, const Wanted& wanted) {
  std::vector<WindowCall> found;
  for (const auto& call : calls)
    if (wanted(call)) found.push_back(call);
  return found;
}

void check_alike(const std::vector<WindowCall>& seen, const std::vector<WindowCall>& expected) {
  REQUIRE(seen.size() == expected.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    INFO("call " << i << " of rank " << expected[i].rank << ", at " << expected[i].begin);
    REQUIRE(alike(seen[i], expected[i], 1e-9));
  }
}

}  // namespace

TEST_CASE("window: each call of a ring at its time", "[window]") {
  Seen seen;
  watch(seen, kRing, {}, false);
  REQUIRE(seen.window().calls().size() == kRanks * 3001);
  REQUIRE(seen.window().messages().size() == kRanks * 1000);
  CHECK(seen.window().iterations() == 1000);
  CHECK(seen.window().end() == Approx(seen.outcome.predicted_time.value));
  const auto first = those(seen.window().calls(),
                           [](const auto& call) { return call.rank == 2 && call.iteration == 0; });
  REQUIRE(first.size() == 3);
  CHECK(first[0].begin == 0);
  CHECK(first[0].enter == Approx(100e-6));
  CHECK(first[0].end == Approx(100e-6 + kSendOverhead));
  CHECK(first[1].end == Approx(100e-6 + eager(1000)));
  CHECK(first[1].wait == Approx(0).margin(1e-12));  // its neighbour sends as it does
  const Delivery& message = seen.window().messages().front();
  CHECK(message.to == 0);
  CHECK(message.from == 3);
  CHECK(message.bytes.value == 1000);
  CHECK(message.sent == Approx(100e-6 + kSendOverhead));
  CHECK(message.received == Approx(100e-6 + kSendOverhead + wire(1000)));
}

TEST_CASE("window: what comes before it and behind it is left out, what is in it is not",
          "[window]") {
  Seen whole;
  watch(whole, kRing, {}, false);
  const double end = whole.outcome.predicted_time.value, from = 0.5 * end, to = 0.52 * end;
  Seen part;
  watch(part, kRing, {.from = from, .to = to});
  CHECK(part.outcome.forwarded.skipped_iterations > 800);
  CHECK(part.outcome.predicted_time.value == Approx(end).epsilon(1e-9));
  check_alike(part.window().calls(), those(whole.window().calls(), [&](const auto& call) {
                return call.end >= from && call.begin <= to;
              }));
  std::size_t messages = 0;
  for (const auto& message : whole.window().messages())
    messages += message.received >= from && message.sent <= to ? 1U : 0U;
  CHECK(part.window().messages().size() == messages);
}

TEST_CASE("window: iterations and ranks", "[window]") {
  Seen whole;
  watch(whole, kRing, {}, false);
  for (const std::uint64_t first :
       {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{700}, std::uint64_t{997}}) {
    INFO("from iteration " << first);
    Seen part;
    watch(part, kRing,
          {.iterations = {{first, first + 2}},
           .ranks = trace_io::RankList::from_ranks({Rank{1}, Rank{3}})});
    CHECK(part.outcome.forwarded.skipped_iterations > 800);
    check_alike(part.window().calls(), those(whole.window().calls(), [&](const auto& call) {
                  return (call.rank == 1 || call.rank == 3) && call.iteration >= first &&
                         call.iteration <= first + 2;
                }));
  }
}

TEST_CASE("window: the iterations of loops within the main one", "[window]") {
  // The outer loop is the main one: a third of its time is spent outside of the loop within it.
  const std::string nested =
      "loop 100 { loop 2 { MPI_Barrier | compute 100us\n"
      "    loop 3 { MPI_Allreduce send_bytes=8 element_bytes=8 commutes=1 } }\n"
      "  MPI_Barrier | compute 100us }\n"
      "loop 2 { MPI_Barrier }";
  // Of this one the loop within it is, because it has more iterations and nearly all of the time.
  const std::string inner =
      "loop 2 { loop 100 { MPI_Barrier | compute 100us\n"
      "    loop 2 { MPI_Allreduce send_bytes=8 element_bytes=8 commutes=1 } }\n"
      "  MPI_Barrier }";
  const auto told = [](const std::string& calls, std::uint64_t iteration) {
    Seen seen;
    watch(seen, calls,
          {.iterations = {{iteration, iteration}},
           .ranks = trace_io::RankList::from_ranks({Rank{1}}),
           .keeps_loops = true});
    std::string text;
    for (const WindowCall& call : seen.window().calls()) {
      text += (text.empty() ? "" : " ") + std::to_string(call.iteration);
      for (const auto& loop : seen.window().inner_loops(call))
        text += "/" + std::to_string(loop.iteration);
    }
    return text;
  };
  CHECK(told(nested, 70) == "70/0 70/0/0 70/0/1 70/0/2 70/1 70/1/0 70/1/1 70/1/2 70");
  CHECK(told(inner, 130) == "130 130/0 130/1");
  Seen whole;
  watch(whole, nested, {.keeps_loops = true}, false);
  for (const WindowCall& call : whole.window().calls())
    if (call.iteration == WindowCall::kNoIteration) CHECK(whole.window().inner_loops(call).empty());
}

TEST_CASE("window: a call that never ends is kept up to the deadlock", "[window]") {
  Seen seen;
  CHECK_THROWS_AS(
      watch(seen, "MPI_Barrier | compute 1ms\nranks 1: MPI_Recv peer=0 tag=1 bytes=8 | compute 2ms",
            {}),
      sim::ReplayError);
  const auto& calls = seen.window().calls();
  REQUIRE(calls.size() == kRanks + 1);
  CHECK(calls.back().rank == 1);
  CHECK(calls.back().is_open);
  CHECK(calls.back().enter == calls.back().end);
  for (int rank = 0; rank < kRanks; ++rank)
    CHECK_FALSE(calls[static_cast<std::size_t>(rank)].is_open);
}

TEST_CASE("window: errors name the range that has calls", "[window]") {
  const std::string calls = "MPI_Barrier | compute 1s";
  Seen late, iteration, many;
  watch(late, calls, {.from = 5, .to = 6});
  CHECK_THROWS_WITH(late.window().check(),
                    Catch::Contains("--from: 5 s is past the end") &&
                        Catch::Contains("the predicted run is from 0 s to 1."));
  watch(iteration, kRing, {.iterations = {{1000, 1001}}});
  CHECK_THROWS_WITH(iteration.window().check(),
                    "--iterations: the main loop has no iteration 1000 to 1001\n"
                    "  it has iterations 0 to 999");
  watch(many, kRing, {.most_calls = 100}, false);
  CHECK(many.window().calls().size() == 100);
  CHECK_THROWS_WITH(
      many.window().check(),
      "the window of the predicted run: has 12004 calls, more than the 100 that are allowed\n  "
      "narrow it with --from, --to, --iterations or --ranks; a file takes more with --size-limit");
}

}  // namespace reprise::test
