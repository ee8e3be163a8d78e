// SPDX-License-Identifier: MIT
// Times over sizes as straight pieces, each with a start time and a time per byte.
//
// Fit      the pieces' ends are chosen by dynamic programming over all partitions (Bellman, Roth, Curve Fitting by Segmented Straight
//          Lines, JASA 64, 1969), each piece by least squares of relative errors, so that microseconds count like milliseconds. Pieces
//          are needed because MPI libraries change protocol with size; SMPI's calibration has them too, with ends set by hand
//          (Clauss et al., IPDPS 2011).
// Penalty  the number of pieces minimises N·ln(σ² + σ₀²) + 3K·ln N: Bayes' information criterion for K pieces of three
//          parameters (Schwarz, Annals of Statistics 6(2), 1978), with a floor σ₀ of two percent, which few timings are better than.
// Bounds   no piece has less than three sizes, but for size 0 alone; start times are at least `least_start`, times per byte at least
//          `least_per_byte`, because a platform holds neither negative latencies nor infinite bandwidths.
// Cost     O(N³) for N sizes: some ten thousand steps.
#pragma once

#include <functional>
#include <vector>

#include "platforms/calibration/measurements.hpp"

namespace reprise::platforms {

struct Piece {
  Bytes from;  // up to the next piece's
  double start_s = 0, per_byte_s = 0;
};

struct PiecewiseBounds {
  double least_start_s = 0, least_per_byte_s = 0;
};

// REQUIRES: at least one sample, sizes ascending, times above zero.
std::vector<Piece> fit_pieces(const std::vector<Sample>&, const PiecewiseBounds&);

Seconds time_of(const std::vector<Piece>&, Bytes);

// Times over sizes as a level in each of several ranges: the same criterion with one parameter less. `weight` of each is 1 / scale².
struct Level {
  Bytes from;
  double value = 0;
};
struct LevelSample {
  Bytes bytes;
  double value = 0, scale = 1;
};
std::vector<Level> fit_levels(const std::vector<LevelSample>&);

// The best partition of 0 … count − 1 into runs: first indices. COST(i, j) is the sum of squared relative errors of i … j, infinite where
// that is no run; PARAMETERS that of a run.
std::vector<std::size_t> best_partition(
    std::size_t count, double parameters,
    const std::function<double(std::size_t, std::size_t)>& cost);

}  // namespace reprise::platforms
