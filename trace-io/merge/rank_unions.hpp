// SPDX-License-Identifier: MIT
// Unions of rank lists, remembered for the duration of one merge.
//
// Why     a regular program repeats one and the same pair of rank lists on every node, field and delta class of both
//         sides: each pair is united once, and the results share storage.
// Cost    O(1) for a pair met before, least for the latest; else that of RankList::united.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "trace-io/model/rank_list.hpp"

namespace reprise::trace_io {

class RankUnions {
 public:
  RankList united(const RankList& a, const RankList& b);
  // For each rank of the union, ascending: whether it is one of b's. Cost: O(ranks) when first asked for.
  const std::vector<bool>& is_of_b(const RankList& a, const RankList& b);
  // Whether all ranks of b are above those of a. REQUIRES: they are disjoint.
  bool is_behind(const RankList& a, const RankList& b);

 private:
  struct Known {
    RankList a, b, both;
    std::vector<bool> is_of_b;
    std::optional<bool> is_behind{};
  };
  Known& known(const RankList& a, const RankList& b);
  static const std::vector<bool>& is_of_b(Known&);

  std::unordered_map<std::uint64_t, std::vector<std::unique_ptr<Known>>>
      known_;  // looked up only, never iterated
  Known* latest_ = nullptr;
};

}  // namespace reprise::trace_io
