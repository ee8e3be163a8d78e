// SPDX-License-Identifier: MIT
// What it costs to find where a rank is at a time: nanoseconds a search in traces of growing length.
//
// usage: time_search [SEARCHES]
//
// Traces of three nested loops, of 10³ to 10¹² events, with iterations that are all alike (fixed) or grow from execution to execution
// (growing), paths that differ in the first pass of each, and a body of 8 or 1000 calls. Output: a Markdown table. For instructions:
// valgrind --tool=callgrind --toggle-collect='*TimingTree::at*' time_search 1000.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "trace-io/text/text.hpp"
#include "trace-io/timing_tree/timing_tree.hpp"

namespace {

using namespace reprise;
using namespace reprise::trace_io;

std::string call(int site, int before, const std::string& more = "") {
  return "@" + std::to_string(site) + " MPI_Barrier | compute after @" + std::to_string(before) +
         " " + std::to_string(900 + site) + "ns" + more + " | communicate 1us\n";
}

Trace nested(std::uint64_t passes, int calls, bool is_growing) {
  std::string text =
      "reprise-text 1\nranks 1\ntiming path\nbins 5\nprocedure 0 \"MPI_Barrier\"\nmodule 0 \"x\"\n";
  const int sites = calls + 2;
  for (int s = 0; s < sites; ++s)
    text += "path " + std::to_string(s) + " 0+" + std::to_string(s) + "\n";
  for (int s = 0; s < sites; ++s)
    text += "site " + std::to_string(s) + " procedure 0 path " + std::to_string(s) + "\n";
  const auto times = std::to_string(passes);
  const auto inner = is_growing ? "(1.." + times + ")*" + times : times;
  text += "thread 0 {\n@0 MPI_Barrier\nloop " + times + " {\n@1 MPI_Barrier\nloop " + times +
          " {\nloop " + inner + " {\n" +
          // in the first pass of each execution it takes longer
          call(2, calls + 1, " | compute after @1 1900ns");
  for (int s = 3; s < sites; ++s) text += call(s, s - 1);
  return assemble(text + "}\n}\n}\n}\n", "nested");
}

std::uint64_t random_state = 88172645463325252U;
std::uint64_t random_number() {  // xorshift, Marsaglia 2003
  random_state ^= random_state << 13U;
  random_state ^= random_state >> 7U;
  return random_state ^= random_state << 17U;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t searches = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
  std::printf(
      "| iterations | calls in the body | events | made in µs | ns a search "
      "|\n|---|---|---|---|---|\n");
  for (const bool is_growing : {false, true})
    for (const int calls : {8, 1000})
      for (const std::uint64_t passes : {5U, 50U, 500U, 1000U}) {
        const Trace trace = nested(passes, calls, is_growing);
        using Clock = std::chrono::steady_clock;
        const auto begin = Clock::now();
        const TimingTree tree(trace, 0, Rank{0}, [](const DeltaClass& delta) {
          return Seconds{delta.durations.mean_ns() * 1e-9};
        });
        const auto made = Clock::now();
        std::uint64_t depth = 0;
        for (std::uint64_t i = 0; i < searches; ++i)
          depth +=
              tree.at(static_cast<TimingTree::Ticks>(random_number() >> 32U) * tree.total() >> 32)
                  ->loops.size();
        const std::chrono::duration<double, std::nano> taken = Clock::now() - made;
        const std::uint64_t inner =
            is_growing ? passes * (passes + 1) / 2 * passes : passes * passes * passes;
        std::printf("| %s | %d | %.1e | %.0f | %.0f |\n", is_growing ? "growing" : "fixed", calls,
                    static_cast<double>(inner) * calls,
                    std::chrono::duration<double, std::micro>(made - begin).count(),
                    taken.count() / static_cast<double>(searches));
        if (depth == 0) return 1;
      }
  return 0;
}
