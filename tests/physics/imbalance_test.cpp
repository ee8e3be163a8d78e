// SPDX-License-Identifier: MIT
// What evening out compute times saves, in closed form: a barrier's loop takes as long as its slowest rank.
#include "sim/experiment/imbalance.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/trace-io/order/ordered_job.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

using Of = sim::Imbalance::Of;

constexpr double kMicro = 1e-6;

sim::ImbalanceAnswer imbalance_in(const trace_io::Trace& trace,
                                  const std::vector<sim::Change>& changes,
                                  const std::string& compute = "") {
  sim::Experiment experiment;
  experiment.trace = &trace;
  experiment.trace_path = "test";
  sim::set_machine(experiment, "ethernet-25g");
  experiment.placement = "cyclic";
  experiment.latency = experiment.overhead = 0;  // a barrier takes no time
  experiment.changes = changes;
  if (!compute.empty()) experiment.compute.push_back(sim::parse_compute_rule(compute, "test"));
  return sim::find_imbalance(experiment);
}

sim::ImbalanceAnswer imbalance_of(int ranks, const std::string& calls,
                                  const std::string& compute = "") {
  return imbalance_in(trace_io::assemble("reprise-text 1\nranks " + std::to_string(ranks) +
                                             "\nthread 0 {\n" + calls + "\n}\n",
                                         "test"),
                      {}, compute);
}

const sim::Imbalance& row_of(const sim::ImbalanceAnswer& answer, Of of, int rank = -1) {
  for (const auto& row : answer.rows)
    if (row.of == of && (rank < 0 || row.slowest.value == rank)) return row;
  FAIL("no such row among " << answer.rows.size());
  throw 0;
}

}  // namespace

TEST_CASE("imbalance: two groups", "[imbalance]") {
  const auto answer = imbalance_of(8, "loop 100 { MPI_Barrier | compute {0-3: 10us; 4-7: 30us} }");
  CHECK(answer.rows.front().of == Of::everything);
  for (const Of of : {Of::everything, Of::loop, Of::call_path}) {
    const auto& row = row_of(answer, of);
    CHECK(row.saved == Approx(100 * 10 * kMicro).epsilon(1e-6));  // 30 us become 20 us
    CHECK(row.mean == Approx(100 * 20 * kMicro));
    CHECK(row.most == Approx(100 * 30 * kMicro));
    CHECK(row.pattern == "two groups: ranks 0-3 and, slower, ranks 4-7");
  }
  // one of four slow ranks alone changes nothing
  CHECK(row_of(answer, Of::rank, 4).saved == Approx(0).margin(1e-12));
}

TEST_CASE("imbalance: an outlier, and what is hidden behind another imbalance", "[imbalance]") {
  const auto answer = imbalance_of(8,
                                   "loop 100 { MPI_Barrier | compute {0-6: 10us; 7: 50us}\n"
                                   "MPI_Allreduce send_bytes=8 | compute {0: 21us; 1-7: 20us} }");
  const auto& everything = answer.rows.front();
  CHECK(everything.of == Of::everything);
  CHECK(everything.saved == Approx(100 * (35 + 1 - 1.0 / 8) * kMicro).epsilon(1e-3));
  const auto& first = answer.rows[1];  // 50 us become 15 us
  CHECK(first.saved >= row_of(answer, Of::rank, 7).saved);
  const auto& barrier = *std::ranges::find_if(
      answer.rows, [](const auto& row) { return row.what.starts_with("before MPI_Barrier"); });
  CHECK(barrier.saved == Approx(100 * 35 * kMicro).epsilon(1e-3));
  CHECK(barrier.pattern == "slow outliers: rank 7");
  CHECK(barrier.slowest == Rank{7});
}

TEST_CASE("imbalance: a rank that a rule slows down is a slow one", "[imbalance]") {
  // 30 us become (7 · 10 + 30) / 8 us.
  for (const char* const rule : {"rank:5=3x", "node:5=3x"}) {
    INFO(rule);
    const auto answer = imbalance_of(8, "loop 100 { MPI_Barrier | compute 10us }", rule);
    CHECK(answer.predicted == Approx(100 * 30 * kMicro).epsilon(1e-6));
    for (const Of of : {Of::everything, Of::loop, Of::call_path, Of::rank}) {
      const auto& row = row_of(answer, of);
      CHECK(row.slowest == Rank{5});
      CHECK(row.most == Approx(100 * 30 * kMicro));
      CHECK(row.mean == Approx(100 * 12.5 * kMicro));
      CHECK(row.saved == Approx(100 * (30 - 12.5) * kMicro).epsilon(1e-6));
      if (of != Of::rank) CHECK(row.pattern == "slow outliers: rank 5");
    }
  }
  // A rule that makes up for what was recorded leaves nothing to even out.
  CHECK(imbalance_of(4, "loop 100 { MPI_Barrier | compute {0-2: 10us; 3: 20us} }", "rank:3=0.5x")
            .rows.empty());
  // All ranks alike: times are those of the machine.
  const auto faster =
      imbalance_of(8, "loop 100 { MPI_Barrier | compute {0-3: 10us; 4-7: 30us} }", "0.5x");
  CHECK(faster.rows.front().most == Approx(100 * 15 * kMicro));
  CHECK(faster.rows.front().saved == Approx(100 * 5 * kMicro).epsilon(1e-6));
}

// Half of the ranks take 2 ms and half 6 ms to an allreduce from another line: the mean is 4 ms.
TEST_CASE("imbalance: ranks that take different call paths", "[imbalance]") {
  const char* const in_one_loop =
      "loop 100 {\nranks 0-1: MPI_Allreduce send_bytes=8 | compute 2ms\n"
      "ranks 2-3: MPI_Allreduce send_bytes=8 | compute 6ms\n}";
  const char* const in_a_loop_each =  // as they are recorded, and as two programs of one job
      "ranks 0-1: loop 100 { MPI_Allreduce send_bytes=8 | compute 2ms }\n"
      "ranks 2-3: loop 100 { MPI_Allreduce send_bytes=8 | compute 6ms }";
  for (const char* const program : {in_one_loop, in_a_loop_each}) {
    INFO(program);
    const auto answer = imbalance_of(4, program);
    CHECK(answer.rows.front().of == Of::everything);
    for (const Of of : {Of::everything, Of::loop}) {
      const auto& row = row_of(answer, of);
      CHECK(row.saved == Approx(0.2).epsilon(1e-5));  // less what 8 bytes take
      CHECK(row.mean == Approx(0.4));
      CHECK(row.most == Approx(0.6));
      CHECK(row.pattern == "two groups: ranks 0-1 and, slower, ranks 2-3");
    }
  }
  CHECK(row_of(imbalance_of(4, in_one_loop), Of::loop).what ==
        "the loop of MPI_Allreduce at test:5");
  CHECK(row_of(imbalance_of(4, in_a_loop_each), Of::loop).what ==
        "the loop of MPI_Allreduce at test:4 and the loop of MPI_Allreduce at test:5");
  // What all ranks share stays as it is: 10 + 6 ms become 10 + 4, not 14 times 10/12 + 14 times 6/16.
  CHECK(imbalance_of(4,
                     "loop 100 {\nMPI_Barrier | compute 10ms\n"
                     "ranks 0-1: MPI_Allreduce send_bytes=8 | compute 2ms\n"
                     "ranks 2-3: MPI_Allreduce send_bytes=8 | compute 6ms\n}")
            .rows.front()
            .saved == Approx(0.2).epsilon(1e-5));
}

TEST_CASE("imbalance: a rank that is slow first, and another later", "[imbalance]") {
  // Each half is levelled by itself: 6 ms become 3, and ranks 0 and 3 are slow for the half of the time only.
  const char* const same_path =
      "loop 50 { MPI_Barrier at here | compute {0: 6ms; 1-3: 2ms} }\n"
      "loop 50 { MPI_Barrier at here | compute {0-2: 2ms; 3: 6ms} }";
  const char* const other_paths =
      "loop 50 {\nrank 0: MPI_Barrier | compute 6ms\nranks 1-3: MPI_Barrier | compute 2ms\n}\n"
      "loop 50 {\nranks 0-2: MPI_Barrier | compute 2ms\nrank 3: MPI_Barrier | compute 6ms\n}";
  const char* const two_loops_each =
      "rank 0: loop 50 { MPI_Barrier | compute 6ms }\n"
      "ranks 1-3: loop 50 { MPI_Barrier | compute 2ms }\nMPI_Barrier\n"
      "ranks 0-2: loop 50 { MPI_Barrier | compute 2ms }\n"
      "rank 3: loop 50 { MPI_Barrier | compute 6ms }";
  for (const char* const program : {same_path, other_paths, two_loops_each}) {
    INFO(program);
    const auto answer = imbalance_of(4, program);
    CHECK(answer.predicted == Approx(0.6).epsilon(1e-6));
    CHECK(answer.rows.front().of == Of::everything);
    CHECK(answer.rows.front().saved == Approx(0.3).epsilon(1e-6));
    CHECK(answer.rows.front().mean == Approx(0.3));
    CHECK(answer.rows.front().most == Approx(0.4));
  }
  // The sums of two ranks are equal, and there is still something to save: 6 ms become 4.
  const auto equal = imbalance_of(2,
                                  "loop 50 { MPI_Barrier | compute {0: 6ms; 1: 2ms} }\n"
                                  "loop 50 { MPI_Barrier | compute {0: 2ms; 1: 6ms} }");
  CHECK(equal.rows.front().of == Of::everything);
  CHECK(equal.rows.front().saved == Approx(0.2).epsilon(1e-6));
  CHECK(equal.rows.front().pattern == "the same over the whole run");
}

TEST_CASE("imbalance: where ranks wait for each other but once an iteration", "[imbalance]") {
  // From barrier to barrier each rank computes 3 ms, ranks 0 and 1 before its next call, 2 and 3 behind the last one: only rank 0's 5 ms before the
  // barrier itself become 2.
  const auto behind =
      imbalance_of(4,
                   "loop 100 {\nranks 0-1: MPI_Send peer=null bytes=0 | compute 3ms\n"
                   "MPI_Barrier | compute {0: 5ms; 1-3: 1ms}\n"
                   "ranks 2-3: MPI_Send peer=null bytes=0 | compute 3ms\n}");
  CHECK(behind.rows.front().of == Of::everything);
  CHECK(behind.rows.front().saved == Approx(0.3).epsilon(0.02));  // less the first and the last
  // What one rank computes while the others have nothing there: a quarter of it, had all a part.
  const auto alone = imbalance_of(
      4,
      "loop 100 {\nrank 0: MPI_Send peer=null bytes=0 | compute 4ms\nMPI_Barrier | compute 1ms\n}");
  CHECK(alone.rows.front().of == Of::everything);
  CHECK(alone.rows.front().saved == Approx(0.3).epsilon(1e-6));
  // Ranks that execute a call unequally often.
  const auto often = imbalance_of(
      2,
      "loop 100 {\nloop {0: 2; 1: 6} { MPI_Send peer=null bytes=0 | compute 1ms }\nMPI_Barrier\n}");
  for (const Of of : {Of::everything, Of::loop, Of::call_path})
    CHECK(row_of(often, of).saved == Approx(0.2).epsilon(1e-6));
}

TEST_CASE("imbalance: a slow rank that changes during the run", "[imbalance]") {
  // Of 200 steps rank 0 takes 6 ms in the first half, rank 3 in the second, the others 3: 1.2 s, 0.9 s with each rank's mean, 0.75 s with all ranks'.
  trace_io::testing::OrderedJob job;
  job.steps = 200;
  job.duration = [](int rank, int step) {
    return rank == (step < 100 ? 0 : 3) ? std::int64_t{6'000'000} : std::int64_t{3'000'000};
  };
  const trace_io::Trace trace = merged(job);
  const auto answer = imbalance_in(trace, {});
  CHECK(answer.predicted == Approx(1.2).epsilon(5e-3));
  CHECK(answer.with_means == Approx(0.9).epsilon(5e-3));
  CHECK(row_of(answer, Of::everything).saved == Approx(0.45).epsilon(5e-3));
  CHECK(row_of(answer, Of::over_time).saved == Approx(0.3).epsilon(0.02));
  CHECK(row_of(answer, Of::loop).saved == Approx(0.15).epsilon(0.01));
  CHECK(answer.rows[0].of == Of::everything);
  CHECK(answer.rows[1].of == Of::over_time);
}

TEST_CASE("imbalance: what one recording cannot tell", "[imbalance]") {
  // 400 steps of 2 or 4 ms: s = 1 ms, and a rank's sum of 1.2 s scatters by s·√400. Of two ranks none is further above their mean than
  // √(2 ln(2 / 0.05)) · √(1/2) of that: 38.4 ms, 3.2 %.
  const auto two_ranks = [](int slower) {  // rank 1, by thousandths
    return imbalance_of(
        2,
        "loop 400 { MPI_Barrier | compute (limit=2 count=800 sum=2400000000 "
        "squares=0:8000000000000000 min=2000000@0 max=4000000@1 bins=[400/800000000, "
        "400/1600000000] scale=0-1: 1000.." +
            std::to_string(1000 + slower) + "/" + std::to_string(slower) +
            " scaled=" + std::to_string(400 * (2000 + slower)) + ") }");
  };
  const auto alike = two_ranks(10);
  const auto& everything = alike.rows.front();
  CHECK(everything.of == Of::everything);
  CHECK(everything.scatter == Approx(38.4e-3).epsilon(2e-3));
  CHECK(everything.is_within_scatter());
  CHECK(everything.pattern == "equal within 0.5%, less than one recording can tell");
  CHECK(std::ranges::none_of(alike.rows, [](const auto& row) { return row.of == Of::rank; }));
  // A rank is named where it exceeds the mean by more than 1 %, even if its times vary by as much on purpose, and where it exceeds the mean by more than they vary.
  for (const int slower : {30, 200}) {
    INFO(slower);
    const auto unlike = two_ranks(slower);
    CHECK(unlike.rows.front().pattern == "two groups: rank 0 and, slower, rank 1");
    CHECK(row_of(unlike, Of::rank, 1).most > 0);
  }
  // Times that do not scatter tell 0.4 %; of a single execution nothing is known.
  const auto exact = imbalance_of(2, "loop 100 { MPI_Barrier | compute {0: 1ms; 1: 1004us} }");
  CHECK(exact.rows.front().pattern == "two groups: rank 0 and, slower, rank 1");
  const auto once = imbalance_of(2, "MPI_Barrier | compute {0: 1ms; 1: 1004us}");
  CHECK(once.rows.front().pattern == "equal within 0.2%, less than one recording can tell");
}

TEST_CASE("imbalance: a node that is slow for some time", "[imbalance]") {
  // 100 steps of 10 ms; node 3 takes 20 from 0.5 s on: 1.5 s. Its rank computes 1.5 s, the other three 1: 1.125 s each, if all computed equally long.
  const auto trace = trace_io::assemble(
      "reprise-text 1\nranks 4\nthread 0 {\nloop 100 { MPI_Barrier | compute 10ms }\n}\n", "test");
  const auto changes = sim::parse_changes(
      nlohmann::json::parse(R"([{"node": 3, "compute": "2x", "from": "0.5 s"}])"), {"test", ""});
  const auto answer = imbalance_in(trace, changes);
  CHECK(answer.predicted == Approx(1.5).epsilon(1e-3));
  REQUIRE(!answer.rows.empty());
  const auto& everything = answer.rows.front();
  CHECK(everything.of == Of::everything);
  CHECK(everything.pattern == "slow outliers: rank 3");
  CHECK(everything.mean == Approx(1.125).epsilon(1e-3));
  CHECK(everything.most == Approx(1.5).epsilon(1e-3));
  CHECK(everything.saved == Approx(0.375).epsilon(5e-3));
}

TEST_CASE("imbalance: none", "[imbalance]") {
  CHECK(imbalance_of(4, "loop 100 { MPI_Barrier | compute 10us }").rows.empty());
}

TEST_CASE("imbalance: how ranks differ, in words", "[imbalance]") {
  const auto pattern = [](const std::vector<double>& times) {
    std::vector<std::pair<Rank, double>> by_rank;
    for (std::size_t i = 0; i < times.size(); ++i)
      by_rank.emplace_back(Rank{static_cast<std::int32_t>(i)}, times[i]);
    return sim::pattern_of(by_rank);
  };
  CHECK(pattern({1, 1, 1}).empty());
  CHECK(pattern({1}).empty());
  CHECK(pattern({1, 2, 3, 4}) == "gradual");
  CHECK(pattern({5, 1, 5, 5}) == "fast outliers: rank 1");
  CHECK(pattern({1, 9, 1.5, 1.2}) == "slow outliers: rank 1");
  CHECK(pattern({1, 2}) == "two groups: rank 0 and, slower, rank 1");
  CHECK(pattern({1, 9, 1, 9}) == "two groups: ranks 0,2 and, slower, ranks 1,3");
}

}  // namespace reprise::test
