// SPDX-License-Identifier: MIT
// Which nodes of two node lists become one.
//
// What    pairs in ascending order on both sides, so that either side's order survives; every pair is worth something (match_worth).
// How     equal heads and tails are paired; a middle of at most kAlignWork pairs of nodes is aligned for the greatest total
//         worth; a larger one is cut up first, by the longest common subsequence of equal nodes where the sides differ little,
//         else at the equal nodes that are unique on both sides (Cohen's patience difference). What remains too large after
//         that stays apart.
// Cost    linear for equal lists, O(n log n + cut pieces · kAlignWork) otherwise.
// Source  Noeth et al., IPDPS 2007, for the aim; Needleman and Wunsch 1970 for the middle.
#pragma once

#include <span>

#include "trace-io/merge/node_shape.hpp"
#include "trace-io/merge/shortest_edit.hpp"

namespace reprise::trace_io {

inline constexpr std::size_t kAlignWork = 1 << 16;

IndexPairs aligned(std::span<const NodeShape> a, std::span<const NodeShape> b);

}  // namespace reprise::trace_io
