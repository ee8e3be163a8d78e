// SPDX-License-Identifier: MIT
// Unions of rank lists, remembered for the duration of one merge.
//
// Why     a regular program repeats one and the same pair of rank lists on every node, field and delta class of both
//         sides: each pair is united once, and the results share storage.
// Cost    O(1) for a pair met before, least for the latest; else that of RankList::united.
#pragma once

#include <algorithm>
#include <cstddef>
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
  // Those united so far, and how many they will be when everybody who sends to this rank has done so.
  void foresee(std::int32_t so_far, std::int32_t in_the_end) {
    so_far_ = so_far;
    in_the_end_ = in_the_end;
  }
  // For how many ranks to make room where something is kept for each rank of the union: what all ranks have will grow.
  std::size_t room(const RankList& a, const RankList& b) const {
    const std::int32_t both = a.size() + b.size();
    return static_cast<std::size_t>(a.size() == so_far_ ? std::max(both, in_the_end_) : both);
  }
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
  std::int32_t so_far_ = 0, in_the_end_ = 0;  // 0: not known
};

}  // namespace reprise::trace_io
