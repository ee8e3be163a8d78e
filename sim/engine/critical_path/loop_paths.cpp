// SPDX-License-Identifier: MIT
#include "sim/engine/critical_path/loop_paths.hpp"

#include <algorithm>
#include <utility>

namespace reprise::sim {

void LoopPaths::mark(std::uint32_t rank, Mark mark) {
  Rank& marked = ranks_[rank];
  if (path_.kept().anything()) {
    PathTree::Place& place = marked.places[static_cast<std::size_t>(mark)];
    const PathTree::Place old = place;
    place = path_.tree().hold(path_.place(rank));
    if (old != PathTree::kNowhere) path_.tree().release(old);
  }
  marked.slopes[static_cast<std::size_t>(mark)] = path_.slopes(rank);
  for (const auto known : {CriticalPath::Mark::entered, CriticalPath::Mark::begun}) {
    const auto at = static_cast<std::size_t>(known);
    if (mark == Mark::ended) marked.passed[at] = path_.marked(rank, known);
    if (at == static_cast<std::size_t>(mark)) marked.marks[at] = path_.mark(rank, known);
  }
  if (mark == Mark::ended) marked.ended = path_.time(rank);
}

void LoopPaths::clear() {
  for (Rank& rank : ranks_)
    for (PathTree::Place& place : rank.places)
      if (place != PathTree::kNowhere)
        path_.tree().release(std::exchange(place, PathTree::kNowhere));
}

LoopPaths::Marked LoopPaths::marked(CriticalPath::Mark mark) const {
  Marked marked;
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank)
    marked.try_emplace(ranks_[rank].marks[static_cast<std::size_t>(mark)], rank);
  return marked;
}

bool LoopPaths::walk(std::uint32_t rank, CriticalPath::Mark mark, const Marked& marked,
                     PathVector& way, std::uint32_t& origin) const {
  const auto found = marked.find(ranks_[rank].passed[static_cast<std::size_t>(mark)]);
  if (found != marked.end()) origin = found->second;
  if (!path_.kept().parts) return found != marked.end();
  const PathTree& tree = path_.tree();
  const PathTree::Place until = found == marked.end()
                                    ? PathTree::kNowhere
                                    : ranks_[origin].places[static_cast<std::size_t>(mark)];
  for (PathTree::Place place = ranks_[rank].places[static_cast<std::size_t>(Mark::ended)];
       place != until && place != PathTree::kNowhere; place = tree.parent(place))
    way.add(tree.stretch(place));
  return found != marked.end();
}

Slopes LoopPaths::grown(const Rank& from, Mark since, const Rank& to) {
  const Slopes& begun = from.slopes[static_cast<std::size_t>(since)];
  Slopes grown = to.slopes[static_cast<std::size_t>(Mark::ended)];
  grown.add(begun, -1);
  grown.blur = std::max(0.0, grown.blur - begun.blur);
  grown.drift = std::max(0.0, grown.drift - begun.drift);
  return grown;
}

// What messages that share links have added to the slopes in the period need not be what they add in every one.
void LoopPaths::jump_by(PathVector way, Slopes grown, double from, double span) {
  if (!is_about_same(grown.drift, grown.sum())) {
    grown.flaws |= SlopeFlaw::kUnsolved;
    grown.blur += grown.drift;
  }
  path_.jump(std::move(way), grown, from, span);
}

void LoopPaths::jump(bool is_exact, double from, double span) {
  std::uint32_t last = 0;
  for (std::uint32_t rank = 1; rank < ranks_.size(); ++rank)
    if (ranks_[rank].ended > ranks_[last].ended) last = rank;
  PathVector way;
  std::uint32_t origin = last;
  if (!is_exact) {
    const bool has_origin =
        walk(last, CriticalPath::Mark::entered, marked(CriticalPath::Mark::entered), way, origin);
    return jump_by(std::move(way),
                   has_origin ? grown(ranks_[origin], Mark::entered, ranks_[last])
                              : ranks_[last].slopes[static_cast<std::size_t>(Mark::ended)],
                   from, span);
  }
  // As many steps as there are ranks lead into the circle; then once round it.
  const Marked begun = marked(CriticalPath::Mark::begun);
  std::vector<char> met(ranks_.size());
  std::uint32_t at = last;
  for (; met[at] == 0; at = origin) {
    met[at] = 1;
    PathVector passed;
    if (!walk(at, CriticalPath::Mark::begun, begun, passed, origin)) {
      // Its path comes from messages that were sent before: then the whole stretch stands for the circle.
      return jump_by(std::move(passed), ranks_[at].slopes[static_cast<std::size_t>(Mark::ended)],
                     from, span);
    }
  }
  const std::uint32_t first = at;
  Slopes slopes;
  do {
    if (!walk(at, CriticalPath::Mark::begun, begun, way, origin)) break;
    const Slopes step = grown(ranks_[origin], Mark::begun, ranks_[at]);
    slopes.add(step, 1);
    slopes.blur += step.blur;
    slopes.drift += step.drift;
    slopes.flaws |= step.flaws;
    at = origin;
  } while (at != first);
  jump_by(std::move(way), slopes, from, span);
}

}  // namespace reprise::sim
