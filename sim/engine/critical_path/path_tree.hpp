// SPDX-License-Identifier: MIT
// The paths that led to the events which something still refers to, as a tree: what two of them have in common is kept once.
//
// Place     the end of a path: a node of the tree. Its path is the nodes from the root to it, each with a vector of what its stretch
//           consists of. Whoever refers to a place holds it; a place that nobody holds, and from which no path goes on, is forgotten.
// Small     a node that nobody holds and from which one path goes on is joined with the next node. So a tree with n places held has
//           fewer than 2n nodes, however many events there were: the paths of all ranks meet a few iterations back, and from there
//           on there is one node. (As the ancestors in a population's genealogy: Kingman, "The coalescent", 1982.)
// Cost      O(1) per call, joining included: a vector goes into a longer one, so an entry moves O(log) times.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/critical_path/path_steps.hpp"
#include "sim/engine/critical_path/path_vector.hpp"

namespace reprise::sim {

class PathTree {
 public:
  using Place = std::uint32_t;
  static constexpr Place kNowhere = ~Place{0};

  Place begin() { return make(kNowhere); }  // a path of its own, held once
  Place hold(Place place) {
    ++nodes_[place].holders;
    return place;
  }
  void release(Place place);
  // A place whose vector may be added to by its one holder, who gives up PLACE for it.
  Place extend(Place place) {
    if (nodes_[place].holders == 1 && nodes_[place].children == 0) return place;
    return branch(place);
  }
  PathVector& stretch(Place place) { return nodes_[place].stretch; }  // REQUIRES: from extend()
  const PathVector& stretch(Place place) const { return nodes_[place].stretch; }
  // What the stretch of a place does in a window, step by step.
  void add_step(Place place, const PathStep& step) { steps_.add(nodes_[place].steps, step); }
  std::vector<PathStep> steps(Place place) const { return steps_.steps(nodes_[place].steps); }
  std::size_t step_count() const { return steps_.size(); }
  Place parent(Place place) const { return nodes_[place].parent; }  // kNowhere: the path's begin

  std::size_t size() const { return nodes_.size() - free_.size(); }
  template <class Changed>
  void rename_keys(const Changed& changed) {
    for (Node& node : nodes_) node.stretch.rename(changed);
  }

 private:
  struct Node {
    Place parent = kNowhere;
    std::uint32_t holders = 0, children = 0;
    Place child = 0;  // exclusive or of all children: the child where there is one
    PathSteps::List steps;
    PathVector stretch;
  };
  Place make(Place parent);
  Place branch(Place place);
  void tidy(Place place);

  std::vector<Node> nodes_;
  std::vector<Place> free_;
  PathSteps steps_;
};

}  // namespace reprise::sim
