// SPDX-License-Identifier: MIT
// Short lists by small numbers, as the links that each flow crosses: all in one array, none allocated for itself.
//
// Memory  4 bytes a list, and for each as many places as the longest has had, rounded up to a power of two.
// Cost    a list begins at a place that its number tells: a cache line, and no pointer to follow.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "sim/fetch.hpp"
#include "sim/network/large_pages.hpp"

namespace reprise::sim {

template <class Thing>
class ShortLists {
 public:
  using Index = std::uint32_t;

  // Of a list that was cleared once. Valid until a list becomes longer than any was, or one of a higher number is cleared.
  std::span<Thing> operator[](Index list) { return {begin(list), counts_[list]}; }
  std::span<const Thing> operator[](Index list) const {
    return {things_.data() + std::size_t{list} * stride_, counts_[list]};
  }
  // Empties the list, which need not have been there.
  void clear(Index list) {
    if (list >= counts_.size()) {
      counts_.resize(list + std::size_t{1});
      things_.resize(counts_.size() * stride_);
    }
    counts_[list] = 0;
  }
  // REQUIRES: cleared once.
  void add(Index list, const Thing& thing) {
    if (counts_[list] == stride_) widen();
    begin(list)[counts_[list]++] = thing;
  }
  void remove_last(Index list) { --counts_[list]; }
  // The list will soon be asked for (sim/fetch.hpp).
  void prepare(Index list) const {
    prefetch(things_.data() + std::size_t{list} * stride_);
    prefetch(counts_.data() + list);
  }

 private:
  Thing* begin(Index list) { return things_.data() + std::size_t{list} * stride_; }
  void widen() {
    LargeArray<Thing> wider(2 * things_.size());
    for (std::size_t list = 0; list < counts_.size(); ++list)
      std::copy_n(things_.begin() + static_cast<std::ptrdiff_t>(list * stride_), counts_[list],
                  wider.begin() + static_cast<std::ptrdiff_t>(2 * list * stride_));
    things_ = std::move(wider);
    stride_ *= 2;
  }

  std::size_t stride_ = 4;
  LargeArray<Thing> things_;
  LargeArray<std::uint32_t> counts_;
};

}  // namespace reprise::sim
