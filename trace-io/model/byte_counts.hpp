// SPDX-License-Identifier: MIT
// Sizes in a trace: bytes from 0 to kMostBytes.
//
// Why     a count of MPI and the size of a datatype are 64 bits each, their product need not be; and what nobody can send (2⁶² bytes take
//         half a year at 300 GB/s) need not be exact. A recorder writes kMostBytes for all that is larger and says so; a reader refuses
//         what is not in the range. Sums and differences of two sizes stay within 63 bits.
#pragma once

#include <cstdint>
#include <optional>

namespace reprise::trace_io {

inline constexpr std::int64_t kMostBytes = std::int64_t{1} << 62;

// The loss that tells of messages cut short: how many. A replay of such a trace cuts them short as well.
inline constexpr const char* kCutShort =
    "messages longer than the room for them (MPI_ERR_TRUNCATE)";

// `count` parts of `unit` bytes; nothing where that is no size: too large, or below 0 (MPI_UNDEFINED, where the library itself could
// not say how large a datatype is).
constexpr std::optional<std::int64_t> bytes_of(std::int64_t count, std::int64_t unit) {
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(count, unit, &bytes) ||
      static_cast<std::uint64_t>(bytes) > static_cast<std::uint64_t>(kMostBytes))
    return std::nullopt;
  return bytes;
}

}  // namespace reprise::trace_io
