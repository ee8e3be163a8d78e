// SPDX-License-Identifier: MIT
// Trees over 0 … size−1 by arithmetic alone: parent and children of one node in O(log size). The root is 0, but for
// in_order_binary, whose root is size − 1.
//
// After Open MPI 4.1.4, ompi/mca/coll/base/coll_base_topo.c (build_chain, build_tree, build_bmtree, build_in_order_bmtree,
// build_kmtree, build_in_order_bintree).
#pragma once

#include <bit>
#include <cstdint>

namespace reprise::sim {

enum class Shape : std::uint8_t {
  linear,           // the root's children are all others
  chain,            // `fanout` chains of nearly equal length start at the root
  binary,           // two children, the left subtree holds odd numbers, the right one even ones
  binomial,         // parent: without the lowest set bit; children from the smallest subtree up
  doubling,         // parent: without the highest set bit; children from the largest subtree down
  knomial,          // as binomial in base `fanout`; children from the largest subtree down
  in_order_binary,  // children cover what is right below the parent: operands stay in order
};

struct Tree {
  Shape shape = Shape::linear;
  std::int32_t v = 0, size = 1, fanout = 2;

  std::int32_t root() const { return shape == Shape::in_order_binary ? size - 1 : 0; }
  bool is_root() const { return v == root(); }
  std::int32_t parent() const;               // −1 for the root
  std::int32_t child(std::int32_t i) const;  // i = 0, 1 …; −1 where there are no more
};

// The binomial tree with its subtrees: node v's parent is v without its lowest set bit; its children are v + 2^k for 2^k below that
// bit (any 2^k for the root). A subtree is the contiguous range [v, v + 2^k) cut off at size.
struct BinomialNode {
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
