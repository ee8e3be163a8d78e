// SPDX-License-Identifier: MIT
// What the iterations consist of that fast-forward leaves out of a loop.
//
// Exact     where all ranks advance by λ a period, so do their paths: the path to rank r at the end of a watched period comes from some
//           rank o(r) at its begin. Following o leads into a circle, the critical circuit of the max-plus system (Baccelli et al.,
//           1992, §3.7), and what its stretches consist of, λ a period, is what the jump consists of. Of several circuits that take
//           λ it is that of the rank that is last.
// Drawn     what the path to the last rank consists of since the loop began, in the proportion of the times.
// Cost      two places a rank while a loop is watched; a walk along the circle a jump.
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
    double ended = 0;
  };
  using Marked = std::map<PathTree::Place, std::uint32_t>;  // the lowest rank that was there
  Marked marked(Mark mark) const;
  // From the rank's end of the period to the first of these places. False where the path passes none.
  bool walk(std::uint32_t rank, const Marked&, PathVector& way, std::uint32_t& origin) const;

  CriticalPath& path_;
  std::vector<Rank> ranks_;
};

}  // namespace reprise::sim
