// SPDX-License-Identifier: MIT
// A seeded shuffle that is the same on every machine and with every library.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace reprise::platforms {

// SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
inline std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

template <class T>
void shuffle(std::vector<T>& list, std::uint64_t seed) {
  for (std::size_t left = list.size(); left > 1; --left)
    std::swap(list[left - 1], list[next_random(seed) % left]);
}

}  // namespace reprise::platforms
