// SPDX-License-Identifier: MIT
// Compute times that are scaled where functions change, by samples.
#include "sim/engine/compute/matched_functions.hpp"
#include "sim/functions/function_names.hpp"
#include "sim/functions/function_table.hpp"
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

// Between two barriers a rank computes 10 ms: 30 % of it in move, 70 % in solve, 20 of these 70 in dgemm_, which solve calls; rank 3 all in move.
// The first barrier stands 1 ms after MPI_Init, of which no sample was taken.
const std::string kSampled = R"text(procedure 0 "MPI_Init"
      procedure 1 "MPI_Barrier"
      module 0 "/opt/app/bin/solve" build_id ""
      path 0 0+0x10
      path 1 0+0x21 0+0x10
      path 2 0+0x31 0+0x10
      path 3 0+0x41 0+0x32 0+0x10
      frame 0+0x10 "main" "main.c" 40
      frame 0+0x21 "move" "main.c" 1
      frame 0+0x31 "void ns::solve<double>(int) [clone .cold]" "solve.c" 2
      frame 0+0x32 "void ns::solve<double>(int)" "solve.c" 3
      frame 0+0x41 "dgemm_" "blas.f" 1
      site 0 procedure 0 path 0
      site 1 procedure 1 path 0
)text";
const std::string kSamples =
    "functions rate 200 own 0 left_out 0\n"
    "sampled 0-2 compute [@1 after @1: 1/30, 2/50, 3/20] communicate []\n"
    "sampled 3 compute [@1 after @1: 1/40] communicate []\n";
const std::string kProgram = R"(timing path
      thread 0 {
        @0 MPI_Init
        @1 MPI_Barrier | compute after @0 1ms
        @1 MPI_Barrier | compute after @1 10ms
      }
)";

std::vector<double> computed(const std::vector<std::string>& rules) {
  const auto outcome = simulate(4, kSampled + kSamples + kProgram, star(4), scaled(rules));
  std::vector<double> times;
  for (const auto& rank : outcome.ranks) times.push_back(rank.compute.value);
  return times;
}

std::string refused(const std::string& body, const std::string& rule) {
  return error_of(4, body, star(4), scaled({rule}));
}

}  // namespace

TEST_CASE("function rules: a function's share of the time is scaled, with what it calls",
          "[physics]") {
  // 10 ms · (0.3 + 0.7 · 0.5) = 6.5 ms. The first barrier's time takes the shares of the same call's others.
  const auto times = computed({"function:ns::solve=0.5x"});
  CHECK(times[0] == near(11e-3 * 0.65));
  CHECK(times[2] == near(11e-3 * 0.65));
  CHECK(times[3] == near(11e-3));
}

TEST_CASE("function rules: a function alone is scaled without what it calls", "[physics]") {
  CHECK(computed({"function-exclusive:*solve*=0.5x"})[0] == near(11e-3 * (1 - 0.25)));
  CHECK(computed({"function:dgemm=0x"})[0] == near(11e-3 * 0.8));
}

TEST_CASE("function rules: those that hold for one sample multiply", "[physics]") {
  // move 30 · 2, solve 50 · 0.5, dgemm 20 · 0.5 · 0.1
  const auto times =
      computed({"function:ns::solve=0.5x", "function:dgemm_=0.1x", "function:move=2x"});
  CHECK(times[0] == near(11e-3 * (0.6 + 0.25 + 0.01)));
  CHECK(times[3] == near(11e-3 * 2));
  CHECK(computed({"function:move=2x", "rank:3=0.5x"})[3] == near(11e-3));
}

TEST_CASE("function rules: what they hold for is told", "[physics]") {
  const auto trace =
      trace_io::assemble("reprise-text 1\nranks 4\n" + kSampled + kSamples + kProgram, "t.txt");
  const auto rule = sim::parse_compute_rule("function:ns::solve=0.5x", "--compute");
  CHECK(sim::describe(rule) == "computing in functions ns::solve and what they call × 0.5");
  CHECK(sim::describe(sim::matched_functions(trace, rule), rule) ==
        "function:ns::solve: void ns::solve<double>(int) with what is called there: 50.0 % of the "
        "CPU time between calls (70 of 140 samples), on 1 of 1 paths with samples");
  const auto alone = sim::parse_compute_rule("function-exclusive:d*=0.5x", "--compute");
  CHECK(sim::describe(alone) == "computing in functions d* alone × 0.5");
  const auto tables = sim::function_tables(trace);
  REQUIRE(tables.size() == 2);
  CHECK(tables[0].functions[0].name == "void ns::solve<double>(int)");
  CHECK(tables[0].functions[0].exclusive == 50);
  CHECK(tables[0].functions[0].inclusive == 70);
  CHECK(tables[0].functions.back().name == "main");
  CHECK(tables[0].functions.back().inclusive == 100);
  CHECK(sim::folded_text(trace) ==
        "ranks 0-2;main;move 30\n"
        "ranks 0-2;main;void ns::solve<double>(int) 50\n"
        "ranks 0-2;main;void ns::solve<double>(int);dgemm_ 20\n"
        "ranks 3;main;move 40\n");
}

TEST_CASE("function rules: computing that no sample reaches, and few samples, are reported",
          "[physics]") {
  const auto told = [](const std::string& samples, const std::string& how) {
    const auto trace = trace_io::assemble(
        "reprise-text 1\nranks 4\n" + kSampled + samples +
            "timing path\nthread 0 {\n@0 MPI_Init\n@1 MPI_Barrier | compute after @0 9ms\n"
            "@2 MPI_Barrier | compute after @1 1ms\n}\n",
        "t.txt");
    const auto rule = sim::parse_compute_rule(how, "--compute");
    const auto matched = sim::matched_functions(trace, rule);
    return (matched.is_doubtful() ? "doubtful " : "sound ") + sim::describe(matched, rule);
  };
  const std::string site = "site 2 procedure 1 path 1\n";
  const auto samples = [&](int count) {
    return site + "functions rate 200 own 0 left_out 0\nsampled 0-3 compute [@1 after @0: 1/" +
           std::to_string(count) + "] communicate []\n";
  };
  CHECK(told(samples(30), "function:move=0.5x") ==
        "doubtful function:move: move with what is called there: 100.0 % of the CPU time between "
        "calls (30 of 30 samples), on 1 of 1 paths with samples; 10.0 % of computing is before "
        "calls without samples and stays unchanged (record a longer run, or with more samples than "
        "the 200 a second that were asked for: reprise record --functions sample:RATE)");
  CHECK(told(site + "functions rate 10000 own 0 left_out 0\nsampled 0-3 compute [@1 after @0: "
                    "1/1; @2 after @1: 1/1] communicate []\n",
             "function:move=0.5x") ==
        "doubtful function:move: move with what is called there: 100.0 % of the CPU time between "
        "calls (2 of 2 samples), on 2 of 2 paths with samples; the whole recording has only 2 such "
        "samples (record a longer run)");
  CHECK(told(site + "functions rate 200 own 0 left_out 0\nsampled 0-3 compute [@1 after @0: "
                    "1/29; @2 after @1: 1/1] communicate []\n",
             "function:move=0.5x")
            .starts_with("sound "));
}

TEST_CASE("function rules: what matches nothing is refused", "[physics]") {
  CHECK(refused(kSampled + kSamples + kProgram, "function:fft=0.5x") ==
        "--compute: no sampled function matches \"fft\"\n"
        "  `reprise trace functions` lists them; one that was inlined counts as its caller");
  CHECK(refused(kSampled + kSamples + kProgram, "function-exclusive:main=0.5x") ==
        "--compute: no sampled function matches \"main\"\n"
        "  `reprise trace functions` lists them; one that was inlined counts as its caller");
  CHECK(refused(kSampled + kSamples + kProgram, "function:gemm*=0.5x") ==
        "--compute: no sampled function matches \"gemm*\"\n"
        "  did you mean \"dgemm\"? `reprise trace functions` lists them; one that was inlined "
        "counts as its caller");
  CHECK(refused(kSampled + kSamples + kProgram, "dgemm=0.5x") ==
        "--compute: no call of the trace matches \"dgemm\"\n"
        "  function:dgemm is the time inside the function; patterns match functions, files, "
        "file:line and addresses (program+0x12f0, program+*) of call paths; `reprise trace dump` "
        "shows them");
  CHECK(refused(kSampled + kProgram, "mains=0.5x") ==
        "--compute: no call of the trace matches \"mains\"\n"
        "  did you mean \"main\"? patterns match functions, files, file:line and addresses "
        "(program+0x12f0, program+*) of call paths; "
        "`reprise trace dump` shows them");
  CHECK(refused(kSampled + kProgram, "function:solve=0.5x") ==
        "--compute: the trace has no function samples\n  record it with --functions sample");
  CHECK_THROWS_AS(sim::parse_compute_rule("function:=2x", "--compute"), InputError);
}

TEST_CASE("function names: as people write them", "[physics]") {
  CHECK(sim::plain_function_name("solve") == "solve");
  CHECK(sim::plain_function_name("dgemm_") == "dgemm");
  CHECK(sim::plain_function_name("__grid_MOD_relax") == "relax");
  CHECK(sim::plain_function_name("MAIN__") == "MAIN");
  CHECK(sim::plain_function_name("void ns::solve<double>(int) [clone .cold]") == "ns::solve");
  CHECK(sim::plain_function_name("solve.part.0") == "solve");
  CHECK(sim::plain_function_name("(anonymous namespace)::f(int)") == "(anonymous namespace)::f");
  CHECK(sim::plain_function_name("std::vector<double>::operator[](unsigned long)") ==
        "std::vector::operator[]");
  CHECK(sim::without_clone("f(int) [clone .isra.0]") == "f(int)");
  CHECK(sim::without_clone("clock_gettime@@GLIBC_2.17") == "clock_gettime");
}

}  // namespace reprise::test
