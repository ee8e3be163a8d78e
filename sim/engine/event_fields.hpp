// SPDX-License-Identifier: MIT
// The fields of the event under a cursor, by name. Cost: two table look-ups.
#pragma once

#include <cstdint>
#include <span>

#include "trace-io/walk/cursor.hpp"

namespace reprise::sim {

class EventFields {
 public:
  explicit EventFields(const trace_io::Cursor&);
  // REQUIRES: the event's procedure has the field.
  std::int64_t scalar(trace_io::Field field) const { return scalars_[positions_[static_cast<std::size_t>(field)]]; }
  std::span<const std::int64_t> vector(trace_io::Field field) const {
    return cursor_.vector(positions_[static_cast<std::size_t>(field)]);
  }
  bool has(trace_io::Field field) const { return positions_[static_cast<std::size_t>(field)] != kAbsent; }

  static constexpr std::uint8_t kAbsent = 255;

 private:
  const trace_io::Cursor& cursor_;
  std::span<const std::int64_t> scalars_;
  const std::uint8_t* positions_;  // by Field; scalars and vectors are counted apart
};

}  // namespace reprise::sim
