// SPDX-License-Identifier: MIT
#include "trace-io/walk/rank_groups.hpp"

#include <algorithm>

namespace reprise::trace_io {

RankGroups::RankGroups(std::int32_t ranks)
    : group_of_(static_cast<std::size_t>(ranks), 0),
      sizes_{static_cast<std::uint32_t>(ranks)},
      members_{0},
      rest_{0} {}

RankGroups::Known* RankGroups::known(const RankList& list) {
  const auto found = lists_.find(list.hash());
  if (found == lists_.end()) return nullptr;
  for (auto& candidate : found->second)
    if (candidate.list == list) return &candidate;
  return nullptr;
}

void RankGroups::refine(const RankList& list) {
  if (known(list)) return;
  lists_[list.hash()].push_back({list, false, {}});
  if (list.size() == static_cast<std::int32_t>(group_of_.size())) return;
  const auto ranks = list.ranks();
  for (const Rank rank : ranks) ++members_[group_of(rank)];
  for (const Rank rank : ranks) {
    const std::uint32_t group = group_of(rank);
    if (members_[group] == 0) continue;  // wholly in the list, or made just now
    if (members_[group] == sizes_[group]) {
      members_[group] = 0;
      continue;
    }
    if (rest_[group] == 0) {
      rest_[group] = static_cast<std::uint32_t>(sizes_.size());
      sizes_.push_back(0);
      members_.push_back(0);
      rest_.push_back(0);
    }
    const std::uint32_t split = rest_[group];
    group_of_[static_cast<std::size_t>(rank.value)] = split;
    ++sizes_[split];
    --sizes_[group];
    if (--members_[group] == 0) rest_[group] = 0;
  }
}

std::span<const std::uint32_t> RankGroups::groups_in(const RankList& list) {
  Known& found = *known(list);
  if (!found.has_groups) {
    for (const Rank rank : list.ranks()) {
      const std::uint32_t group = group_of(rank);
      if (members_[group]++ == 0) found.groups.push_back(group);
    }
    for (const auto group : found.groups) members_[group] = 0;
    std::ranges::sort(found.groups);
    found.has_groups = true;
  }
  return found.groups;
}

}  // namespace reprise::trace_io
