// SPDX-License-Identifier: MIT
#include "recorder/capture/sampled_functions.hpp"

#include <map>
#include <unordered_map>
#include <utility>

namespace reprise::recorder {
namespace {

constexpr std::size_t kDepth = 64;  // frames kept of a call path

using Counts = std::map<ThreadSampler::Path, std::map<std::uint32_t, std::uint64_t>>;

// Stacks of a thread become call paths of the table.
void add(const ThreadSampler::Counts& from, SiteTable& sites, Counts& to) {
  std::unordered_map<std::uint32_t, std::uint32_t> call_paths;
  for (const auto& [path, stacks] : from.paths)
    for (const auto& [stack, samples] : stacks) {
      const auto [known, is_new] = call_paths.try_emplace(stack);
      if (is_new)
        known->second = sites.call_path_of(from.stacks->addresses(stack),
                                           from.stacks->reached_end(stack), kDepth);
      to[path][known->second] += samples;
    }
}

std::vector<trace_io::PathSamples> paths_of(const Counts& counts) {
  std::vector<trace_io::PathSamples> paths;
  for (const auto& [path, stacks] : counts) {
    trace_io::PathSamples& one = paths.emplace_back();
    one.site = path.first;
    one.predecessor = path.second;
    for (const auto& [stack, samples] : stacks) one.stacks.push_back({stack, samples});
  }
  return paths;
}

}  // namespace

std::shared_ptr<const trace_io::FunctionSamples> sampled_functions(
    std::span<const ThreadSampler* const> threads, SiteTable& sites, std::uint32_t rate,
    Rank rank) {
  Counts computing, communicating;
  auto samples = std::make_shared<trace_io::FunctionSamples>();
  samples->rate = rate;
  for (const ThreadSampler* thread : threads) {
    add(thread->computing(), sites, computing);
    add(thread->communicating(), sites, communicating);
    samples->are_precise = samples->are_precise && thread->is_precise();
    samples->own += thread->own();
    samples->left_out += thread->left_out();
  }
  samples->classes.push_back(
      {trace_io::RankList::single(rank), paths_of(computing), paths_of(communicating)});
  return samples;
}

}  // namespace reprise::recorder
