// SPDX-License-Identifier: MIT
// Trees over 0 … size−1 by arithmetic alone: parent and children of one node in O(log size). The root is 0, but for
// in_order_binary, whose root is size − 1.
//
// After Open MPI 4.1.4, ompi/mca/coll/base/coll_base_topo.c (build_chain, build_tree, build_bmtree, build_in_order_bmtree,
// build_kmtree, build_in_order_bintree).
#pragma once

#include <cstdint>

namespace reprise::sim {

enum class Shape : std::uint8_t {
  linear,           // the root's children are all others
  chain,            // `fanout` chains of nearly equal length hang on the root
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

}  // namespace reprise::sim
