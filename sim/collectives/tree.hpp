// SPDX-License-Identifier: MIT
// The binomial tree over 0 … size−1 with root 0: node v's parent is v without its lowest set bit; its children are v + 2^k for
// 2^k below that bit (any 2^k for the root). A subtree is the contiguous range [v, v + 2^k) cut off at size.
#pragma once

#include <bit>
#include <cstdint>

namespace reprise::sim {

struct TreeNode {
  std::int32_t v = 0, size = 1;

  bool is_root() const { return v == 0; }
  std::int32_t parent() const { return v & (v - 1); }
  // Levels below the node: its children are v + 2^0 … v + 2^(levels−1), those that exist.
  std::int32_t levels() const {
    return is_root()
               ? static_cast<std::int32_t>(std::bit_width(static_cast<std::uint32_t>(size - 1)))
               : std::countr_zero(static_cast<std::uint32_t>(v));
  }
  std::int32_t child_count() const {
    std::int32_t count = 0;
    while (count < levels() && v + (std::int32_t{1} << count) < size) ++count;
    return count;
  }
  std::int32_t child(std::int32_t k) const {
    return v + (std::int32_t{1} << k);
  }  // k = 0: the leaf
  // How many nodes are in this node's subtree.
  std::int32_t subtree() const {
    const std::int32_t whole = std::int32_t{1} << levels();
    return whole < size - v ? whole : size - v;
  }
};

}  // namespace reprise::sim
