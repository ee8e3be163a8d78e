// SPDX-License-Identifier: MIT
// A rank's events one after the other, as a cursor gives them, with the possibility to look ahead and to change their order.
//
// Cost  as the cursor's, and one branch, while nobody looks ahead; an event looked at ahead of its time is copied once.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "trace-io/walk/cursor.hpp"

namespace reprise::sim {

class EventStream {
 public:
  EventStream(const trace_io::Programs& programs, Rank rank, std::size_t thread)
      : cursor_(programs, rank, thread) {}

  // As trace_io::Cursor's.
  bool advance();
  trace_io::SiteId site() const {
    return is_plain() ? cursor_.site() : stored_->events.front().site;
  }
  const trace_io::Procedure& procedure() const {
    return is_plain() ? cursor_.procedure() : *stored_->events.front().procedure;
  }
  std::span<const std::int64_t> scalars() const {
    return is_plain() ? cursor_.scalars()
                      : std::span<const std::int64_t>(stored_->events.front().scalars);
  }
  std::span<const std::int64_t> vector(std::size_t index) const {
    return is_plain() ? cursor_.vector(index)
                      : std::span<const std::int64_t>(stored_->events.front().vectors[index]);
  }
  const trace_io::DeltaClass* compute() const {
    return is_plain() ? cursor_.compute() : stored_->events.front().compute;
  }
  const trace_io::DeltaClass* communicate() const {
    return is_plain() ? cursor_.communicate() : stored_->events.front().communicate;
  }

  struct Event {
    std::uint64_t number = 0;  // of those stored, each its own; later ones have higher ones
    trace_io::SiteId site = trace_io::kNoSite;
    const trace_io::Procedure* procedure = nullptr;
    std::vector<std::int64_t> scalars;
    std::vector<std::vector<std::int64_t>> vectors;
    const trace_io::DeltaClass* compute = nullptr;
    const trace_io::DeltaClass* communicate = nullptr;
  };
  // An event that was looked at, until it has been played.
  using Place = std::list<Event>::iterator;
  Place current();
  // The one behind it; none past the end of the program.
  std::optional<Place> behind(Place);
  // Those that were looked at and not played yet, with the current one.
  std::size_t looked_at() const { return is_plain() ? 0 : stored_->events.size(); }
  // The events from `first` to `last` come before the current one, which trades its compute time with theirs: the time before the
  // current call has been played already. REQUIRES: `first` is behind the current one.
  void bring_forward(Place first, Place last);
  // Nothing has been looked at that has not been played: the cursor stands at the current event.
  bool is_plain() const { return !stored_ || stored_->events.empty(); }
  const Event* stored() const { return is_plain() ? nullptr : &stored_->events.front(); }
  const trace_io::Cursor& cursor() const { return cursor_; }
  trace_io::Cursor& cursor() { return cursor_; }  // REQUIRES: is_plain()

 private:
  void store();

  trace_io::Cursor cursor_;
  struct Stored {
    std::list<Event>
        events;  // the current one and those looked at; none: the current one is the cursor's
    std::list<Event> played;  // whose memory is used again
    std::uint64_t count = 0;
  };
  std::unique_ptr<Stored> stored_;
};

// The fields of an event, by name. Cost: two table look-ups.
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
