// SPDX-License-Identifier: MIT
// Traffic of a replay: on the links, and between ranks. Kept where it is asked for (observation.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "platforms/platform.hpp"
#include "platforms/routes.hpp"
#include "sim/network/link_conditions.hpp"
#include "sim/network/route_cache.hpp"

namespace reprise::sim {

// What the messages of a replay put on the links, and who sent how much to whom.
//
// Messages  as they are carried out: those of collectives and one-sided operations included; handshakes carry no bytes.
// Links     a link's busy time is what its bytes need at its whole bandwidth: bytes / (β · B), β the platform's factor for the size. As
//           a share of the run, times the mean factor of the link's own bandwidth (a slow cable's: mean_bandwidth), it is the
//           link's mean utilisation, which in the queue network is the share of time in which it serves; where nobody waits for a link (uncontended) it may be more than 1. Receivers have links of their own (routes.hpp).
// Matrix    at most 64 × 64 cells: rank × rank, or blocks of neighbouring ranks.
// Cost      a message: its links. Memory: 16 bytes a link and receiver, 64 KiB, and what is being logged.
class TrafficMeter {
 public:
  static constexpr std::size_t kCells = 64;
  struct LinkLoad {
    double bytes = 0, busy = 0;  // busy: seconds
  };
  struct Cell {
    std::uint64_t messages = 0, bytes = 0;
  };
  struct End {
    std::int32_t rank;
    platforms::NodeIndex socket;
  };
  // Messages of one rank: how many of so many bytes to whom.
  struct Kind {
    std::int32_t from = 0, to = 0;
    std::uint64_t bytes = 0;
    friend auto operator<=>(const Kind&, const Kind&) = default;
  };
  using Log = std::map<Kind, std::uint64_t>;

  TrafficMeter(const platforms::Platform&, std::vector<platforms::NodeIndex> end_of_rank,
               std::span<const LinkChange>);
  void add(const Kind&, std::uint64_t times = 1);

  const platforms::RouteTable& routes() const { return *routes_; }
  const std::vector<LinkLoad>& links() const { return links_; }  // last, of receivers, by rank
  // The mean factor of a link's bandwidth over a run of so many seconds; the place of links() is its number.
  double mean_bandwidth(std::size_t link, Seconds run_time) const;
  // By link of routes(), whether it has a bandwidth of its own (link_conditions.hpp); empty where none has.
  std::vector<bool> stand_out() const { return conditions_->stand_out(); }
  std::size_t matrix_size() const { return cells_; }
  std::int32_t first_rank(std::size_t cell) const;  // of matrix_size() as well: the number of ranks
  const Cell& cell(std::size_t from, std::size_t to) const { return matrix_[from * cells_ + to]; }

 private:
  std::size_t cell_of(std::int32_t rank) const {
    return static_cast<std::size_t>(rank) * cells_ / ends_.size();
  }

  const platforms::Platform platform_;
  const std::vector<platforms::NodeIndex> ends_;  // by rank
  const std::unique_ptr<platforms::RouteTable> routes_;
  std::unique_ptr<LinkConditions> conditions_;
  RouteCache cache_;
  std::vector<LinkLoad> links_;
  const std::size_t cells_;
  std::vector<Cell> matrix_;
};

// Who sends how much to whom, rank by rank: messages and payload bytes, those of collectives as their algorithms send them and of
// one-sided transfers included, handshakes not.
//
// Cost    a binary search in the sender's partners a message; 24 bytes for each pair of ranks that talk, never a full matrix.
class TrafficPairs {
 public:
  struct Cell {
    std::int32_t to = 0;
    std::uint64_t messages = 0, bytes = 0;
    friend bool operator==(const Cell&, const Cell&) = default;
  };

  explicit TrafficPairs(std::size_t ranks = 0) : rows_(ranks) {}
  void add(std::int32_t from, const Cell& more);

  std::int32_t ranks() const { return static_cast<std::int32_t>(rows_.size()); }
  // What FROM sends, ascending by receiver; only pairs that talk.
  std::span<const Cell> row(std::int32_t from) const {
    return rows_[static_cast<std::size_t>(from)];
  }
  std::uint64_t messages() const;  // over all pairs
  std::uint64_t bytes() const;

 private:
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace reprise::sim
