// SPDX-License-Identifier: MIT
// The fields of an event, by name. Cost: two table look-ups.
#pragma once

#include <cstdint>
#include <span>

#include "sim/engine/loop/event_stream.hpp"
#include "trace-io/walk/cursor.hpp"

namespace reprise::sim {

class EventFields {
 public:
  explicit EventFields(const trace_io::Cursor&);
  explicit EventFields(
      const EventStream&);  // holds until the stream's next advance() or bring_forward()
  explicit EventFields(const EventStream::Event&);
  // REQUIRES: the event's procedure has the field.
  std::int64_t scalar(trace_io::Field field) const {
    return scalars_[positions_[static_cast<std::size_t>(field)]];
  }
  std::span<const std::int64_t> vector(trace_io::Field field) const {
    const std::uint8_t position = positions_[static_cast<std::size_t>(field)];
    return event_ == nullptr ? cursor_->vector(position)
                             : std::span<const std::int64_t>(event_->vectors[position]);
  }
  bool has(trace_io::Field field) const {
    return positions_[static_cast<std::size_t>(field)] != kAbsent;
  }

  static constexpr std::uint8_t kAbsent = 255;

 private:
  const trace_io::Cursor* cursor_ = nullptr;
  const EventStream::Event* event_ = nullptr;  // of the two, one
  std::span<const std::int64_t> scalars_;
  const std::uint8_t* positions_;  // by Field; scalars and vectors are counted apart
};

}  // namespace reprise::sim
