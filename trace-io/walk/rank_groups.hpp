// SPDX-License-Identifier: MIT
// Ranks that are members of exactly the same ones of some rank lists, found by partition refinement.
//
// Cost    O(members of the distinct lists); equal lists are looked at once.
// Source  partition refinement: Paige and Tarjan, SIAM J. Comput. 16(6), 1987.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "trace-io/model/rank_list.hpp"

namespace reprise::trace_io {

class RankGroups {
 public:
  explicit RankGroups(std::int32_t ranks);
  void refine(const RankList&);  // before any look-up of groups_in()

  std::uint32_t group_of(Rank rank) const {
    return group_of_[static_cast<std::size_t>(rank.value)];
  }
  std::size_t count() const { return sizes_.size(); }
  // The groups whose ranks are in the list, ascending. REQUIRES: refine() was called with an equal list.
  std::span<const std::uint32_t> groups_in(const RankList&);

 private:
  struct Known {
    RankList list;
    bool has_groups = false;
    std::vector<std::uint32_t> groups;
  };
  Known* known(const RankList&);

  std::vector<std::uint32_t> group_of_;
  std::vector<std::uint32_t> sizes_;    // by group
  std::vector<std::uint32_t> members_;  // by group, of the list at hand; all 0 between calls
  std::vector<std::uint32_t> rest_;     // by group that is being split: the new group
  std::unordered_map<std::uint64_t, std::vector<Known>> lists_;  // by hash
};

}  // namespace reprise::trace_io
