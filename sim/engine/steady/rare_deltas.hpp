// SPDX-License-Identifier: MIT
// Long deltas that are too rare to have been seen often enough in a loop's first iterations, and what they may add to the others.
//
// Why   a delta that occurs once in a thousand iterations on one of a thousand ranks can hold up all of them; a mean over the first
//       hundred iterations knows nothing of it. But the trace does: every bin of every distribution says how often it was recorded.
// How   a bin that is expected fewer than kSeen times in n iterations, over all ranks, counts as unseen. It may lengthen an iteration
//       by the time by which it exceeds its distribution's mean, as often as it occurs: an upper bound of its part.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::sim {

class RareDeltas {
 public:
  RareDeltas() = default;
  // BUT_ORDERED: those with an order of their own, which is played, are none of them.
  RareDeltas(const trace_io::Loop&, bool but_ordered);
  bool follows_order() const { return follows_order_; }    // durations with an order of their own
  bool repeats_blocks() const { return repeats_blocks_; }  // of which blocks were left out
  bool is_empty() const {
    return bins_.empty();
  }  // every distribution is one bin: deltas never vary
  // What bins unseen in so many iterations may add to the mean time of an iteration, in seconds as recorded.
  double unseen(std::uint64_t iterations) const;

 private:
  static constexpr double kSeen = 8;
  struct Bin {
    double per_iteration;  // occurrences, over all ranks
    double excess;         // seconds above the mean
  };
  void collect(const std::vector<trace_io::Node>&, double iterations, bool but_ordered);
  bool follows_order_ = false, repeats_blocks_ = false;
  std::vector<Bin> bins_;  // the rarest first
};

}  // namespace reprise::sim
