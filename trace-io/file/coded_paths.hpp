// SPDX-License-Identifier: MIT
// Call paths as frames coded by context (FORMAT.md, "Coded call paths").
//
// What for  paths of deep programs are mostly the same functions calling the same functions: which frame is called from a return address is known from
//           where else in the tree of paths that address stands.
// How       a path leaves the one before at some depth; from there it follows frames that are in the tree already, then adds new ones. A new frame is, of those that the frame
//           above has called elsewhere, mostly the one latest used; else a frame known from elsewhere, else a new one, as distance to an address near it.
// Cost      some µs a new frame, whatever the number of frames that the one above it has called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "trace-io/file/context_coder.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

class CodedPaths {
 public:
  // Frames of all paths, at most: what is longer is not coded.
  static constexpr std::size_t kMostFrames = std::size_t{1} << 20;

  explicit CodedPaths(std::size_t modules) : nodes_(1), modules_(modules) {}
  // The next path: frames from the outermost to the innermost. Either direction: a coder that reads fills it.
  template <class Coder>
  void path(Coder&, std::vector<Frame>& outermost_first);
  // Of what was read: why it cannot be; empty where it can.
  const std::string& problem() const { return problem_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kMostCallees = 64;  // remembered of a frame
  static constexpr std::size_t kFewChildren = 64;  // looked at one by one
  struct Node {
    std::uint32_t frame = kNone;  // number; the root has none
    std::uint32_t parent = 0;
    std::vector<std::uint32_t> children;  // nodes, the latest used last
  };
  struct Known {
    Frame frame;
    std::vector<std::uint32_t> callees;  // frames, the latest used last
    std::uint32_t marked = 0;            // by the search that saw it last
  };

  // The child of a node that is on a path, or kNone. `left`: the child that the path does not take.
  template <class Coder>
  std::uint32_t existing_child(Coder&, std::uint32_t node, std::uint32_t left, const Frame* wanted);
  template <class Coder>
  std::uint32_t new_child(Coder&, std::uint32_t node, const Frame* wanted);
  template <class Coder>
  std::uint32_t callee(Coder&, std::uint32_t node, const Frame* wanted);
  template <class Coder>
  std::uint32_t known_frame(Coder&, std::uint32_t node, const Frame* wanted);
  template <class Coder>
  std::uint32_t new_frame(Coder&, std::uint32_t node, const Frame* wanted);
  std::vector<std::uint32_t>& callees_of(std::uint32_t node) {
    return nodes_[node].frame == kNone ? outermost_ : known_[nodes_[node].frame].callees;
  }
  bool has_many_children(std::uint32_t node) const {
    return nodes_[node].children.size() > kFewChildren;
  }
  // REQUIRES: has_many_children().
  bool has_child(std::uint32_t node, std::uint32_t frame) const {
    return calls_.contains(std::uint64_t{node} << 32U | frame);
  }
  bool has_child(std::uint32_t node, const Frame& frame) const;
  void add_child(std::uint32_t node, std::uint32_t child);
  // What contexts say of a node: the number of its frame, from 1.
  std::uint64_t frame_of(std::uint32_t node) const { return std::uint64_t{nodes_[node].frame + 1}; }
  std::uint64_t last_child_of(std::uint32_t node) const {
    return nodes_[node].children.empty() ? 0 : frame_of(nodes_[node].children.back());
  }
  bool is(std::uint32_t frame, const Frame* wanted) const {
    return wanted != nullptr && known_[frame].frame == *wanted;
  }

  std::vector<Node> nodes_;
  std::vector<Known> known_;
  std::vector<std::uint32_t> outermost_;  // callees of the root
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t>
      numbers_;                              // of known frames by module and offset
  std::unordered_set<std::uint64_t> calls_;  // node and frame of each child, where there are many
  std::vector<std::uint32_t> recent_;        // frames, the latest new or found elsewhere last
  // By the frame above and its last callee so far: the callee that came next, elsewhere in the tree.
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> followers_;
  std::uint32_t before_ = 0;  // node of the path before
  std::uint32_t search_ = 0;
  std::uint64_t last_up_ = 0, last_added_ = 0, last_frame_back_ = 0;
  std::size_t modules_ = 0;
  std::string problem_;
};

}  // namespace reprise::trace_io
