// SPDX-License-Identifier: MIT
#include "sim/varying_rate.hpp"

#include <algorithm>
#include <cstddef>

namespace reprise::sim {

std::size_t VaryingRate::step_at(double time) const {
  const auto after = std::upper_bound(steps_.begin(), steps_.end(), time,
                                      [](double at, const Step& step) { return at < step.from; });
  return static_cast<std::size_t>(after - steps_.begin()) - 1;
}

void VaryingRate::split(double time) {
  if (time == kNever) return;
  const std::size_t step = step_at(time);
  if (steps_[step].from != time)
    steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(step) + 1,
                  {time, steps_[step].rate});
}

void VaryingRate::multiply(double from, double to, double factor) {
  if (factor == 1) return;
  split(from);
  split(to);
  for (std::size_t step = step_at(from); step < steps_.size() && steps_[step].from < to; ++step)
    steps_[step].rate *= factor;
}

void VaryingRate::follow(std::span<const FactorStep> steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double until = i + 1 < steps.size() ? steps[i + 1].from : kNever;
    if (steps[i].from < until) multiply(steps[i].from, until, steps[i].factor);
  }
}

double VaryingRate::at(double time) const { return steps_[step_at(time)].rate; }

double VaryingRate::next_change(double time) const { return end_of(step_at(time)); }

double VaryingRate::end(double start, double seconds) const {
  std::size_t step = step_at(start);
  while (start + seconds / steps_[step].rate > end_of(step)) {
    seconds -= (end_of(step) - start) * steps_[step].rate;
    start = end_of(step++);
  }
  return start + seconds / steps_[step].rate;
}

double VaryingRate::done(double from, double to) const {
  double sum = 0;
  for (std::size_t step = step_at(from); from < to; ++step) {
    const double until = std::min(to, end_of(step));
    sum += (until - from) * steps_[step].rate;
    from = until;
  }
  return sum;
}

}  // namespace reprise::sim
