// SPDX-License-Identifier: MIT
// Which of a platform's settings a replay used: enough to say which change of them cannot have had an effect (effects.hpp).
//
// Cost  a few nanoseconds a message; sizes are kept by power of two with their least and most, so that "no message is of such a
//       size" is certain and "there may be one" is not.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "platforms/placement.hpp"

namespace reprise::platforms {

// Sizes in bytes that have been met.
class SizesMet {
 public:
  void add(std::uint64_t bytes) {
    Range& range = ranges_[static_cast<std::size_t>(std::bit_width(bytes))];
    range.least = std::min(range.least, bytes);
    range.most = std::max(range.most, bytes);
  }
  // False: certainly none from FIRST to LAST, both included.
  bool may_hold(std::uint64_t first,
                std::uint64_t last = std::numeric_limits<std::uint64_t>::max()) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& range) {
      return range.least <= last && range.most >= first && range.least <= range.most;
    });
  }
  bool is_empty() const { return !may_hold(0); }
  std::uint64_t most() const {
    std::uint64_t most = 0;
    for (const Range& range : ranges_) most = std::max(most, range.most);
    return most;
  }

 private:
  struct Range {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0;
  };
  std::array<Range, 65> ranges_{};
};

// Messages inside the nodes, or those between nodes; the payloads of collectives and one-sided transfers among them.
struct PathUse {
  SizesMet sizes;
  SizesMet by_limit;  // of those whose protocol the eager limit decides
  bool has_rendezvous = false;
  bool has_copies = false;  // eager messages that came before their receive, buffered sends
};

// Network interfaces that messages tell apart.
struct InterfacesMet {
  std::uint64_t nodes = 0;  // those with messages to or from other nodes
  std::uint64_t used = 0;   // interfaces with any message
};

struct SettingsUse {
  PathUse between_nodes, inside_nodes;
  std::vector<std::string>
      cables;  // that any message had on its route, by LinkClass::cable, sorted
  InterfacesMet interfaces;
  std::vector<std::string> operations;  // collectives: "allreduce"
  struct Algorithm {
    std::string operation, name;  // "allreduce", "ring"
    std::uint64_t segment = 0;    // bytes; 0: the data as a whole
    std::int32_t fanout = 0;
    friend auto operator<=>(const Algorithm&, const Algorithm&) = default;
  };
  std::vector<Algorithm> algorithms;  // that carried collectives out, sorted
  // An algorithm that the platform's file names for an operation, and another one was played.
  struct Replaced {
    std::string operation, asked, played;  // "allreduce", "ring", "recursive_doubling"
    std::string reason, library;  // "fewer elements than ranks"; which one does the same, or empty
    std::uint64_t calls = 0, of_calls = 0;  // so; in all for which it was asked
    friend auto operator<=>(const Replaced&, const Replaced&) = default;
  };
  std::vector<Replaced> replaced;              // sorted
  bool combines = false;                       // a reduction combined data
  bool has_files = false;                      // storage was asked for anything
  bool asks_memory = false;                    // it is known how many bytes computing moves
  bool fills_memory = false;                   // … and they filled a node's memory bandwidth
  std::vector<std::uint32_t> computing_nodes;  // whose ranks computed, sorted
  Placement placement;                         // that was asked for
  std::vector<RankLocation> places;            // of the ranks
  bool spreads_nodes = false;                  // the topology's groups decided them (NodeOrder)
};

}  // namespace reprise::platforms
