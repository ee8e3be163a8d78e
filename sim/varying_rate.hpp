// SPDX-License-Identifier: MIT
// A rate that changes at given times: 1 but where something multiplies it. For links and cores that are slower for a while.
//
// Cost  at(), end() and done() are logarithmic in the changes, and linear in those that they pass.
#pragma once

#include <limits>
#include <span>
#include <vector>

namespace reprise::sim {

// A factor that holds from a time on, until that of the next step.
struct FactorStep {
  double from = 0, factor = 1;
};

class VaryingRate {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  // REQUIRES: from < to, factor > 0.
  void multiply(double from, double to, double factor);
  // REQUIRES: ascending times, factors > 0.
  void follow(std::span<const FactorStep>);
  double at(double time) const;
  // The first time after TIME at which the rate changes; kNever where it does not any more.
  double next_change(double time) const;
  // When work that takes so many seconds at rate 1 is done, if it begins at `start`.
  double end(double start, double seconds) const;
  // What is done from one time to another, in seconds at rate 1.
  double done(double from, double to) const;

 private:
  struct Step {
    double from, rate;  // from then on, until the next step
  };
  std::size_t step_at(double time) const;
  void split(double time);
  double end_of(std::size_t step) const {
    return step + 1 < steps_.size() ? steps_[step + 1].from : kNever;
  }

  std::vector<Step> steps_{{-kNever, 1}};
};

}  // namespace reprise::sim
