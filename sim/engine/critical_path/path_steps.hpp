// SPDX-License-Identifier: MIT
// The steps of paths inside a window of the run: who is on the path from when to when, and what for.
//
// Kept     as one list for each node of the tree of paths (path_tree.hpp): where two nodes become one, so do their lists, and the list of a
//          node that is forgotten is dropped. So only steps of paths that may still be the longest are there: about as many as one path
//          has in the window, and those since the ranks' paths met.
// Cost     O(1) a step for all operations together; 40 bytes a step.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/critical_path/path_parts.hpp"

namespace reprise::sim {

struct PathStep {
  std::int32_t rank = 0;  // of a message: the one that it, or the request for it, came from
  PathPart part = PathPart::other;
  trace_io::SiteId site = trace_io::kNoSite;
  double from = 0, to = 0;  // s
};

class PathSteps {
 public:
  struct List {
    std::uint32_t first = kNone, last = kNone;
  };

  // Goes on with the last step where that is the same but for its end.
  void add(List& list, const PathStep& step);
  List joined(List earlier, List later);
  void drop(List& list);  // it is empty afterwards
  std::vector<PathStep> steps(List list) const;
  std::size_t size() const { return rows_.size() - free_count_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Row {
    PathStep step;
    std::uint32_t next = kNone;
  };
  std::vector<Row> rows_;
  std::uint32_t free_ = kNone;  // rows that nothing needs, as a list
  std::size_t free_count_ = 0;
};

}  // namespace reprise::sim
