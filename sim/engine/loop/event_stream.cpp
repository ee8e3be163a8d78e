// SPDX-License-Identifier: MIT
#include "sim/engine/loop/event_stream.hpp"

#include <array>
#include <iterator>
#include <utility>

namespace reprise::sim {
namespace {

constexpr std::size_t kCollectives =
    static_cast<std::size_t>(trace_io::Collective::neighbor_alltoallw) + 1;
using Positions = std::array<std::uint8_t, trace_io::kFieldCount>;

// By kind and collective operation; what a procedure carries depends on nothing else.
std::array<std::array<Positions, kCollectives>, trace_io::kKinds> all_positions() {
  std::array<std::array<Positions, kCollectives>, trace_io::kKinds> table;
  for (auto& row : table)
    for (auto& positions : row) positions.fill(EventFields::kAbsent);
  for (const trace_io::Procedure& procedure : trace_io::known_procedures()) {
    auto& positions = table[static_cast<std::size_t>(procedure.kind)]
                           [static_cast<std::size_t>(procedure.collective)];
    std::uint8_t scalars = 0, vectors = 0;
    for (const trace_io::FieldSpec& spec : trace_io::fields(procedure))
      positions[static_cast<std::size_t>(spec.field)] = spec.is_vector ? vectors++ : scalars++;
  }
  return table;
}

const auto kPositions = all_positions();  // known_procedures() is there whenever it is asked for

inline const std::uint8_t* positions_of(const trace_io::Procedure& procedure) {
  return kPositions[static_cast<std::size_t>(procedure.kind)]
                   [static_cast<std::size_t>(procedure.collective)]
                       .data();
}

}  // namespace

bool EventStream::advance() {
  if (is_plain()) return cursor_.advance();
  stored_->played.splice(stored_->played.begin(), stored_->events, stored_->events.begin());
  return !stored_->events.empty() || cursor_.advance();
}

void EventStream::store() {
  if (!stored_) stored_ = std::make_unique<Stored>();
  std::list<Event>& events = stored_->events;
  if (stored_->played.empty())
    events.emplace_back();
  else
    events.splice(events.end(), stored_->played, stored_->played.begin());
  Event& event = events.back();
  event.number = stored_->count++;
  event.site = cursor_.site();
  event.procedure = &cursor_.procedure();
  event.scalars.assign(cursor_.scalars().begin(), cursor_.scalars().end());
  event.vectors.resize(trace_io::vector_count(*event.procedure));
  for (std::size_t i = 0; i < event.vectors.size(); ++i) {
    const auto elements = cursor_.vector(i);
    event.vectors[i].assign(elements.begin(), elements.end());
  }
  event.compute = cursor_.compute();
  event.communicate = cursor_.communicate();
}

EventStream::Place EventStream::current() {
  if (is_plain()) store();
  return stored_->events.begin();
}

std::optional<EventStream::Place> EventStream::behind(Place place) {
  if (std::next(place) == stored_->events.end()) {
    if (!cursor_.advance()) return std::nullopt;
    store();
  }
  return std::next(place);
}

void EventStream::bring_forward(Place first, Place last) {
  std::list<Event>& events = stored_->events;
  std::swap(events.front().compute, first->compute);
  events.splice(events.begin(), events, first, std::next(last));
}

EventFields::EventFields(const trace_io::Cursor& cursor)
    : cursor_(&cursor), scalars_(cursor.scalars()), positions_(positions_of(cursor.procedure())) {}

EventFields::EventFields(const EventStream& stream)
    : cursor_(&stream.cursor()),
      event_(stream.stored()),
      scalars_(stream.scalars()),
      positions_(positions_of(stream.procedure())) {}

EventFields::EventFields(const EventStream::Event& event)
    : event_(&event), scalars_(event.scalars), positions_(positions_of(*event.procedure)) {}

}  // namespace reprise::sim
