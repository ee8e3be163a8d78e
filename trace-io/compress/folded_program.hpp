// SPDX-License-Identifier: MIT
// The top level of a thread's program, and the search for a tail that repeats what stands before it.
//
// How     an earlier node that ends as the program does now is a candidate for the end of the first copy. Near ones, at most kNear
//         nodes back, are those that end with the same site; far ones, at any distance, those after the same 64 leaves
//         (tail_index.hpp). The leaf strings (fold_node.hpp) of both copies are compared by prefix hashes, then the structure.
// Cost    append: two look-ups. fold: most near candidates are ruled out by their tails, one comparison each; the others cost
//         O(log nodes), and O(leaves of both) where it succeeds or the strings are equal. After strings that were equal and
//         unlike in structure, no far candidate is looked at for as many calls as that took.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "trace-io/compress/fold_node.hpp"
#include "trace-io/compress/tail_index.hpp"

namespace reprise::trace_io {

class FoldedProgram {
 public:
  static constexpr std::size_t kNear = 1024;
  // In a program of few sites many ends are candidates; a period of 100 over two sites has 50 of them.
  static constexpr int kNearCandidates = 64, kFarCandidates = 8;

  // `iterations`: of loops, where they are to be recorded.
  explicit FoldedProgram(std::optional<IterationClustering::Settings> iterations)
      : iterations_(iterations) {}

  void append(std::unique_ptr<FoldNode>);
  void record_no_iterations() { iterations_.reset(); }
  // Makes a loop of the last two copies at the end, if there are two. The loop's open execution stands behind its second pass.
  bool fold();

  // The last loop that has the site somewhere, if no node behind it shares a site with it: control has only made a detour then,
  // through the nodes behind. Null where there is none, or the detour is longer than kNear leaves.
  FoldNode* loop_before_detour(SiteId) const;
  // Takes that loop and the detour out. The loop, changed so that it has the detour in it, is to be put back.
  FoldBody take_from(const FoldNode& loop);
  void put_back(std::unique_ptr<FoldNode> loop);

  // Frees what only append() and fold() need, and of every node what grew beyond what it holds.
  void settle();
  // Makes that again, where it was freed: REQUIRED before any of append(), loop_before_detour() and take_from() that follows settle().
  void resume() {
    if (places_.size() != nodes_.size()) [[unlikely]]
      make_tables();
  }

  bool empty() const { return nodes_.empty(); }
  FoldNode& back() { return *nodes_.back(); }
  const FoldBody& nodes() const { return nodes_; }
  std::size_t memory_bytes() const;  // beside the nodes

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  // One of each site, kNone at first. Sites are numbered as they come: a table of all takes less than those that have one, looked up by a hash.
  class PlacesOfSites {
   public:
    std::size_t& operator[](SiteId site) {
      if (site >= places_.size()) places_.resize(std::size_t{site} + 1, kNone);
      return places_[site];
    }
    std::size_t find(SiteId site) const { return site < places_.size() ? places_[site] : kNone; }
    std::size_t memory_bytes() const { return places_.capacity() * sizeof places_.front(); }

   private:
    std::vector<std::size_t> places_;
  };
  // Of one node: the leaf string before it, and the node before it that ends with the same site.
  struct Place {
    std::uint64_t length_before, hash_before;
    std::size_t previous;
    bool is_shared = false;  // a later node has one of its sites
  };

  bool fold_at(std::size_t first_copy_end);
  bool may_repeat(std::size_t first_copy_end) const;
  std::size_t first_copy_start(std::size_t first_copy_end) const;
  void fold(std::size_t first_start, std::size_t second_start);
  void note_sites(const FoldNode&, std::size_t place);
  void move_sites(const FoldNode&, std::size_t place);
  void add(std::unique_ptr<FoldNode>);
  void add_place(const FoldNode&);
  void make_tables();
  void drop_tables();
  std::unique_ptr<FoldNode> take_back();

  std::optional<IterationClustering::Settings> iterations_;
  FoldBody nodes_;
  std::vector<Place> places_;
  TailIndex tails_;
  std::uint64_t length_ = 0, hash_ = 0, tail_ = 0;
  std::uint64_t appended_ = 0,
                far_from_ = 0;  // far candidates are looked at from that many appended nodes on
  PlacesOfSites latest_;        // node that ends with a site
  PlacesOfSites
      last_with_site_;  // last node that has a site; every site of a node taken out comes back
};

}  // namespace reprise::trace_io
