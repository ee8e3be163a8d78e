// SPDX-License-Identifier: MIT
// Where the ranks are, and what MPI costs on the path between two of them: a node's own path may have costs of its own.
//
// Durations are on the grid (sim/time_grid.hpp). What is met of the platform's settings is noted on the way.
#pragma once

#include <vector>

#include "platforms/placement.hpp"
#include "platforms/platform.hpp"
#include "platforms/settings_use.hpp"
#include "sim/engine/loop/request.hpp"

namespace reprise::sim {

class Paths {
 public:
  Paths(const platforms::Platform&, std::vector<platforms::RankLocation>);

  platforms::NodeIndex node(std::int32_t rank) const {
    return locations_[static_cast<std::size_t>(rank)].node;
  }
  // What the network takes as an end.
  platforms::NodeIndex end(std::int32_t rank) const {
    return ends_[static_cast<std::size_t>(rank)];
  }
  const std::vector<platforms::RankLocation>& locations() const { return locations_; }  // by rank
  const std::vector<platforms::NodeIndex>& ends() const { return ends_; }               // likewise

  const platforms::Mpi& between(std::int32_t from, std::int32_t to) const {
    return node(from) == node(to) ? intra_node_ : network_;
  }
  // CPU time of a rank when it sends, and when it takes a message that was received.
  double send_cost(const Request&);
  double receive_cost(const Request&);
  // Whether any path's handshakes need their ranks inside MPI.
  bool needs_ranks() const {
    return network_.progress == platforms::Progress::kInCalls ||
           intra_node_.progress == platforms::Progress::kInCalls;
  }
  // Whether latencies depend on sizes, or rendezvous are met at once, so that a message may overtake an earlier one.
  bool may_overtake() const {
    return !network_.latency_factors.empty() || !intra_node_.latency_factors.empty() ||
           network_.meets_at_once() || intra_node_.meets_at_once();
  }

  platforms::PathUse& use_between(std::int32_t from, std::int32_t to) {
    return node(from) == node(to) ? use_.inside_nodes : use_.between_nodes;
  }
  void note_own_copy() { use_.inside_nodes.has_copies = true; }  // inside a node
  const platforms::SettingsUse& use() const { return use_; }

 private:
  const platforms::Mpi network_, intra_node_;
  const std::vector<platforms::RankLocation> locations_;
  const std::vector<platforms::NodeIndex> ends_;
  platforms::SettingsUse use_;
};

}  // namespace reprise::sim
