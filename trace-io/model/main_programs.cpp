// SPDX-License-Identifier: MIT
#include "trace-io/model/main_programs.hpp"

#include <map>
#include <utility>

namespace reprise::trace_io {
namespace {

// The module in which the call path begins that led to this call of MPI_Init; null for other calls, and where it has none.
const Module* program_of(const Trace& trace, const Leaf& leaf) {
  const Site& site = trace.sites[leaf.site];
  const std::string& name = trace.procedures[site.procedure];
  const auto& frames = trace.call_paths[site.call_path].frames;
  if ((name != "MPI_Init" && name != "MPI_Init_thread") || frames.empty()) return nullptr;
  return &trace.modules[frames.back().module];
}

}  // namespace

std::vector<MainProgram> main_programs(const Trace& trace) {
  std::map<std::string, std::vector<Rank>> by_path;
  if (trace.threads.empty()) return {};
  for (const Node& node : trace.threads.front())
    if (const auto* leaf = std::get_if<Leaf>(&node.content))
      if (const Module* program = program_of(trace, *leaf))
        for (const Rank rank : node.ranks.ranks()) by_path[program->path].push_back(rank);
  if (by_path.size() < 2) return {};
  std::vector<MainProgram> programs;
  for (auto& [path, ranks] : by_path)
    programs.push_back({path, RankList::from_ranks(std::move(ranks))});
  sort_by_lowest_rank(programs);
  return programs;
}

}  // namespace reprise::trace_io
