// SPDX-License-Identifier: MIT
// Ranks on nodes by halves: the nodes are cut in two along the topology's groups, the ranks so that little crosses the cut, and so on in each half.
//
// Cut        between groups of the largest size of which the nodes have several, near the middle.
// Ranks      a half grows from a random rank, next the one that exchanges most with it; the first attempt takes the ranks as numbered. Then
//            ranks change sides, the best first, each once; the state with the least cut stays, until a pass saves nothing
//            (Fiduccia, Mattheyses, "A Linear-Time Heuristic for Improving Network Partitions", DAC 1982). The best attempt stays.
// Beyond     what a rank exchanges with ranks outside these nodes draws it to the half that is nearer to them
//            (Dunlop, Kernighan, "A Procedure for Placement of Standard-Cell VLSI Circuits", IEEE TCAD 4, 1985).
// Cost       O(pairs · log ranks) for a pass, up to kPasses of them in each of the attempts, log2(nodes) times; memory: the ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "platforms/node_distances.hpp"

namespace reprise::platforms {

// What a rank exchanges with another.
struct Partner {
  std::uint32_t rank;
  double out, in;  // bytes
};
using Partners = std::vector<std::vector<Partner>>;  // by rank, ascending

class RankBisection {
 public:
  // ROOM: ranks for each of the nodes that DISTANCES has, in all as many as there are ranks. GROUPS: nodes in each, the smallest first.
  RankBisection(const Partners& partners, const NodeDistances& distances,
                std::vector<std::uint32_t> room, std::vector<NodeIndex> groups);

  // For each rank a place in the list of nodes. RANDOM is the state of the seed. WORK grows by the partners looked at, to little
  // more than BOUND: a cut whose share of that is used up is taken as it is.
  std::vector<NodeIndex> place(std::uint64_t& random, int attempts, std::uint64_t& work,
                               std::uint64_t bound);

 private:
  struct Part {
    NodeIndex first, last;  // of the nodes, the last excluded
    std::vector<std::uint32_t> ranks;
  };
  NodeIndex middle_of(NodeIndex first, NodeIndex last) const;
  void weigh(const Part&, NodeIndex middle);
  void grow(const Part&, std::size_t count, std::uint64_t& random);
  double pass(const Part&, std::size_t count);
  double cut(const Part&) const;
  double gain(std::uint32_t rank) const;

  static constexpr int kPasses = 10;

  const Partners& partners_;
  const NodeDistances& distances_;
  const std::vector<std::uint32_t> room_;
  const std::vector<NodeIndex> groups_;
  // by rank
  std::vector<NodeIndex> at_;        // the middle of the nodes that it may still get
  std::vector<std::uint32_t> part_;  // which part it is in
  std::vector<bool> left_, is_moved_;
  std::vector<double> drawn_;  // what the right half costs more by partners outside
  std::vector<double> gain_;
  std::vector<std::uint32_t> turn_;  // among equals
  double across_ = 0;                // links between the halves
  std::uint32_t current_ = 0;        // the part that is cut
  std::uint64_t work_ = 0;
};

}  // namespace reprise::platforms
