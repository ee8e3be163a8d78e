// SPDX-License-Identifier: MIT
// Numbers that know what they count: a Rank cannot be passed where a Tag is meant.
//
// Cost    none: each type is its representation.
// Use     construct explicitly (Rank{3}), read .value, compare and order as usual. Quantities that can
//         be added (Seconds, Bytes, Nanoseconds) say so by deriving from Additive.
#pragma once

#include <compare>
#include <cstdint>

namespace reprise {

// A process's number in MPI_COMM_WORLD, 0 … ranks−1.
struct Rank {
  std::int32_t value = 0;
  friend constexpr auto operator<=>(Rank, Rank) = default;
};

// A point-to-point message tag, as the program passed it.
struct Tag {
  std::int32_t value = 0;
  friend constexpr auto operator<=>(Tag, Tag) = default;
};

template <class Self>
struct Additive {
  friend constexpr Self operator+(Self a, Self b) { return Self{a.value + b.value}; }
  friend constexpr Self operator-(Self a, Self b) { return Self{a.value - b.value}; }
  friend constexpr Self& operator+=(Self& a, Self b) { return a = a + b; }
  friend constexpr Self& operator-=(Self& a, Self b) { return a = a - b; }
};

// Simulated or measured time, in seconds.
struct Seconds : Additive<Seconds> {
  double value = 0;
  constexpr Seconds() = default;
  constexpr explicit Seconds(double seconds) : value(seconds) {}
  friend constexpr auto operator<=>(Seconds a, Seconds b) { return a.value <=> b.value; }
  friend constexpr bool operator==(Seconds a, Seconds b) { return a.value == b.value; }
  friend constexpr Seconds operator*(Seconds a, double factor) { return Seconds{a.value * factor}; }
  friend constexpr double operator/(Seconds a, Seconds b) { return a.value / b.value; }
};

// A recorded duration, in whole nanoseconds: sums of them are exact and do not depend on the order of adding.
struct Nanoseconds : Additive<Nanoseconds> {
  std::int64_t value = 0;
  constexpr Nanoseconds() = default;
  constexpr explicit Nanoseconds(std::int64_t nanoseconds) : value(nanoseconds) {}
  friend constexpr auto operator<=>(Nanoseconds a, Nanoseconds b) { return a.value <=> b.value; }
  friend constexpr bool operator==(Nanoseconds a, Nanoseconds b) { return a.value == b.value; }
  constexpr Seconds seconds() const { return Seconds{static_cast<double>(value) * 1e-9}; }
};

// A payload or file size, in bytes.
struct Bytes : Additive<Bytes> {
  std::uint64_t value = 0;
  constexpr Bytes() = default;
  constexpr explicit Bytes(std::uint64_t bytes) : value(bytes) {}
  friend constexpr auto operator<=>(Bytes a, Bytes b) { return a.value <=> b.value; }
  friend constexpr bool operator==(Bytes a, Bytes b) { return a.value == b.value; }
};

// A data rate, in bytes per second.
struct BytesPerSecond {
  double value = 0;
  friend constexpr auto operator<=>(BytesPerSecond, BytesPerSecond) = default;
};

// A computing rate, in floating-point operations per second.
struct FlopPerSecond {
  double value = 0;
  friend constexpr auto operator<=>(FlopPerSecond, FlopPerSecond) = default;
};

}  // namespace reprise
