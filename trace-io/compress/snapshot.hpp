// SPDX-License-Identifier: MIT
// The program folded so far as nodes of a trace. Cost: O(its size); the folding goes on undisturbed.
#pragma once

#include <vector>

#include "trace-io/compress/fold_node.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

std::vector<Node> snapshot(const FoldBody&, const RankList& rank);
std::size_t memory_bytes(const FoldBody&);
// Coarsens all distributions to at most so many bins.
void coarsen(const FoldBody&, std::uint32_t bins);

}  // namespace reprise::trace_io
