// SPDX-License-Identifier: MIT
// Which of the recorded durations a replayed call gets.
//
// mean          the mean of the distribution every time.
// distribution  a bin by its share, at places of a golden-ratio sequence: the n-th execution of any length has its bins as often as
//               the recording, to within one (Weyl; Kuipers and Niederreiter, "Uniform Distribution of Sequences", 1974), so that
//               totals stay true, and ranks start at different places.
// sample        a bin drawn at random, as the paper does it.
// Where the ranks of a class have paces, what is played is scaled to the rank's own mean.
// Memory: 24 bytes for each class of durations that the rank meets.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "trace-io/model/trace.hpp"

namespace reprise::live {

enum class Deltas : std::uint8_t { mean, distribution, sample };

class DeltaDraws {
 public:
  DeltaDraws(Deltas mode, std::uint64_t seed, Rank rank)
      : mode_(mode),
        rank_(rank),
        state_(seed * 0x9e3779b97f4a7c15u ^
               static_cast<std::uint64_t>(rank.value) * 0xbf58476d1ce4e5b9u) {}

  double nanoseconds(const trace_io::DeltaClass&);

 private:
  struct Known {
    std::uint64_t next = 0;
    double scale = 1;
  };
  double played(const trace_io::Distribution&, Known&);
  double uniform();  // 0 ≤ u < 1

  Deltas mode_;
  Rank rank_;
  std::uint64_t state_;
  std::unordered_map<const trace_io::DeltaClass*, Known> known_;  // never iterated
};

}  // namespace reprise::live
