// SPDX-License-Identifier: MIT
#include "sim/functions/function_table.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "sim/functions/function_names.hpp"

namespace reprise::sim {
namespace {

using trace_io::PathSamples;
using trace_io::SampledRanks;

// By call path.
std::map<std::uint32_t, std::uint64_t> counts_of(const std::vector<PathSamples>& paths) {
  std::map<std::uint32_t, std::uint64_t> counts;
  for (const PathSamples& path : paths)
    for (const auto& [stack, count] : path.stacks) counts[stack] += count;
  return counts;
}

std::vector<FunctionRow> ordered(const std::map<std::string, FunctionRow>& rows) {
  std::vector<FunctionRow> all;
  for (const auto& [name, row] : rows) {
    all.push_back(row);
    all.back().name = name;
  }
  std::ranges::stable_sort(all, [](const FunctionRow& x, const FunctionRow& y) {
    return std::tie(x.exclusive, x.inclusive, x.in_mpi) >
           std::tie(y.exclusive, y.inclusive, y.in_mpi);
  });
  return all;
}

FunctionTable table_of(const trace_io::Trace& trace, const FunctionNames& names,
                       const SampledRanks& ranks) {
  FunctionTable table;
  table.ranks = ranks.ranks;
  std::map<std::string, FunctionRow> rows, inside;
  for (const auto& [stack, count] : counts_of(ranks.compute)) {
    const auto& frames = trace.call_paths[stack].frames;
    table.samples += count;
    if (!names.is_known(frames.front())) table.unnamed += count;
    rows[names.of(frames.front())].exclusive += count;
    std::set<std::string> met;
    for (const auto& frame : frames)
      if (met.insert(names.of(frame)).second) rows[names.of(frame)].inclusive += count;
  }
  for (const auto& [stack, count] : counts_of(ranks.communicate)) {
    table.in_mpi += count;
    inside[names.of(trace.call_paths[stack].frames.front())].exclusive += count;
  }
  for (const PathSamples& path : ranks.communicate) {
    if (path.site == trace_io::kNoSite) continue;
    std::uint64_t count = 0;
    for (const auto& stack : path.stacks) count += stack.count;
    for (const std::string& name : callers_of(trace, names, path.site)) rows[name].in_mpi += count;
  }
  table.functions = ordered(rows);
  table.mpi_functions = ordered(inside);
  return table;
}

}  // namespace

std::set<std::string> callers_of(const trace_io::Trace& trace, const FunctionNames& names,
                                 trace_io::SiteId site) {
  std::set<std::string> callers;
  for (const auto& frame : trace.call_paths[trace.sites[site].call_path].frames)
    callers.insert(names.of(frame));
  return callers;
}

std::vector<FunctionTable> function_tables(const trace_io::Trace& trace) {
  const FunctionNames names(trace);
  std::vector<FunctionTable> tables;
  for (const SampledRanks& ranks : trace.functions->classes)
    tables.push_back(table_of(trace, names, ranks));
  return tables;
}

std::vector<FoldedStack> folded_stacks(const trace_io::Trace& trace, const SampledRanks& ranks) {
  const FunctionNames names(trace);
  std::map<std::vector<std::string>, std::uint64_t> stacks;
  for (const auto& [stack, count] : counts_of(ranks.compute)) {
    std::vector<std::string> functions;
    const auto& frames = trace.call_paths[stack].frames;
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
      functions.push_back(names.of(*frame));
    stacks[functions] += count;
  }
  std::vector<FoldedStack> folded;
  for (const auto& [functions, samples] : stacks) folded.push_back({functions, samples});
  return folded;
}

std::string folded_text(const trace_io::Trace& trace) {
  std::string text;
  const bool are_several = trace.functions->classes.size() > 1;
  for (const SampledRanks& ranks : trace.functions->classes)
    for (const FoldedStack& stack : folded_stacks(trace, ranks)) {
      std::string line = are_several ? "ranks " + ranks.ranks.text() : "";
      for (std::string name : stack.functions) {
        std::ranges::replace(name, ';', ':');
        line += (line.empty() ? "" : ";") + name;
      }
      text += line + " " + std::to_string(stack.samples) + "\n";
    }
  return text;
}

}  // namespace reprise::sim
