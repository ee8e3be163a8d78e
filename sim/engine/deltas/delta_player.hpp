// SPDX-License-Identifier: MIT
// Plays recorded durations back: what a rank computes before its next MPI call.
//
// ordered       as they were recorded, one after the other: levels in their order, what those leave over shuffled by seed and rank
//               (trace-io/order/played_order.hpp). Classes without an order are shuffled as a whole. The sum of a rank's plays is exact.
// mean          n plays give n · mean, of the rank where its class has scale factors (trace-io/model/trace.hpp), else of the class.
// distribution  a class of R ranks recorded N = R · n durations in bins. The k-th play of the class's i-th rank takes place
//               j = k·R + i of a fixed permutation of 0 … N−1 (multiples, modulo N, of a number coprime to N near N over the
//               golden ratio: neighbours land far apart) and the bin that this place falls in. N plays visit every place once: each
//               bin as often as it was recorded, so the sum is the recorded one. Exact where the ranks of a class
//               execute the site equally often. With scale factors, plays are scaled so that the n plays of a rank have the rank's own sum,
//               whichever bins fall to it.
// sample        a place drawn at random, by a counter-based generator of (seed, rank, thread, number of the draw); with scale factors times
//               the ratio of the rank's mean to the class's.
// A play of a bin is its mean. Where there are no bins (timing `stat`), every play is the mean.
// Cost          O(log bins) and one probe of a small per-rank table of the classes met so far; a rank's first play of a class with
//               scale factors O(bins).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/fetch.hpp"
#include "trace-io/model/trace.hpp"
#include "trace-io/order/played_order.hpp"

namespace reprise::sim {

// How a recorded distribution of compute times is played back.
enum class Deltas : std::uint8_t {
  ordered,       // as recorded, in their order; what has none, shuffled by seed and rank
  mean,          // every time its mean
  distribution,  // its bins in a fixed interleaved order that plays each as often as it was recorded: totals stay exact
  sample,  // bins drawn at random, by seed, rank and occurrence: the same for the same seed, whatever the platform
};

// What one rank's thread has played so far.
struct DeltaState {
  struct Slot {
    const trace_io::DeltaClass* delta = nullptr;
    std::uint32_t sampling_order = 0;  // of the player
    std::uint64_t next = 0;
    std::uint32_t opened = 0;  // mode `ordered`: in DeltaState::opened
    double scale = 1;          // of every play; mode `mean`: seconds
    double mean = 0;           // of a play, in seconds
    std::uint32_t behind = 0;  // which slot was played after this one
  };
  std::vector<Slot> slots;  // open addressing by address; its order reaches no result
  std::size_t used = 0;
  std::vector<trace_io::PlayedOrder::OfRank> opened;
  std::uint64_t draws = 0;
  std::uint32_t last = 0, expected = 0;  // the slot played last, and the one that followed it then
  Rank rank;
  std::uint32_t thread = 0;
};

class DeltaPlayer {
 public:
  DeltaPlayer(Deltas mode, std::uint64_t seed) : mode_(mode), seed_(seed) {}
  Seconds play(const trace_io::DeltaClass&, DeltaState&);
  // What plays of the rank come to in the mean. REQUIRES: one has been played.
  Seconds mean(const trace_io::DeltaClass&, DeltaState&);

  // The rank will soon play, 3 to 1 steps from now: asks the processor for the state and what stood there for the next play. Changes nothing.
  void prepare(const DeltaState& state, unsigned steps) const {
    if (steps == 3) {
      fetch(state);
    } else if (steps == 2 && state.expected < state.slots.size()) {
      fetch(state.slots[state.expected]);
    } else if (steps == 1 && state.expected < state.slots.size()) {
      const std::uint32_t opened = state.slots[state.expected].opened;
      if (opened < state.opened.size()) fetch(state.opened[opened]);
    }
  }

  // For who foretells what will be played: the rank's slot of a class that has been played; null where it plays one value without a slot.
  const DeltaState::Slot* find_slot(const trace_io::DeltaClass&, const DeltaState&) const;
  // Plays on from a copy of a slot of the rank's. Not in mode `sample`.
  Seconds play(DeltaState::Slot&, const DeltaState&) const;
  // The rank's class goes on where the copy has come to.
  static void set_plays(DeltaState&, const DeltaState::Slot&);

  // For who leaves out iterations of a loop, mode `ordered`. TAKEN: plays of each class in a period of the loop, as the difference of
  // two plays() of one rank says.
  static std::vector<std::uint64_t> plays(const DeltaState&);
  // For so many periods more every class plays what it played in the one before; 0 where plays() have become more since.
  std::uint64_t periods_alike(const DeltaState&, std::span<const std::uint64_t> taken) const;
  // Whether a class that was played has no order, and varies.
  bool has_shuffled(const DeltaState&, std::span<const std::uint64_t> taken) const;
  // Changes whenever a class comes to another stretch of its order (trace-io/order/played_order.hpp).
  std::uint64_t stretches(const DeltaState&) const;
  // As if so many plays of each class had been made.
  static void leave_out(DeltaState&, std::span<const std::uint64_t> taken, std::uint64_t periods);

 private:
  struct SamplingOrder {
    std::uint64_t count = 0, step = 1;
    std::vector<Rank> members;        // of the class, ascending
    std::vector<std::uint64_t> ends;  // cumulative counts of the bins
    std::vector<double> values;       // their means, in seconds
    bool is_even = false;             // every member executes it equally often
  };
  std::uint32_t order_of(const trace_io::DeltaClass&);
  const trace_io::PlayedOrder& recorded_order_of(const trace_io::DeltaClass&,
                                                 std::uint32_t& number);
  void open_in_order(DeltaState::Slot&, const trace_io::DeltaClass&, DeltaState&);
  DeltaState::Slot& slot_of(const trace_io::DeltaClass&, DeltaState&);
  static std::size_t place_of(const trace_io::DeltaClass&, const DeltaState&);
  void open(DeltaState::Slot&, const trace_io::DeltaClass&, Rank);
  double value_at(const SamplingOrder&, std::uint64_t place) const;
  std::int64_t scale_factor_of(const trace_io::RankScaleFactors&, Rank);
  static double dealt(const SamplingOrder&, std::uint64_t member);

  const Deltas mode_;
  const std::uint64_t seed_;
  std::unordered_map<const trace_io::DeltaClass*, std::uint32_t>
      order_numbers_;  // these two are looked up only
  std::unordered_map<const trace_io::RankScaleFactors*, std::vector<std::int64_t>>
      scale_factors_;  // by rank
  std::vector<SamplingOrder> orders_;
  std::vector<std::unique_ptr<const trace_io::PlayedOrder>> recorded_orders_;
};

}  // namespace reprise::sim
