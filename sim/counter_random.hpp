// SPDX-License-Identifier: MIT
// Random numbers as a function of what they are for: no state, the same on every machine.
#pragma once

#include <cstdint>

namespace reprise::sim {

// Finaliser of SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
inline std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Uniform in (0, 1]: 53 bits.
inline double unit_interval(std::uint64_t random) {
  return (static_cast<double>(random >> 11) + 1) * 0x1p-53;
}

}  // namespace reprise::sim
