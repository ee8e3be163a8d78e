// SPDX-License-Identifier: MIT
// Plays recorded durations back: what a rank computes before its next MPI call.
//
// mean          n plays give n · mean.
// distribution  a class of R ranks recorded N = R · n durations in bins. The k-th play of the class's i-th rank takes place
//               j = k·R + i of a fixed permutation of 0 … N−1 (multiples, modulo N, of a number coprime to N near N over the
//               golden ratio: neighbours land far apart) and the bin that this place falls in. N plays visit every place once: each
//               bin as often as it was recorded, so the sum is the recorded one. Exact where the ranks of a class
//               execute the site equally often.
// sample        a place drawn at random, by a counter-based generator of (seed, rank, thread, number of the draw).
// A play of a bin is its mean. Where there are no bins (timing `stat`), every play is the mean.
// Cost          O(log bins) and one probe of a small per-rank table of the distributions met so far.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/replay.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

// What one rank's thread has played so far.
struct DeltaState {
  struct Slot {
    const trace_io::Distribution* distribution = nullptr;
    std::uint32_t deck = 0;   // of the player
    std::uint64_t next = 0;
  };
  std::vector<Slot> slots;  // open addressing by address; its order reaches no result
  std::size_t used = 0;
  std::uint64_t draws = 0;
  Rank rank;
  std::uint32_t thread = 0;
};

class DeltaPlayer {
 public:
  DeltaPlayer(const trace_io::Trace&, Deltas mode, std::uint64_t seed);
  Seconds play(const trace_io::Distribution&, DeltaState&);

 private:
  struct Deck {
    std::uint64_t count = 0, step = 1;
    std::vector<Rank> members;        // of the class, ascending
    std::vector<std::uint64_t> ends;  // cumulative counts of the bins
    std::vector<double> values;       // their means, in seconds
  };
  struct Known {
    const trace_io::Distribution* distribution;
    const trace_io::RankList* ranks;
  };
  void collect(const std::vector<trace_io::Node>&);
  std::uint32_t deck_of(const trace_io::Distribution&);
  DeltaState::Slot& slot_of(const trace_io::Distribution&, DeltaState&);
  double value_at(const Deck&, std::uint64_t place) const;

  const Deltas mode_;
  const std::uint64_t seed_;
  std::vector<Known> known_;  // by address, for look-ups only
  std::vector<std::uint32_t> deck_of_known_;
  std::vector<Deck> decks_;
};

}  // namespace reprise::sim
