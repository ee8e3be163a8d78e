// SPDX-License-Identifier: MIT
// Whether two consecutive pieces of a program are the same code executed twice, and making one piece of them.
//
// Same    leaves of one site; loops whose bodies are the same; a loop and its body written out (executed once). Iterations,
//         exits and field values are free.
// Flat    at the top level, where every node is executed once, several nodes may become a loop. Inside a loop's body only
//         single nodes may: the exits of that body count its nodes.
// Cost    O(leaves of both).
#pragma once

#include <span>

#include "trace-io/compress/fold_node.hpp"

namespace reprise::trace_io {

struct FoldRange {
  std::span<const std::unique_ptr<FoldNode>> nodes;
  bool flat;
};

bool alike(FoldRange earlier, FoldRange later);

// Appends the executions of `later` to those of `earlier`. REQUIRES: alike().
FoldBody united(FoldBody earlier, FoldBody later);

}  // namespace reprise::trace_io
