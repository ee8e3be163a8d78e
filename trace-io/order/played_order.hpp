// SPDX-License-Identifier: MIT
// What one execution after the other of a path takes a rank, as multiples of the rank's mean: levels as recorded, residuals shuffled.
//
// With an order    1 + levels + a residual (model/duration_order.hpp). The rank plays each bin of residuals in its share, in an order of its own:
//                  a permutation of its executions, by seed and rank. Never drawn with replacement: what is played of a bin is what was recorded of it.
// Peaks            where not all executions are kept, take what stands for them, and nothing repeats them.
// Without          the bins of the class's distribution likewise, each rank by itself.
// Largest          no execution takes more than the longest recorded in the class, or kAbove of the rank's mean where that is more: scale factors are no more
//                  exact. What outliers of other ranks would take beyond it, the rank's other executions take.
// Exact            over all executions of the rank the mean is 1, whatever falls to it.
// Cost             open(): O(executions kept), times a few where the largest is exceeded. value(): some 10 to 20 ns. Memory: O(bins) a class and some 60 bytes a rank.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Of one class, for all of its ranks.
class PlayedOrder {
 public:
  struct Peaks {
    std::vector<std::uint64_t> executions;  // ascending
    std::vector<double> values;             // of the rank's mean
  };
  struct OfRank {
    std::uint64_t executions = 1, key = 0;
    double scale = 1;
    double most = 0;  // of the rank's mean: the longest execution
    const DurationOrder::Row* row = nullptr;
    const Peaks* peaks = nullptr;         // null where it has none
    std::unique_ptr<double[]> factors{};  // by group, of what is not kept; null where all is
  };

  // The class must outlive this. REQUIRES: durations.count() > 0.
  PlayedOrder(const DeltaClass&, std::uint64_t seed);
  // `mean_ns`: of an execution of this rank. REQUIRES: it is one of the class's.
  // `kept`, where there is an order: becomes what the executions kept take before OfRank's scale and most, with peaks as if they were none.
  OfRank open(Rank, double mean_ns, std::vector<double>* kept = nullptr) const;
  // Of execution `number`, from 0 on. Beyond the last one recorded they begin again.
  double value(const OfRank&, std::uint64_t number) const;

  // Where blocks are left out (model/order_log.hpp), executions behind a group's first block repeat, kBlock after kBlock, until the group ends.
  static constexpr std::uint64_t kNeverEnds = ~std::uint64_t{0};
  // How many executions from `number` on take what those `period` before them took, a multiple of kBlock: 0 where nothing repeats, kNeverEnds
  // without an order. REQUIRES: those before are of the same stretch.
  std::uint64_t repeating(const OfRank&, std::uint64_t number, std::uint64_t period) const;
  // Whether executions are shuffled bins of a distribution, without an order.
  bool is_shuffled() const { return order_ == nullptr && bins_.size() > 1; }
  // Which stretch of its order an execution is in: another number for each first block, and for what repeats behind it; 0 where no block
  // was left out.
  std::uint64_t stretch(const OfRank&, std::uint64_t number) const;

 private:
  static constexpr double kAbove = 1.01;
  struct Bin {
    double end = 0;  // share of the bins up to and with this one; above 1 for the last
    double value = 0;
  };
  template <class Bins, class Value>
  void set_bins(const Bins&, const Value&);
  template <class ForEach>
  static void set_scale(OfRank&, const ForEach&);
  void scale_bins(OfRank&) const;
  static void scale_kept(OfRank&, const std::vector<double>& kept);
  void scale_groups(OfRank&, const std::vector<double>& kept) const;
  double usual_value(const OfRank&, std::uint64_t number) const;  // were it no peak
  double bin_value(const OfRank&, std::uint64_t place, std::uint64_t places,
                   std::uint64_t key) const;
  double kept_value(const OfRank&, std::uint64_t place, std::uint64_t places) const;

  const DeltaClass& delta_;
  const std::vector<Rank> members_, with_rows_;
  std::vector<std::int64_t> executions_;  // of the members; with an order
  const std::uint64_t key_;
  const DurationOrder* order_ = nullptr;
  const DurationOrder::Row* common_ = nullptr;
  double step_ = 0, step_common_ = 0;
  std::vector<Bin> bins_;
  std::vector<Peaks> peaks_;
  std::vector<std::int64_t> peaks_of_rows_;
};

// A permutation of 0 … n−1 by key: multiplications and shifts on the next power of two, again until below n. REQUIRES: place < n.
std::uint64_t permuted(std::uint64_t place, std::uint64_t n, std::uint64_t key);

}  // namespace reprise::trace_io
