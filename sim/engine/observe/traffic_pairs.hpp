// SPDX-License-Identifier: MIT
// Who sends how much to whom, rank by rank: messages and payload bytes, those of collectives as their algorithms send them and of
// one-sided transfers included, handshakes not.
//
// Cost    a binary search in the sender's partners a message; 24 bytes for each pair of ranks that talk, never a full matrix.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace reprise::sim {

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
