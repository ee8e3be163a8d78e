// SPDX-License-Identifier: MIT
// How a time grows with each parameter: the derivatives that are handed on with it.
//
// Unit      seconds per factor on a parameter's *duration*, dt/d ln p; of a bandwidth, on its inverse. Times are of first degree in all
//           durations, so slopes add up to the time (Euler's theorem on homogeneous functions): with `rest`, what no parameter scales.
// Kinks     where a time has one, the slope is halfway between those to either side; `blur`: seconds that any one of them may be off.
// Cost      an addition a stretch, 136 bytes a copy.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace reprise::sim {

// Of messages, between nodes and inside them. Names are a platform's keys where there is one.
enum class Parameter : std::uint8_t {
  compute,
  latency,
  bandwidth,
  send_overhead,
  recv_overhead,
  copy_bandwidth,
  inside_latency,
  inside_bandwidth,
  inside_send_overhead,
  inside_recv_overhead,
  inside_copy_bandwidth,
  reduction,
  memory_bandwidth,
  rest,  // what a trace, noise and other ranks' turns decide
};
inline constexpr std::size_t kParameters = 14;
inline constexpr std::array<std::string_view, kParameters> kParameterNames{
    "compute",
    "latency",
    "bandwidth",
    "send_overhead",
    "recv_overhead",
    "copy_bandwidth",
    "intra_node/latency",
    "intra_node/bandwidth",
    "intra_node/send_overhead",
    "intra_node/recv_overhead",
    "intra_node/copy_bandwidth",
    "reduction",
    "memory_bandwidth",
    "rest"};
inline std::string_view name_of(Parameter parameter) {
  return kParameterNames[static_cast<std::size_t>(parameter)];
}
// Of which more is faster: its slope has a minus, as it is the inverse that durations grow with.
inline bool is_rate(Parameter parameter) { return name_of(parameter).ends_with("bandwidth"); }

// Why slopes are not those of any small change.
struct SlopeFlaw {
  static constexpr std::uint8_t kTied = 1,  // two predecessors at one moment whose slopes differ
      kMoment = 2,    // messages share links for less than the reach of a change (flow_slopes.hpp)
      kUnsolved = 4,  // … by rules that are not followed: queues, crowds of flows
      kCores = 8,     // ranks share cores
      kStorage = 16,  // accesses to files share a storage
      kUnexplained = 32,  // PathPart::other
      kMemory = 64;       // ranks share memory bandwidth
};

struct Slopes {
  // Even, so that pairs of doubles are added at once and none is left over.
  static constexpr std::size_t kWidth = 14;
  static_assert(kWidth >= kParameters && kWidth % 2 == 0);
  std::array<double, kWidth> of{};
  double blur = 0;
  double drift =
      0;  // seconds of slope that others' times are worth on the way here (flow_slopes.hpp)
  std::uint8_t flaws = 0;

  double& operator[](Parameter parameter) { return of[static_cast<std::size_t>(parameter)]; }
  double operator[](Parameter parameter) const { return of[static_cast<std::size_t>(parameter)]; }
  double sum() const {
    double sum = 0;
    for (const double one : of) sum += one;
    return sum;
  }
  // TIMES the other's, without its blur and drift.
  void add(const Slopes& other, double times) {
    for (std::size_t i = 0; i < kWidth; ++i) of[i] += times * other.of[i];
  }
  // The largest difference of one of them.
  double distance(const Slopes& other) const {
    std::array<double, kWidth> apart;
    for (std::size_t i = 0; i < kWidth; ++i) apart[i] = of[i] - other.of[i];
    return largest_of(apart);
  }
  // The largest absolute value; in two chains, as a maximum waits for the one before.
  static double largest_of(const std::array<double, kWidth>& values) {
    double even = 0, odd = 0;
    for (std::size_t i = 0; i < kWidth; i += 2) {
      even = std::max(even, std::abs(values[i]));
      odd = std::max(odd, std::abs(values[i + 1]));
    }
    return std::max(even, odd);
  }
};

// Slopes that differ by less are the same sums made in another order. TIME: what they add up to.
inline bool is_about_same(double distance, double time) {
  return distance <= 1e-12 + 1e-9 * std::abs(time);
}

}  // namespace reprise::sim
