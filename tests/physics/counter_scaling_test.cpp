// SPDX-License-Identifier: MIT
// Compute times on a processor of other instructions per cycle and frequency: instructions / (ipc · f) of what was counted.
#include "sim/engine/compute/matched_counts.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

sim::ReplaySettings scaled(const std::vector<std::string>& rules) {
  sim::ReplaySettings settings;
  for (const auto& rule : rules)
    settings.compute.push_back(sim::parse_compute_rule(rule, "--compute"));
  return settings;
}

const std::string kTables = R"text(procedure 0 "MPI_Init"
      procedure 1 "MPI_Barrier"
      procedure 2 "MPI_Finalize"
      path 0
      site 0 procedure 0 path 0
      site 1 procedure 1 path 0
      site 2 procedure 2 path 0
)text";
// Two ranks: in 1 ms after MPI_Init each counts 2·10⁶ cycles and as many instructions, in 10 ms between barriers 3·10⁷ cycles and twice as many
// instructions. Of the 4 ms before MPI_Finalize nothing was counted.
const std::string kCounts =
    "counters [instructions threads 2 absent 0 scaled 0, cycles threads 2 absent 0 scaled 0]\n"
    "counted @1 after @0: 4000000/2ms, 4000000/2ms\n"
    "counted @1 after @1: 120000000/20ms, 60000000/20ms\n";
const std::string kProgram = R"(timing path
      thread 0 {
        @0 MPI_Init
        @1 MPI_Barrier | compute after @0 1ms
        @1 MPI_Barrier | compute after @1 10ms
        @2 MPI_Finalize | compute after @1 4ms
      }
)";

double computed(const std::vector<std::string>& rules, const std::string& counts = kCounts,
                std::size_t rank = 0) {
  return simulate(2, kTables + counts + kProgram, star(2), scaled(rules)).ranks[rank].compute.value;
}

std::string refused(const std::string& counts, const std::string& rule) {
  return error_of(2, kTables + counts + kProgram, star(2), scaled({rule}));
}

trace_io::Trace trace_with(const std::string& counts) {
  return trace_io::assemble("reprise-text 1\nranks 2\n" + kTables + counts + kProgram, "t.txt");
}

std::string told(const std::string& rule) {
  return sim::describe_processor(trace_with(kCounts), sim::parse_compute_rule(rule, "--compute"));
}

}  // namespace

TEST_CASE("processor rules: with both in absolute terms, time is instructions by their rate",
          "[physics]") {
  const double rate = 1.5 * 4e9;
  CHECK(computed({"ipc=1.5,frequency=4 GHz"}) == near(2e6 / rate + 6e7 / rate + 4e-3));
  CHECK(computed({"frequency=4000 MHz,ipc=1.5"}) == near(2e6 / rate + 6e7 / rate + 4e-3));
}

TEST_CASE("processor rules: one alone leaves the other as it was counted", "[physics]") {
  // Cycles at 4 GHz; instructions at 2 a cycle, of 2 and 3 GHz.
  CHECK(computed({"frequency=4GHz"}) == near(2e6 / 4e9 + 3e7 / 4e9 + 4e-3));
  CHECK(computed({"ipc=2"}) == near(2e6 / (2 * 2e9) + 6e7 / (2 * 3e9) + 4e-3));
}

TEST_CASE("processor rules: a factor beside an absolute value keeps to the ways with counts",
          "[physics]") {
  CHECK(computed({"ipc=2x,frequency=4 GHz"}) == near(1e6 / 4e9 + 1.5e7 / 4e9 + 4e-3));
}

TEST_CASE("processor rules: factors alone need no counts and hold for everything", "[physics]") {
  CHECK(computed({"ipc=1.25x,frequency=2x"}) == near(15e-3 / 2.5));
  CHECK(computed({"ipc=1.25x,frequency=2x"}, "") == near(15e-3 / 2.5));
  CHECK(computed({"frequency=0.5x"}, "") == near(30e-3));
}

TEST_CASE("processor rules: they multiply with others", "[physics]") {
  CHECK(computed({"frequency=4GHz", "rank:0=2x"}) == near(2 * (3.2e7 / 4e9 + 4e-3)));
  CHECK(computed({"frequency=4GHz", "rank:0=2x"}, kCounts, 1) == near(3.2e7 / 4e9 + 4e-3));
}

TEST_CASE("processor rules: the recorded processor changes nothing", "[physics]") {
  const std::string even =
      "counters [instructions threads 2 absent 0 scaled 0, cycles threads 2 absent 0 scaled 0]\n"
      "counted @1 after @0: 4000000/2ms, 4000000/2ms\n"
      "counted @1 after @1: 40000000/20ms, 40000000/20ms\n";
  CHECK(computed({"ipc=1,frequency=2 GHz"}, even) == near(15e-3));
}

TEST_CASE("processor rules: a way without counts has those before the same call", "[physics]") {
  // All 11 ms before a barrier by the counts between barriers: 3·10⁹ cycles a second.
  const std::string one =
      "counters [instructions threads 0 absent 2 scaled 0, cycles threads 2 absent 0 scaled 0]\n"
      "counted @1 after @1: 0/0ns, 60000000/20ms\n";
  CHECK(computed({"frequency=6 GHz"}, one) == near(11e-3 / 2 + 4e-3));
}

TEST_CASE("processor rules: ranks that counted less have their own time beside their counts",
          "[physics]") {
  // Cycles of one rank only, in half of the time: the rate is the same.
  const std::string half =
      "counters [instructions threads 2 absent 0 scaled 0, cycles threads 1 absent 1 scaled 0]\n"
      "counted @1 after @1: 120000000/20ms, 30000000/10ms\n";
  CHECK(computed({"ipc=2,frequency=3 GHz"}, half) == near(15e-3));
}

TEST_CASE("processor rules: what they hold for is told", "[physics]") {
  CHECK(
      told("ipc=1.5,frequency=4 GHz") ==
      "computing with 1.5 instructions per cycle, frequency 4 GHz: counts for 73.3 % of the "
      "computing, on 2 of 3 paths between two calls; 1.94 instructions per cycle become 1.50, 2.91 "
      "GHz become 4.00; 1 without counts keeps its time, the longest MPI_Barrier → MPI_Finalize");
  CHECK(told("ipc=1.3x") ==
        "computing with instructions per cycle × 1.3: factors only: all these compute times × "
        "0.769231, regardless of counts");
}

TEST_CASE("processor rules: absolute values need the counts, and say how to get them",
          "[physics]") {
  CHECK(refused("", "frequency=3 GHz") ==
        "--compute: the trace has no instruction and cycle counts\n  record it with --counters; "
        "factors, such as ipc=1.3x, need no counts");
  CHECK(refused("counters [cycles threads 2 absent 0 scaled 0]\n", "ipc=2") ==
        "--compute: the trace's counters have no instructions\n  record it with "
        "--counters=instructions,cycles on a machine whose kernel provides them; factors, such as "
        "ipc=1.3x, need no counts");
  CHECK(refused("counters [instructions threads 2 absent 0 scaled 0, cycles threads 0 absent 2 "
                "scaled 0]\n",
                "frequency=3 GHz") ==
        "--compute: the trace's counters have no cycles\n  record it with "
        "--counters=instructions,cycles on a machine whose kernel provides them; factors, such as "
        "ipc=1.3x, need no counts");
}

TEST_CASE("processor rules: what is none is refused", "[physics]") {
  const auto problem = [](const std::string& rule) -> std::string {
    try {
      sim::parse_compute_rule(rule, "--compute");
    } catch (const InputError& error) {
      return error.problem();
    }
    return "";
  };
  CHECK(problem("ipc=") == "\"\" is not a number of instructions per cycle");
  CHECK(problem("ipc=0") == "\"0\" is not a number of instructions per cycle");
  CHECK(problem("ipc=-1") == "\"-1\" is not a number of instructions per cycle");
  CHECK(problem("ipc=nan") == "\"nan\" is not a number of instructions per cycle");
  CHECK(problem("ipc=2 GHz") == "\"2 GHz\" is not a number of instructions per cycle");
  CHECK(problem("frequency=3") == "\"3\" has no unit");
  CHECK(problem("frequency=3 MB") == "\"3 MB\" is not a frequency");
  CHECK(problem("frequency=0 Hz") == "\"0 Hz\" is not a frequency");
  CHECK(problem("ipc=2,ipc=3") == "ipc is given twice");
  CHECK(problem("ipc=2,solve=0.5x") == "\"solve=0.5x\" is neither ipc= nor frequency=");
  CHECK(!problem("ipc=0x").empty());
}

}  // namespace reprise::test
