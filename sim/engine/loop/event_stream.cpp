// SPDX-License-Identifier: MIT
#include "sim/engine/loop/event_stream.hpp"

#include <algorithm>
#include <array>
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
  stored_->pop_front();
  return !stored_->empty() || cursor_.advance();
}

void EventStream::store() {
  if (!stored_) stored_ = std::make_unique<std::deque<Event>>();
  Event& event = stored_->emplace_back();
  event.site = cursor_.site();
  event.procedure = &cursor_.procedure();
  event.scalars.assign(cursor_.scalars().begin(), cursor_.scalars().end());
  const std::size_t vectors = trace_io::vector_count(*event.procedure);
  for (std::size_t i = 0; i < vectors; ++i) {
    const auto elements = cursor_.vector(i);
    event.vectors.emplace_back(elements.begin(), elements.end());
  }
  event.compute = cursor_.compute();
  event.communicate = cursor_.communicate();
}

const EventStream::Event* EventStream::peek(std::size_t n) {
  if (is_plain()) store();
  while (stored_->size() <= n) {
    if (!cursor_.advance()) return nullptr;
    store();
  }
  return &(*stored_)[n];
}

void EventStream::bring_forward(std::size_t first, std::size_t count) {
  std::swap(stored_->front().compute, (*stored_)[first].compute);
  const auto begin = stored_->begin();
  const auto from = begin + static_cast<std::ptrdiff_t>(first);
  std::rotate(begin, from, from + static_cast<std::ptrdiff_t>(count));
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
