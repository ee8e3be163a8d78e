// SPDX-License-Identifier: MIT
// Which functions ranks computed in: a table of functions, and call paths as a flame graph's folded stacks.
//
// Shares   of the samples between calls of MPI, of the ranks of a class. Exclusive: the function itself was executing. Inclusive: it, or something
//          that it had called; a function that calls itself counts once a sample. In MPI: samples inside calls of MPI that it, or something that it had
//          called, had made, by the calls' own paths: of CPU time, so of waiting what polls.
// Cost     O(counts · frames · log functions).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "sim/functions/function_names.hpp"
#include "trace-io/model/function_samples.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

struct FunctionRow {
  std::string name;
  std::uint64_t exclusive = 0, inclusive = 0;  // samples
  std::uint64_t in_mpi = 0;                    // samples inside calls that were made in it
};

struct FunctionTable {
  trace_io::RankList ranks;
  std::uint64_t samples = 0;  // between calls
  std::uint64_t unnamed = 0;  // of them, in functions without a name
  std::vector<FunctionRow>
      functions;  // those with most exclusive samples first, then by inclusive ones, those in MPI and names
  std::uint64_t in_mpi = 0;
  std::vector<FunctionRow> mpi_functions;  // innermost inside calls, by samples; exclusive alone
};

// One for each class of ranks; for all of them together where the trace has but one. REQUIRES: functions were sampled.
std::vector<FunctionTable> function_tables(const trace_io::Trace&);

// The functions on the call path of a call, each once. REQUIRES: the trace has the site.
std::set<std::string> callers_of(const trace_io::Trace&, const FunctionNames&, trace_io::SiteId);

struct FoldedStack {
  std::vector<std::string> functions;  // outermost first
  std::uint64_t samples = 0;
};
// Between calls, equal ones added up, in the order of their names.
std::vector<FoldedStack> folded_stacks(const trace_io::Trace&, const trace_io::SampledRanks&);

// "main;solve;dgemm_ 123": a line for each stack. Semicolons in names become colons.
std::string folded_text(const trace_io::Trace&);

}  // namespace reprise::sim
