// SPDX-License-Identifier: MIT
// What is known of a quantity: a centre, Student's t about it, and shifts of which nobody knows which one holds.
//
// Density  the mean over the shifts of t_freedom((x − centre − shift) / scale) / scale. With infinitely many degrees of freedom t is the
//          normal distribution; where the scale is 0 the shifts are all there is.
// Cost     cdf() O(shifts); quantile() the same where there is one shift, else 200 times as much.
#pragma once

#include <limits>
#include <vector>

namespace reprise::sim {

struct Spread {
  double centre = 0, scale = 0;
  double freedom = std::numeric_limits<double>::infinity();
  std::vector<double> shifts{0};  // at least one, each as likely as the others

  // P(X < x) + P(X = x) / 2.
  double cdf(double x) const;
  // REQUIRES: 0 < share < 1.
  double quantile(double share) const;
};

struct Interval {
  double low = 0, high = 0;
};

// All bands and intervals are of this probability.
inline constexpr double kLevel = 0.95;
// What holds kLevel of it, as much left out below as above.
Interval interval_of(const Spread&);

}  // namespace reprise::sim
