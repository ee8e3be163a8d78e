// SPDX-License-Identifier: MIT
// What the iterations consist of that fast-forward leaves out of a loop.
//
// Exact     where all ranks advance by λ a period, so do their paths: the path to rank r at the end of a watched period comes from some
//           rank o(r) at its begin. Following o leads into a circle, the critical circuit of the max-plus system (Baccelli et al.,
//           1992, §3.7), and what its stretches consist of, λ a period, is what the jump consists of. Of several circuits that take
//           λ it is that of the rank that is last.
// Slopes    grow along the circle as its ends do. What messages that share links add to that need not be what they add in every
//           period: then the slopes are no longer those of a small change, and as far off as the two differ.
// Drawn     what the path to the last rank consists of since the loop began, in the proportion of the times.
// Cost      two places, and three times the slopes, a rank while a loop is watched; a walk along the circle a jump.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/engine/critical_path/critical_path.hpp"

namespace reprise::sim {

class LoopPaths {
 public:
  LoopPaths(CriticalPath& path, std::size_t ranks) : path_(path), ranks_(ranks) {}
  ~LoopPaths() { clear(); }
  LoopPaths(const LoopPaths&) = delete;
  LoopPaths& operator=(const LoopPaths&) = delete;

  enum class Mark : std::uint8_t { entered, begun, ended };  // the loop; a watched period
  // The rank, whose actor has its number, is there now.
  void mark(std::uint32_t rank, Mark mark);
  // All ranks have ended the period: SPAN seconds are left out from FROM on.
  void jump(bool is_exact, double from, double span);
  void clear();

 private:
  struct Rank {
    PathTree::Place places[3] = {PathTree::kNowhere, PathTree::kNowhere, PathTree::kNowhere};
    Slopes slopes[3];
    std::uint32_t marks[2] = {},
                  passed[2] = {};  // by CriticalPath::Mark: here, on the way to the end
    double ended = 0;
  };
  static Slopes grown(const Rank& from, Mark since, const Rank& to);
  using Marked = std::map<std::uint32_t, std::uint32_t>;  // the rank that was there
  Marked marked(CriticalPath::Mark mark) const;
  void jump_by(PathVector way, Slopes grown, double from, double span);
  // From the rank's end of the period to the last of these marks that its path has passed. False where it has passed none.
  bool walk(std::uint32_t rank, CriticalPath::Mark, const Marked&, PathVector& way,
            std::uint32_t& origin) const;

  CriticalPath& path_;
  std::vector<Rank> ranks_;
};

}  // namespace reprise::sim
