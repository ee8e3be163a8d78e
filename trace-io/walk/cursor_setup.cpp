// SPDX-License-Identifier: MIT
// Making a cursor: which entries, classes and views are the rank's.
#include "trace-io/base/error.hpp"
#include "trace-io/walk/cursor_state.hpp"

namespace reprise::trace_io {

Cursor::State::State(const Programs::State& its_programs, Rank its_rank, std::size_t its_thread)
    : programs(its_programs),
      thread(programs.threads[its_thread]),
      program(thread.program_of(its_rank)),
      rank(its_rank),
      loops(std::make_unique<LoopUnderWay[]>(program.depth)),
      readers(std::make_unique<Reader[]>(program.readers)),
      numbers(std::make_unique<std::int64_t[]>(program.numbers + program.scalars)),
      vector_ends(std::make_unique<std::uint32_t[]>(program.vectors)) {
  for (const Operation& operation : program.operations) {
    if (operation.kind == Operation::Kind::leaf) {
      const LeafPlan& plan = thread.leaves[operation.plan];
      for (const FieldPlan& field : plan.scalars) prepare(field, operation, &plan);
      for (const auto& [lengths, values] : plan.vectors) {
        prepare(lengths, operation, &plan);
        prepare(values, operation, &plan);
      }
      for (const ClassPlan& classes : plan.compute) prepare(classes, operation);
      prepare(plan.communicate, operation);
    } else if (operation.kind == Operation::Kind::loop_begin) {
      const LoopPlan& plan = thread.loops[operation.plan];
      prepare(plan.iterations, operation, nullptr);
      prepare(plan.exits, operation, nullptr);
    }
  }
}

void Cursor::State::prepare(const FieldPlan& plan, const Operation& operation,
                            const LeafPlan* its_leaf) {
  if (plan.source == Source::constant) return;
  const FieldEntry* entry = ranked_for(*plan.entries, rank);
  REPRISE_ASSERT(entry, "the entries of a field cover all ranks of its node");
  const ValueSequence& values = entry->*plan.part;
  Reader reader;
  if (its_leaf && plan.part == &FieldEntry::values) prepare_view(reader, plan, *entry, *its_leaf);
  if (plan.source == Source::per_rank) {
    numbers[operation.first_number + plan.slot] = values.empty() ? 0 : reader.view(values.front());
  } else {
    reader.values = ValueSequence::Cursor(values);
    readers[operation.first_reader + plan.slot] = std::move(reader);
  }
}

void Cursor::State::prepare(const ClassPlan& plan, const Operation& operation) {
  if (!plan.per_rank) return;
  const DeltaClass* found = ranked_for(*plan.classes, rank);
  numbers[operation.first_number + plan.slot] = found ? found - plan.classes->data() : kNone;
}

void Cursor::State::prepare_view(Reader& reader, const FieldPlan& plan, const FieldEntry& entry,
                                 const LeafPlan& its_leaf) {
  const Rank stored_by = entry.ranks.front();
  if (plan.frame == PeerFrame::not_a_peer || entry.form == PeerForm::absolute || stored_by == rank)
    return;
  reader.view.form = entry.form;
  const FieldPlan* frame = its_leaf.frame_of(plan);
  if (!frame) {
    reader.view.stored = {stored_by.value, programs.trace.header.ranks};
    reader.view.own = {rank.value, programs.trace.header.ranks};
  } else {
    // by the rule of trace.hpp ("Peers") the communicator is one and the same in all calls of either rank
    reader.view.stored = position_in(constant_for(*frame, stored_by), stored_by);
    reader.view.own = position_in(constant_for(*frame, rank), rank);
  }
}

Position Cursor::State::position_in(std::int64_t communicator, Rank whose) const {
  return programs.communicators.frame_of(whose, communicator).value_or(Position{});
}

std::int64_t Cursor::State::constant_for(const FieldPlan& plan, Rank whose) const {
  if (plan.source == Source::constant) return plan.value;
  const FieldEntry* entry = ranked_for(*plan.entries, whose);
  REPRISE_ASSERT(entry && !entry->values.empty(),
                 "the entries of a field cover all ranks of its node");
  return entry->values.front();
}

}  // namespace reprise::trace_io
