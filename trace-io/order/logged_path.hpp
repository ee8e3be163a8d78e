// SPDX-License-Identifier: MIT
// The logs of one class of durations as multiples of each rank's mean, and the order that they make at a given step.
//
// Common     the mean of the ranks at each execution, where their correlation is above kTogether; its step is finer by √ranks, since an error in it
//            is one on all of them.
// Levels     what is nearer to 0 than kFromZero of a step is 0: a level costs more than it gains there.
// Peaks      are taken out of what is repeated, and stand by themselves. Durations within 2 % of each other (10 % where they are many), on all ranks, are one: their mean.
// Residuals  as bins of least variance, over all ranks and executions.
// Cost       O(durations logged).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

inline constexpr double kTogether = 0.1;
inline constexpr double kFromZero = 0.6;

using Series = std::vector<std::vector<double>>;  // by rank with a log, then execution kept

// Of each rank of the class.
std::vector<std::uint64_t> executions_of(const DeltaClass&);
// Of the rank that has most; 0 where there are no ranks.
std::uint64_t most_executions(const DeltaClass&);

// The logs of one class, as multiples of each rank's mean.
struct LoggedPath {
  DeltaClass* delta = nullptr;
  unsigned stride = 0;
  std::vector<std::uint64_t> executions;           // by member of the class
  std::vector<std::size_t> members;                // that have a log
  std::vector<Rank> ranks;                         // these
  std::vector<double> means;                       // of these: ns
  Series times;                                    // of these: multiples of the mean
  Series usual, group_means;                       // without peaks
  std::vector<std::vector<OrderLog::Peak>> peaks;  // of these
  double mean = 0;                                 // ns, of the class
  double deviation = 0;                            // of one execution from its rank's mean, ns

  LoggedPath(DeltaClass&, unsigned stride);  // at least the largest of its logs
  // An order in steps of so many ns, without its residuals; null where every level would be 0.
  std::shared_ptr<DurationOrder> order(double step);
  void set_residuals(DurationOrder&) const;
  // What peaks took, ns: at each execution the rank that took longest.
  double longest_peaks() const;

 private:
  void take_out_peaks(const OrderLog&, double its_mean);
  void set_peaks(DurationOrder&) const;
  std::vector<double> common() const;
  void set_groups(DurationOrder&) const;
  bool is_flat(double own, double shared) const;

  double middle_ =
      1;  // what executions take that are no peaks; levels say what is beyond it, residuals hold the rest
  std::vector<double> together_;  // of the ranks at each execution
  double farthest_ = 0,
         farthest_together_ = 0;  // from 0: of what a rank has beyond the middle, of all together
  std::shared_ptr<const DurationOrder>
      shape_;  // of every order, with levels of 0; made for the first
};

}  // namespace reprise::trace_io
