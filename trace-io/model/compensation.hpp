// SPDX-License-Identifier: MIT
// What the recorder's own part of a compute time was estimated at, and how much of it was taken off.
//
// Overhead  of an event by its frequency, 1 / (its compute time + its time inside the call), as a curve of measured points: linear in the
//           logarithm of the period between two points, that of the nearest one beyond them. After A. Farah, L. M. Schnorr and
//           J.-M. Vincent, "Frequency-based Overhead Compensation in HPC Application Traces", who measure it alike.
// Kinds     calls that complete requests look them up before they read the clock.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "trace-io/base/quantity.hpp"

namespace reprise::trace_io {

enum class OverheadKind : std::uint8_t { call, completion };
inline constexpr std::size_t kOverheadKinds = 2;
std::string_view name_of(OverheadKind);  // "call", "completion"

struct OverheadPoint {
  Nanoseconds period{};    // between the ends of two events
  Nanoseconds overhead{};  // that stands in the compute time of the later one
  Nanoseconds error{};     // standard error, rounded up
  friend bool operator==(const OverheadPoint&, const OverheadPoint&) = default;
};
// At least one point, at most kMostPoints, in the order of their periods, none twice.
using OverheadCurve = std::vector<OverheadPoint>;
inline constexpr std::size_t kMostOverheadPoints = 64;
Nanoseconds overhead_at(const OverheadCurve&, Nanoseconds period);

// Of all ranks: they share the curves. What was taken off stands among the times apart (trace.hpp).
struct Compensation {
  std::array<OverheadCurve, kOverheadKinds> curves;
  std::uint64_t clamped_count =
      0;                       // compute times that were shorter than their overhead, and are 0,
  Nanoseconds clamped_time{};  // and by how much
  friend bool operator==(const Compensation&, const Compensation&) = default;
};

}  // namespace reprise::trace_io
