// SPDX-License-Identifier: MIT
#include "sim/confidence/spread.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace reprise::sim {
namespace {

double standard_cdf(double x, double freedom) {
  if (std::isinf(x)) return x > 0 ? 1 : 0;
  if (std::isinf(freedom)) return boost::math::cdf(boost::math::normal(), x);
  return boost::math::cdf(boost::math::students_t(freedom), x);
}

double standard_quantile(double share, double freedom) {
  if (std::isinf(freedom)) return boost::math::quantile(boost::math::normal(), share);
  return boost::math::quantile(boost::math::students_t(freedom), share);
}

}  // namespace

double Spread::cdf(double x) const {
  double sum = 0;
  for (const double shift : shifts) {
    const double off = x - centre - shift;
    sum += scale > 0 ? standard_cdf(off / scale, freedom) : off > 0 ? 1 : off < 0 ? 0 : 0.5;
  }
  return sum / static_cast<double>(shifts.size());
}

double Spread::quantile(double share) const {
  const auto [least, most] = std::minmax_element(shifts.begin(), shifts.end());
  const double reach = scale > 0 ? scale * standard_quantile(share, freedom) : 0;
  double low = centre + *least + reach, high = centre + *most + reach;
  // Each shift's own quantile is between these two, and so is that of their mixture.
  for (int step = 0; step < 200 && low < high; ++step) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (cdf(middle) < share ? low : high) = middle;
  }
  return high;
}

Interval interval_of(const Spread& spread) {
  return {spread.quantile((1 - kLevel) / 2), spread.quantile((1 + kLevel) / 2)};
}

}  // namespace reprise::sim
