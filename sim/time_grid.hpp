// SPDX-License-Identifier: MIT
// Durations rounded to a grid on which adding them to times loses nothing.
//
// Why   where two messages reach a link at one instant, what decides is their order, not the last bit of a sum. In plain doubles
//       the sum of the same durations differs with the time that it starts from, ties fall one way in one iteration and the other
//       way in the next, and a replay never comes back to a state that it has been in. Multiples of 2⁻⁴⁴ s (57 fs) add up without
//       rounding as long as times stay below 512 s; beyond that, sums round as doubles do.
// Error at most 28 fs a duration.
#pragma once

namespace reprise::sim {

inline double on_grid(double seconds) {
  constexpr double kShift = 384;  // doubles from 256 to 512 are 2⁻⁴⁴ apart
  if (seconds >= 128 || seconds < 0) return seconds;
  const double shifted = seconds + kShift;
  return shifted - kShift;
}

}  // namespace reprise::sim
