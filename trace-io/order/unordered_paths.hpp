// SPDX-License-Identifier: MIT
// Why paths into calls of a finished trace have no order of their compute times: as far as their times tell.
//
// Each     path is counted at the first of these that is true of it. A trace no longer has the logs by which order_fit.hpp decided: of what is left over it
//          does not say whether the order did not matter to a replay (kEnough), or no step fit into the bytes.
// Cost     O(paths).
#pragma once

#include <cstdint>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

struct UnorderedPaths {
  static constexpr double kBriefShare =
      0.001;  // of what the ranks compute, in the mean over those of the path

  std::uint64_t once = 0;      // on each rank: there is nothing to order
  std::uint64_t constant = 0;  // always the same time
  std::uint64_t brief = 0;     // less than kBriefShare
  std::uint64_t others = 0;
};
UnorderedPaths unordered_paths(const Trace&);

}  // namespace reprise::trace_io
