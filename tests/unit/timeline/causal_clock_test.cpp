// SPDX-License-Identifier: MIT
// Recorded times put in order: closed forms of what is moved, by messages and by each kind of collective, and that nothing else is.
#include "sim/export/timeline/causal_clock.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sim/export/timeline/recorded_timelines.hpp"
#include "tests/unit/timeline/random_program.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

constexpr std::int64_t kMs = 1'000'000;  // ns
constexpr std::int64_t kAfter = 1;       // ns, of what was too early

using Calls = std::vector<std::pair<std::int64_t, std::int64_t>>;  // (begin, end), ns

// What a test looks at: the calls of each rank, and its arrows.
struct Timed {
  std::vector<Calls> calls;
  sim::CausalMoves moves;
  std::int64_t run_begin = 0;
  std::uint64_t messages = 0, backwards = 0;
};

class Arrows final : public sim::CallMessages::Listener {
 public:
  std::uint64_t on_send() override { return 0; }
  void on_match(Rank, Rank, std::int64_t, const sim::MessageMatches::Send& sent,
                const sim::MessageMatches::Receive& received) override {
    ++messages;
    backwards += received.completed < sent.begin ? 1U : 0U;
  }
  std::uint64_t messages = 0, backwards = 0;
};

Timed timed(const Trace& trace, sim::Deltas deltas = sim::Deltas::ordered) {
  const Programs programs(trace);
  sim::RecordedTimelines timelines(programs, deltas, 1);
  sim::CallMessages matches(trace);
  Arrows arrows;
  Timed all;
  for (std::int32_t r = 0; r < trace.header.ranks; ++r) {
    Calls& calls = all.calls.emplace_back();
    while (timelines.next(Rank{r})) {
      const sim::TimedCall& call = timelines.call(Rank{r});
      CHECK(call.computed_since == (calls.empty() ? 0 : calls.back().second));
      CHECK(call.computed_since <= call.begin);
      CHECK(call.begin <= call.end);
      calls.emplace_back(call.begin, call.end);
      if (!fields(call.procedure).empty()) matches.call(Rank{r}, call, arrows);
    }
  }
  all.moves = timelines.moves();
  all.run_begin = timelines.run_begin();
  all.messages = arrows.messages;
  all.backwards = arrows.backwards;
  return all;
}

Timed timed(const std::string& header, const std::string& calls,
            sim::Deltas deltas = sim::Deltas::ordered) {
  return timed(assemble("reprise-text 1\n" + header + "\nthread 0 {\n" + calls + "\n}\n", "test"),
               deltas);
}

// When each of three ranks, which enter at 1, 2 and 3 ms, leaves the call.
std::vector<std::int64_t> ends(const std::string& call,
                               const std::string& entries = "{0: 1ms; 1: 2ms; 2: 3ms}") {
  const Timed all = timed("ranks 3", call + " | compute " + entries);
  std::vector<std::int64_t> last;
  for (const Calls& calls : all.calls) last.push_back(calls.back().second);
  return last;
}

std::vector<std::int64_t> ms(std::int64_t a, std::int64_t b, std::int64_t c) { return {a, b, c}; }

}  // namespace

// Rank 0 sends at 12, 14 and 16 ms; rank 1 receives in three calls that took 10 ms in the mean and 1 ms at least.
TEST_CASE("timeline: a receive ends after its send, and the next wait makes up for it",
          "[timeline]") {
  const auto run = [](const std::string& first) {
    return timed("ranks 2",
                 "ranks 0: MPI_Send peer=1 tag=1 bytes=8 | compute " + first +
                     "\nranks 0: loop 2 { MPI_Send peer=1 tag=1 bytes=8 | compute 2ms }\n"
                     "ranks 1: loop 3 { MPI_Recv peer=0 tag=1 bytes=8 | communicate (limit=1 "
                     "count=3 sum=30000000 squares=0:438000000000000 min=1000000@1 "
                     "max=19000000@1 bins=[3/30000000]) }",
                 sim::Deltas::mean);
  };
  const Timed late = run("12ms");
  const std::int64_t first = 12 * kMs + kAfter;
  CHECK(late.calls[1] == Calls{{0, first}, {first, 20 * kMs}, {20 * kMs, 30 * kMs}});
  CHECK(late.calls[0] == Calls{{12 * kMs, 12 * kMs}, {14 * kMs, 14 * kMs}, {16 * kMs, 16 * kMs}});
  CHECK(late.moves.messages == 3);
  CHECK(late.moves.received_early == 1);
  CHECK(late.moves.most_early == 2 * kMs);
  CHECK(late.moves.most_moved == 2 * kMs + kAfter);
  CHECK(moved_note(late.moves) ==
        "1 of 3 messages seemed to be received before they were sent, by up to 2 ms: calls were "
        "moved by up to 2 ms");

  // The second receive takes 1 ms at least, and so is late, too.
  const Timed later = run("19500us");
  const std::int64_t second = 19'500'000 + kAfter;
  CHECK(later.calls[1] ==
        Calls{{0, second}, {second, second + 2 * kMs}, {second + 2 * kMs, 30 * kMs}});

  const Timed in_time = run("9ms");
  CHECK(in_time.calls[1] == Calls{{0, 10 * kMs}, {10 * kMs, 20 * kMs}, {20 * kMs, 30 * kMs}});
  CHECK(in_time.moves.most_moved == 0);
  CHECK(moved_note(in_time.moves).empty());
}

TEST_CASE("timeline: computing and calls that do not wait keep their lengths", "[timeline]") {
  const Timed all = timed("ranks 2",
                          "ranks 0: MPI_Send peer=1 tag=1 bytes=8 | compute 10ms\n"
                          "ranks 1: MPI_Recv peer=0 tag=1 bytes=8 | communicate 2ms\n"
                          "ranks 1: MPI_Irecv peer=0 tag=2 bytes=8 request=0 | compute 3ms | "
                          "communicate 1ms\n"
                          "ranks 0: MPI_Send peer=1 tag=2 bytes=8\n"
                          "ranks 1: MPI_Wait request=0 | compute 4ms | communicate 5ms");
  // Each kind of call has one time here, which is its shortest: rank 1 stays 8 ms late.
  const std::int64_t at = 10 * kMs + kAfter;
  CHECK(all.calls[1] ==
        Calls{{0, at}, {at + 3 * kMs, at + 4 * kMs}, {at + 8 * kMs, at + 13 * kMs}});
  CHECK(all.moves.received_early == 1);
}

TEST_CASE("timeline: a collective ends after the entries that its kind needs", "[timeline]") {
  const std::int64_t last = 3 * kMs + kAfter;
  const auto as_entered = ms(kMs, 2 * kMs, 3 * kMs);
  const std::string descending = "{0: 3ms; 1: 2ms; 2: 1ms}";
  const auto everyone = ms(last, last, 3 * kMs);
  CHECK(ends("MPI_Barrier") == everyone);
  CHECK(ends("MPI_Allreduce send_bytes=8") == everyone);
  CHECK(ends("MPI_Allreduce send_bytes=0") == as_entered);
  CHECK(ends("MPI_Allgather send_bytes=8 receive_bytes_per_peer=8") == everyone);
  CHECK(ends("MPI_Bcast peer=2 send_bytes=8") == everyone);
  CHECK(ends("MPI_Bcast peer=2 send_bytes=0") == as_entered);
  CHECK(ends("MPI_Bcast peer=0 send_bytes=8") == as_entered);
  CHECK(ends("MPI_Scatter peer=2 send_bytes=8 receive_bytes_per_peer=8") == everyone);
  CHECK(ends("MPI_Reduce peer=0 send_bytes=8") == ms(last, 2 * kMs, 3 * kMs));
  CHECK(ends("MPI_Gather peer=1 send_bytes=8 receive_bytes_per_peer=8") == ms(kMs, last, 3 * kMs));
  CHECK(ends("MPI_Gatherv peer=0 send_bytes=8 receive_bytes_list=[8, 8, 0]") ==
        ms(2 * kMs + kAfter, 2 * kMs, 3 * kMs));
  CHECK(ends("MPI_Scan send_bytes=8") == as_entered);
  CHECK(ends("MPI_Scan send_bytes=8", descending) == ms(3 * kMs, last, last));
  CHECK(ends("MPI_Exscan send_bytes=8", descending) == ms(3 * kMs, last, last));
  CHECK(ends("MPI_Alltoallv send_bytes_list=[0, 8, 0] receive_bytes_list=[0, 8, 0]") ==
        ms(2 * kMs + kAfter, 2 * kMs, 3 * kMs));
  CHECK(ends("MPI_Comm_dup new_comm=2") == everyone);
}

// They enter at 1, 2 and 3 ms and wait from 1 ms later on.
TEST_CASE("timeline: a nonblocking collective holds back the call that completes it",
          "[timeline]") {
  const Timed all = timed("ranks 3",
                          "MPI_Ibarrier request=0 | compute {0: 1ms; 1: 2ms; 2: 3ms}\n"
                          "MPI_Barrier comm=1\nMPI_Wait request=0 | compute 1ms");
  const std::int64_t last = 3 * kMs + kAfter;
  CHECK(all.calls[0].back() == std::pair{2 * kMs, last});
  CHECK(all.calls[1].back() == std::pair{3 * kMs, 3 * kMs});
  CHECK(all.calls[2].back() == std::pair{4 * kMs, 4 * kMs});
  CHECK(all.moves.collective_calls == 3);
  CHECK(all.moves.left_early == 1);
  CHECK(moved_note(all.moves) ==
        "1 of 3 calls that end collectives seemed to end before others had entered them, by up to "
        "1 ms: calls were moved by up to 1 ms");
}

TEST_CASE("timeline: computing is prolonged by what preempted the rank, of wall-clock times",
          "[timeline]") {
  const std::string header =
      "ranks 2\nelapsed 30ms\napart preemption count 3 time 3ms most 3ms@0\n"
      "preempted ranks [0 3/3ms/12ms] octaves [18 1/200us, 21 2/2800us]";
  const std::string calls =
      "MPI_Send peer=-1 tag=1 bytes=8 | compute 8ms | communicate 2ms\nMPI_Barrier | compute 4ms";
  const Timed wall = timed(header, calls), cpu = timed(header + "\nclock cpu", calls);
  CHECK(wall.calls[0] == Calls{{10 * kMs, 12 * kMs}, {17 * kMs, 17 * kMs}});
  CHECK(wall.calls[1] == Calls{{8 * kMs, 10 * kMs}, {14 * kMs, 17 * kMs + kAfter}});
  CHECK(cpu.calls[0] == Calls{{8 * kMs, 10 * kMs}, {14 * kMs, 14 * kMs}});
  CHECK(cpu.calls[1] == cpu.calls[0]);
}

TEST_CASE("timeline: runs begin where MPI_Init ends", "[timeline]") {
  const Timed all = timed("ranks 2",
                          "MPI_Init | communicate {0: 5ms; 1: 3ms}\nMPI_Barrier | compute 1ms\n"
                          "MPI_Finalize");
  CHECK(all.run_begin == 5 * kMs);
  CHECK(all.calls[0] == Calls{{0, 5 * kMs}, {6 * kMs, 6 * kMs}, {6 * kMs, 6 * kMs}});
  CHECK(all.calls[1] == Calls{{2 * kMs, 5 * kMs}, {6 * kMs, 6 * kMs}, {6 * kMs, 6 * kMs}});
  CHECK(all.moves.most_moved == 0);
}

// By the trace's own order neither receive could ever end; a trace cut short has receives without sends.
TEST_CASE("timeline: calls that wait for each other, or for nothing, keep their times",
          "[timeline]") {
  const Timed circle = timed("ranks 2",
                             "MPI_Recv peer=+1 tag=1 bytes=8 | communicate 1ms\n"
                             "MPI_Send peer=+1 tag=1 bytes=8 | communicate 1ms");
  for (const Calls& calls : circle.calls) CHECK(calls.back().second == 2 * kMs);
  CHECK(circle.moves.circles == 1);
  CHECK(moved_note(circle.moves)
            .ends_with("1 call would wait for each other in a circle, and does not wait"));
  const Timed without = timed("ranks 2",
                              "ranks 0: MPI_Recv peer=1 tag=1 bytes=8 | communicate 1ms\n"
                              "ranks 1: MPI_Barrier comm=1 | compute 4ms");
  CHECK(without.calls[0] == Calls{{0, kMs}});
  CHECK(without.moves.circles == 0);
}

TEST_CASE("timeline: a receive that is cancelled takes no message", "[timeline]") {
  const Timed all = timed("ranks 2",
                          "ranks 1: MPI_Irecv peer=0 tag=1 bytes=8 request=0\n"
                          "ranks 1: MPI_Cancel request=0\nranks 1: MPI_Wait request=0\n"
                          "ranks 0: MPI_Send peer=1 tag=1 bytes=8 | compute 2ms\n"
                          "ranks 1: MPI_Recv peer=0 tag=1 bytes=8 | compute 1ms");
  CHECK(all.messages == 1);
  CHECK(all.calls[1][2] == std::pair<std::int64_t, std::int64_t>{0, 0});
  CHECK(all.calls[1][3] == std::pair{kMs, 2 * kMs + kAfter});
}

TEST_CASE("timeline: times of ranks with several threads stay as recorded", "[timeline]") {
  const Timed all =
      timed(assemble("reprise-text 1\nranks 2\nthread 0 {\n"
                     "ranks 0: MPI_Send peer=1 tag=1 bytes=8 | compute 2ms\n"
                     "ranks 1: MPI_Recv peer=0 tag=1 bytes=8\n}\n"
                     "thread 1 { ranks 0: MPI_Send peer=1 tag=1 bytes=8 }\n",
                     "test"));
  CHECK(all.calls[1] == Calls{{0, 0}});
}

// Against the times without any order: computing has its length, and so have calls, but for what a rank is late at its end.
TEST_CASE("timeline: no message of programs by chance or recorded runs backwards", "[timeline]") {
  std::vector<std::pair<std::string, Trace>> traces;
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    traces.emplace_back("seed " + std::to_string(seed),
                        assemble(random_program(seed), std::to_string(seed)));
  for (const char* name : {"heat2d", "nonblocking", "collectives", "communicators", "persistent",
                           "nonblocking_collectives"})
    traces.emplace_back(
        name, load(std::string(REPRISE_GOLDEN_DIRECTORY) + "/recorded/" + name + ".reprise"));
  std::uint64_t messages = 0, early = 0;
  for (const auto& [name, trace] : traces) {
    CAPTURE(name);
    const Timed all = timed(trace);
    CHECK(all.backwards == 0);
    CHECK(all.moves.messages == all.messages);
    CHECK(all.moves.circles == 0);
    messages += all.messages;
    early += all.moves.received_early;
    const Programs programs(trace);
    sim::DeltaPlayer player(sim::Deltas::ordered, 1);
    for (std::int32_t r = 0; r < trace.header.ranks; ++r) {
      const Calls& calls = all.calls[static_cast<std::size_t>(r)];
      sim::RecordedTimeline recorded(programs, player, player, Rank{r});
      std::int64_t recorded_inside = 0, inside = 0, recorded_end = 0, start = 0;
      std::size_t at = 0;
      while (recorded.next()) {
        const sim::TimedCall& call = recorded.call();
        const auto& [begin, end] = calls[at];
        if (at == 0) start = begin - call.begin;
        CHECK(begin - (at == 0 ? start : calls[at - 1].second) == call.begin - call.computed_since);
        CHECK(end >= call.end + start);
        recorded_inside += call.end - call.begin;
        inside += end - begin;
        recorded_end = call.end + start;
        ++at;
      }
      REQUIRE(at == calls.size());
      CHECK(inside - recorded_inside == calls.back().second - recorded_end);
    }
  }
  CHECK(messages > 1000);
  CHECK(early > 100);
}
