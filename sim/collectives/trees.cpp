// SPDX-License-Identifier: MIT
#include "sim/collectives/trees.hpp"

#include <algorithm>
#include <bit>

namespace reprise::sim {
namespace {

std::int32_t highest_bit(std::int32_t v) {
  return static_cast<std::int32_t>(std::bit_floor(static_cast<std::uint32_t>(v)));
}

// The chains below the root: the first `longer` of them have `length` nodes, the others one less.
struct Chains {
  std::int32_t count, length, longer;
  explicit Chains(const Tree& tree)
      : count(std::clamp(tree.fanout, 1, std::max(1, tree.size - 1))),
        length((tree.size - 1 + count - 1) / count),
        longer((tree.size - 1) % count == 0 ? count : (tree.size - 1) % count) {}
  std::int32_t head(std::int32_t column) const {
    return 1 + std::min(column, longer) * length + std::max(0, column - longer) * (length - 1);
  }
  bool is_head(std::int32_t v) const {
    const std::int32_t in_longer = longer * length;
    return v - 1 < in_longer ? (v - 1) % length == 0 : (v - 1 - in_longer) % (length - 1) == 0;
  }
};

// 2^level of a node of the binary tree: 1 for the root, 2 for nodes 1 and 2, 4 for 3 … 6.
std::int32_t level_size(std::int32_t v) { return highest_bit(v + 1); }

// The largest power of the fan-out that divides v; for the root the first one that is not below size.
std::int32_t span_of(const Tree& tree) {
  std::int32_t span = 1;
  while (span < tree.size && tree.v % (span * tree.fanout) == 0) span *= tree.fanout;
  return span;
}

struct InOrder {
  std::int32_t parent = -1, left = -1, right = -1;
  // Walks down from the root: each subtree is a range whose last node is its root.
  explicit InOrder(const Tree& tree) {
    std::int32_t begin = 0, size = tree.size;
    for (;;) {
      const std::int32_t top = begin + size - 1, low = size / 2;
      if (tree.v == top) {
        if (size > 1) left = top - 1;
        if (size > 2) right = begin + low - 1;
        return;
      }
      parent = top;
      if (size > 2 && tree.v < begin + low) {
        size = low;
      } else {
        if (size > 2) begin += low;
        size = top - begin;
      }
    }
  }
};

}  // namespace

std::int32_t Tree::parent() const {
  if (is_root()) return -1;
  switch (shape) {
    case Shape::linear:
      return 0;
    case Shape::chain:
      return Chains(*this).is_head(v) ? 0 : v - 1;
    case Shape::binary: {
      const std::int32_t half = level_size(v) / 2;
      return v - half < level_size(v) - 1 ? v - half : v - 2 * half;
    }
    case Shape::binomial:
      return v & (v - 1);
    case Shape::doubling:
      return v - highest_bit(v);
    case Shape::knomial: {
      const std::int32_t above = span_of(*this) * fanout;
      return v / above * above;
    }
    case Shape::in_order_binary:
      return InOrder(*this).parent;
  }
  return -1;
}

std::int32_t Tree::child(std::int32_t i) const {
  std::int32_t found = -1;
  switch (shape) {
    case Shape::linear:
      found = v == 0 ? i + 1 : -1;
      break;
    case Shape::chain: {
      const Chains chains(*this);
      if (v == 0) {
        found = i < chains.count ? chains.head(i) : -1;
      } else if (i == 0 && v + 1 < size && !chains.is_head(v + 1)) {
        found = v + 1;
      }
      break;
    }
    case Shape::binary:
      found = i < 2 ? v + (i + 1) * level_size(v) : -1;
      break;
    case Shape::binomial: {
      const bool exists = i < 31 && (v == 0 || (1 << i) < (v & -v));
      found = exists && (1 << i) < size - v ? v + (1 << i) : -1;
      break;
    }
    case Shape::doubling: {
      const std::int32_t first =
          v == 0 ? 0 : static_cast<std::int32_t>(std::bit_width(static_cast<std::uint32_t>(v)));
      found = first + i < 31 && (1 << (first + i)) < size - v ? v + (1 << (first + i)) : -1;
      break;
    }
    case Shape::knomial:
      for (std::int32_t span = span_of(*this) / fanout; span > 0; span /= fanout)
        for (std::int32_t r = 1; r < fanout; ++r)
          if (v + span * r < size && i-- == 0) return v + span * r;
      break;
    case Shape::in_order_binary: {
      const InOrder place(*this);
      return i == 0 ? place.left : i == 1 ? place.right : -1;
    }
  }
  return found < size ? found : -1;
}

}  // namespace reprise::sim
