// SPDX-License-Identifier: MIT
#include "sim/engine/critical_path/loop_paths.hpp"

#include <utility>

namespace reprise::sim {

void LoopPaths::mark(std::uint32_t rank, Mark mark) {
  PathTree::Place& place = ranks_[rank].places[static_cast<std::size_t>(mark)];
  const PathTree::Place old = place;
  place = path_.tree().hold(path_.place(rank));
  if (old != PathTree::kNowhere) path_.tree().release(old);
  if (mark == Mark::ended) ranks_[rank].ended = path_.time(rank);
}

void LoopPaths::clear() {
  for (Rank& rank : ranks_)
    for (PathTree::Place& place : rank.places)
      if (place != PathTree::kNowhere)
        path_.tree().release(std::exchange(place, PathTree::kNowhere));
}

LoopPaths::Marked LoopPaths::marked(Mark mark) const {
  Marked marked;
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank)
    marked.try_emplace(ranks_[rank].places[static_cast<std::size_t>(mark)], rank);
  return marked;
}

bool LoopPaths::walk(std::uint32_t rank, const Marked& marked, PathVector& way,
                     std::uint32_t& origin) const {
  const PathTree& tree = path_.tree();
  for (PathTree::Place place = ranks_[rank].places[static_cast<std::size_t>(Mark::ended)];
       place != PathTree::kNowhere; place = tree.parent(place)) {
    if (const auto found = marked.find(place); found != marked.end()) {
      origin = found->second;
      return true;
    }
    way.add(tree.stretch(place));
  }
  return false;
}

void LoopPaths::jump(bool is_exact, double from, double span) {
  std::uint32_t last = 0;
  for (std::uint32_t rank = 1; rank < ranks_.size(); ++rank)
    if (ranks_[rank].ended > ranks_[last].ended) last = rank;
  PathVector way;
  std::uint32_t origin = last;
  if (!is_exact) {
    walk(last, marked(Mark::entered), way, origin);
    return path_.jump(std::move(way), from, span);
  }
  // As many steps as there are ranks lead into the circle; then once round it.
  const Marked begun = marked(Mark::begun);
  std::vector<char> met(ranks_.size());
  std::uint32_t at = last;
  for (; met[at] == 0; at = origin) {
    met[at] = 1;
    PathVector passed;
    if (!walk(at, begun, passed, origin)) {
      // Its path comes from messages that were sent before: then the whole stretch stands for the circle.
      return path_.jump(std::move(passed), from, span);
    }
  }
  const std::uint32_t first = at;
  do {
    if (!walk(at, begun, way, origin)) break;
    at = origin;
  } while (at != first);
  path_.jump(std::move(way), from, span);
}

}  // namespace reprise::sim
