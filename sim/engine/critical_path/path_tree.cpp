// SPDX-License-Identifier: MIT
#include "sim/engine/critical_path/path_tree.hpp"

namespace reprise::sim {

PathTree::Place PathTree::make(Place parent) {
  Place made = 0;
  if (free_.empty()) {
    made = static_cast<Place>(nodes_.size());
    nodes_.emplace_back();
  } else {
    made = free_.back();
    free_.pop_back();
  }
  Node& node = nodes_[made];
  node.parent = parent;
  node.holders = 1;
  node.children = 0;
  node.child = 0;
  if (parent != kNowhere) {
    ++nodes_[parent].children;
    nodes_[parent].child ^= made;
  }
  return made;
}

PathTree::Place PathTree::branch(Place place) {
  const Place made = make(place);
  release(place);  // if nobody else held it, it has two paths that go on, and stays
  return made;
}

void PathTree::release(Place place) {
  --nodes_[place].holders;
  tidy(place);
}

// Forgets nodes that nobody needs, from PLACE towards the root, and joins one from which one path goes on.
void PathTree::tidy(Place place) {
  while (place != kNowhere && nodes_[place].holders == 0) {
    Node& node = nodes_[place];
    const Place parent = node.parent;
    if (node.children > 1) return;
    if (node.children == 1) {
      Node& next = nodes_[node.child];
      next.parent = parent;
      next.stretch.absorb(node.stretch);
      next.steps = steps_.joined(node.steps, next.steps);
      node.steps = {};
      if (parent != kNowhere) nodes_[parent].child ^= place ^ node.child;
      free_.push_back(place);
      return;
    }
    node.stretch.clear();
    steps_.drop(node.steps);
    free_.push_back(place);
    if (parent == kNowhere) return;
    --nodes_[parent].children;
    nodes_[parent].child ^= place;
    place = parent;
  }
}

}  // namespace reprise::sim
