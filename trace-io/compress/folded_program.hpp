// SPDX-License-Identifier: MIT
// The top level of a thread's program, and the search for a tail that repeats what stands before it.
//
// How     nodes that end with the same site are chained; each earlier end is a candidate for the end of the first copy. The
//         leaf strings (fold_node.hpp) of both copies are compared by prefix hashes, then the structure is.
// Cost    append: one hash look-up. fold: at most kCandidates × O(log nodes), and O(leaves of both copies) where it succeeds
//         or the strings are equal.
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include "trace-io/compress/fold_node.hpp"

namespace reprise::trace_io {

class FoldedProgram {
 public:
  // In a program of few sites many ends are candidates; a period of 100 over two sites has 50 of them.
  static constexpr int kCandidates = 64;

  // `iterations`: of loops, where they are to be recorded.
  FoldedProgram(std::size_t window, std::optional<IterationClustering::Settings> iterations)
      : window_(window), iterations_(iterations) {}

  void append(std::unique_ptr<FoldNode>);
  void record_no_iterations() { iterations_.reset(); }
  // Makes a loop of the last two copies at the end, if there are two. The loop's open execution stands behind its second pass.
  bool fold();

  // The last loop that has the site somewhere, if no node behind it shares a site with it: control has only made a detour then,
  // through the nodes behind. Null where there is none.
  FoldNode* loop_before_detour(SiteId) const;
  // Takes that loop and the detour out. The loop, changed so that it can have the detour in it, is to be appended again.
  FoldBody take_from(const FoldNode& loop);

  bool empty() const { return nodes_.empty(); }
  FoldNode& back() { return *nodes_.back(); }
  const FoldBody& nodes() const { return nodes_; }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  // Of one node: the leaf string before it, and the node before it that ends with the same site.
  struct Place {
    std::uint64_t length_before, hash_before;
    std::size_t previous;
    bool is_shared = false;  // a later node has one of its sites
  };

  std::size_t first_copy_start(std::size_t first_copy_end) const;
  void fold(std::size_t first_start, std::size_t second_start);
  void note_sites(const FoldNode&, std::size_t place);
  std::unique_ptr<FoldNode> take_back();

  std::size_t window_;
  std::optional<IterationClustering::Settings> iterations_;
  FoldBody nodes_;
  std::vector<Place> places_;
  std::uint64_t length_ = 0, hash_ = 0;
  std::unordered_map<SiteId, std::size_t> latest_;  // node that ends with a site
  std::unordered_map<SiteId, std::size_t>
      last_with_site_;  // last node that has a site; every site of a node taken out comes back
};

}  // namespace reprise::trace_io
