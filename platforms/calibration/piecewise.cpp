// SPDX-License-Identifier: MIT
#include "platforms/calibration/piecewise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNoiseFloor = 0.02;
constexpr std::size_t kMostRuns = 12;

struct Line {
  double start_s = 0, per_byte_s = 0, cost = 0;
};

// Weighted by 1 / t².
Line fit_line(const std::vector<Sample>& samples, std::size_t first, std::size_t last,
              const PiecewiseBounds& bounds) {
  // Sizes are taken relative to the largest, so that the sums stay well conditioned.
  const double unit = std::max(1.0, static_cast<double>(samples[last].bytes.value));
  double w = 0, wx = 0, wxx = 0, wy = 0, wxy = 0;
  for (std::size_t i = first; i <= last; ++i) {
    const double x = static_cast<double>(samples[i].bytes.value) / unit, y = samples[i].time.value,
                 weight = 1 / (y * y);
    w += weight;
    wx += weight * x;
    wxx += weight * x * x;
    wy += weight * y;
    wxy += weight * x * y;
  }
  const double determinant = w * wxx - wx * wx;
  const double least_slope = bounds.least_per_byte_s * unit;
  double slope = determinant > 1e-12 * w * wxx ? (w * wxy - wx * wy) / determinant : least_slope;
  slope = std::max(slope, least_slope);
  double start = (wy - slope * wx) / w;
  if (start < bounds.least_start_s) {
    start = bounds.least_start_s;
    slope = std::max(least_slope, wxx > 0 ? (wxy - start * wx) / wxx : least_slope);
  }
  Line line{start, slope / unit, 0};
  for (std::size_t i = first; i <= last; ++i) {
    const double error =
        (line.start_s + line.per_byte_s * static_cast<double>(samples[i].bytes.value)) /
            samples[i].time.value -
        1;
    line.cost += error * error;
  }
  return line;
}

}  // namespace

std::vector<std::size_t> best_partition(
    std::size_t count, double parameters,
    const std::function<double(std::size_t, std::size_t)>& cost) {
  REPRISE_ASSERT(count > 0, "there is something to divide");
  std::vector<std::vector<double>> costs(count, std::vector<double>(count, kInfinity));
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i; j < count; ++j) costs[i][j] = cost(i, j);
  // least[k][j]: of 0 … j in k + 1 runs; begun[k][j]: where the last of them begins.
  const std::size_t most = std::min(count, kMostRuns);
  std::vector<std::vector<double>> least(most, std::vector<double>(count, kInfinity));
  std::vector<std::vector<std::size_t>> begun(most, std::vector<std::size_t>(count, 0));
  least[0] = costs[0];
  for (std::size_t k = 1; k < most; ++k)
    for (std::size_t j = k; j < count; ++j)
      for (std::size_t i = k; i <= j; ++i)
        if (const double sum = least[k - 1][i - 1] + costs[i][j]; sum < least[k][j]) {
          least[k][j] = sum;
          begun[k][j] = i;
        }
  const double n = static_cast<double>(count);
  std::size_t best = 0;
  double best_score = kInfinity;
  for (std::size_t k = 0; k < most; ++k) {
    if (least[k][count - 1] == kInfinity) continue;
    const double score = n * std::log(least[k][count - 1] / n + kNoiseFloor * kNoiseFloor) +
                         parameters * static_cast<double>(k + 1) * std::log(n);
    if (score < best_score) {
      best_score = score;
      best = k;
    }
  }
  std::vector<std::size_t> firsts(best + 1, 0);
  for (std::size_t k = best, end = count - 1; k > 0; --k) {
    firsts[k] = begun[k][end];
    end = firsts[k] - 1;
  }
  return firsts;
}

std::vector<Piece> fit_pieces(const std::vector<Sample>& samples, const PiecewiseBounds& bounds) {
  const auto is_piece = [&](std::size_t first, std::size_t last) {
    return last >= first + 2 || samples.size() < 3 ||
           (first == last && first == 0 && samples[0].bytes.value == 0);
  };
  const auto firsts = best_partition(samples.size(), 3, [&](std::size_t first, std::size_t last) {
    return is_piece(first, last) ? fit_line(samples, first, last, bounds).cost : kInfinity;
  });
  std::vector<Piece> pieces;
  for (std::size_t k = 0; k < firsts.size(); ++k) {
    const std::size_t last = k + 1 < firsts.size() ? firsts[k + 1] - 1 : samples.size() - 1;
    const Line line = fit_line(samples, firsts[k], last, bounds);
    pieces.push_back({k == 0 ? Bytes{} : samples[firsts[k]].bytes, line.start_s, line.per_byte_s});
  }
  return pieces;
}

Seconds time_of(const std::vector<Piece>& pieces, Bytes bytes) {
  const Piece* piece = &pieces.front();
  for (const Piece& one : pieces)
    if (one.from <= bytes) piece = &one;
  return Seconds{piece->start_s + piece->per_byte_s * static_cast<double>(bytes.value)};
}

std::vector<Level> fit_levels(const std::vector<LevelSample>& samples) {
  const auto level = [&](std::size_t first, std::size_t last) {
    double weights = 0, sum = 0;
    for (std::size_t i = first; i <= last; ++i) {
      const double weight = 1 / (samples[i].scale * samples[i].scale);
      weights += weight;
      sum += weight * samples[i].value;
    }
    return sum / weights;
  };
  const auto firsts = best_partition(samples.size(), 2, [&](std::size_t first, std::size_t last) {
    if (last == first && samples.size() > 1) return kInfinity;
    const double value = level(first, last);
    double cost = 0;
    for (std::size_t i = first; i <= last; ++i) {
      const double error = (value - samples[i].value) / samples[i].scale;
      cost += error * error;
    }
    return cost;
  });
  std::vector<Level> levels;
  for (std::size_t k = 0; k < firsts.size(); ++k) {
    const std::size_t last = k + 1 < firsts.size() ? firsts[k + 1] - 1 : samples.size() - 1;
    levels.push_back({k == 0 ? Bytes{} : samples[firsts[k]].bytes, level(firsts[k], last)});
  }
  return levels;
}

}  // namespace reprise::platforms
