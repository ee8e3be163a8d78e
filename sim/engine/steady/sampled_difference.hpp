// SPDX-License-Identifier: MIT
// How much longer periods of a replay are than those of a model of them, where a few are compared here and there and those in between are not.
//
// Method   windows of compared periods, with periods left out between them: systematic sampling (Cochran, "Sampling Techniques", 3rd ed., §8).
//          What is left out between two windows is taken to differ by the mean of the two; what has no window behind it, by the mean of all.
// Spread   within windows the variance is the long-run one of batch means (batch_means.hpp); between them that of successive windows, which
//          holds drift as well (von Neumann's mean square successive difference). The larger one counts. A few that are alike prove little, for what
//          makes periods differ may be rare (messages that meet in one of a thousand): a period's deviation is taken to be at least 0.15 % of
//          it. Recordings whose first 24 periods deviated by next to nothing did by 0.08 to 0.54 % as a whole (docs/RESULTS.md).
// Bound    of 99 %: t·(√(Σ wᵢ²·vᵢ + Mσ²) + w·√v), wᵢ the periods left out that window i speaks for, vᵢ the variance of its mean; w those that
//          the mean of all windows does, v its variance; M all that are left out.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/steady/batch_means.hpp"

namespace reprise::sim {

class SampledDifference {
 public:
  // FEWEST: periods in the first window without which nothing is bounded.
  explicit SampledDifference(std::uint64_t fewest = 24)
      : steps_(1, static_cast<std::uint32_t>(fewest)) {}
  // Of one compared period, in the current window, and what it takes in the model.
  void add(double seconds, double in_model);
  std::uint64_t in_window() const { return windows_.back().periods; }
  std::uint64_t before_window() const { return compared_ - in_window(); }
  std::uint64_t left_out() const { return left_out_; }
  // How many windows there will be behind one another, and their periods.
  struct Plan {
    std::uint64_t windows = 0, periods = 0;
  };
  // The 99 % bound in seconds of all that has been left out and PERIODS more, with as many windows as planned after equal parts of them.
  // Infinite where too little has been compared.
  double bound(std::uint64_t periods, Plan plan) const;
  // What has to be added to the model's time now for PERIODS to be left out, and for those before which have since been found to
  // differ by something else. The next window begins.
  double leave_out(std::uint64_t periods);

 private:
  struct Window {
    double sum = 0;
    std::uint64_t periods = 0;
    std::uint64_t left_out = 0;  // behind it
    double mean() const { return sum / static_cast<double>(periods); }
  };
  double mean() const;
  double within(const BatchMeans::Estimate&) const;
  double between() const;

  BatchMeans steps_;
  double total_ = 0, in_model_ = 0;
  std::uint64_t compared_ = 0;
  std::vector<Window> windows_{1};
  std::uint64_t left_out_ = 0;
  double added_ = 0;  // by leave_out() so far
};

}  // namespace reprise::sim
