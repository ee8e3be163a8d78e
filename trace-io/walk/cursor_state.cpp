// SPDX-License-Identifier: MIT
// Making a cursor: its block of memory, and which entries, classes and views are the rank's.
#include "trace-io/walk/cursor_state.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "trace-io/base/error.hpp"
#include "trace-io/base/prefetch.hpp"

namespace reprise::trace_io {
namespace {

// What the rank has in a field that never changes for it.
std::int64_t first_for(const FieldValues& entries, Rank rank) {
  if (entries.empty()) return 0;
  const FieldEntry* entry = entries.size() == 1 ? &entries.front() : ranked_for(entries, rank);
  REPRISE_ASSERT(entry, "the entries of a field cover all ranks of its node");
  return entry->values.empty() ? 0 : entry->values.front();
}

}  // namespace

// What each event reads comes first, the readers, which are long, last.
struct Cursor::State::Room {
  explicit Room(const CompiledProgram& program)
      : loops(sizeof(State)),
        numbers(loops + program.depth * sizeof(LoopUnderWay)),
        vector_ends(numbers + (program.numbers + program.scalars) * sizeof(std::int64_t)),
        readers(up(vector_ends + program.vectors * sizeof(std::uint32_t))),
        size(readers + program.readers * sizeof(Reader)) {}
  static std::size_t up(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

  std::size_t loops, numbers, vector_ends, readers, size;  // bytes from the state's first
};

std::unique_ptr<Cursor::State> Cursor::State::make(const Room& room,
                                                   const Programs::State& programs, Rank rank,
                                                   std::size_t thread) {
  const auto give_back = [](void* block) { operator delete(block); };
  std::unique_ptr<void, decltype(give_back)> block(
      ::operator new (room.size, std::align_val_t{alignof(State)}), give_back);
  std::unique_ptr<State> state(::new (block.get()) State(programs, rank, thread));
  static_cast<void>(block.release());
  state->furnish(room);
  return state;
}

std::unique_ptr<Cursor::State> Cursor::State::make(const Programs::State& programs, Rank rank,
                                                   std::size_t thread) {
  std::unique_ptr<State> state =
      make(Room(programs.threads[thread].program_of(rank)), programs, rank, thread);
  state->read_entries();
  return state;
}

std::unique_ptr<Cursor::State> Cursor::State::copy() const {
  std::unique_ptr<State> state = make(Room(program), programs, rank,
                                      static_cast<std::size_t>(&thread - programs.threads.data()));
  state->position = position;
  state->stop = stop;
  state->depth = depth;
  state->begun = begun;
  state->current = current;
  state->leaf = leaf;
  state->predecessor = predecessor;
  state->elements = elements;
  if (history) *state->history = *history;
  std::copy_n(loops, program.depth, state->loops);
  std::copy_n(readers, program.readers, state->readers);
  std::copy_n(numbers, program.numbers + program.scalars, state->numbers);
  std::copy_n(vector_ends, program.vectors, state->vector_ends);
  return state;
}

Cursor::State::State(const Programs::State& its_programs, Rank its_rank, std::size_t its_thread)
    : operations(its_programs.threads[its_thread].program_of(its_rank).operations.data()),
      operation_count(static_cast<std::uint32_t>(
          its_programs.threads[its_thread].program_of(its_rank).operations.size())),
      thread(its_programs.threads[its_thread]),
      history(thread.has_ages || thread.has_tag_steps ? std::make_unique<History>() : nullptr),
      program(thread.program_of(its_rank)),
      programs(its_programs),
      rank(its_rank) {
  if (thread.has_ages) history->requests.emplace();
}

Cursor::State::~State() {
  if (readers != nullptr) std::destroy_n(readers, program.readers);  // the other arrays are numbers
}

void Cursor::State::furnish(const Room& room) {
  auto* const block = reinterpret_cast<std::byte*>(this);
  const auto place = [block]<class Thing>(std::size_t at, std::size_t count, Thing*& to) {
    to = reinterpret_cast<Thing*>(block + at);
    std::uninitialized_value_construct_n(to, count);
  };
  place(room.loops, program.depth, loops);
  place(room.numbers, program.numbers + program.scalars, numbers);
  scalars = numbers + program.numbers;
  place(room.vector_ends, program.vectors, vector_ends);
  place(room.readers, program.readers, readers);
}

void Cursor::State::fetch_state() const {
  const char* const begin = reinterpret_cast<const char*>(this);
  for (std::size_t at = 0; at < sizeof(State); at += alignof(State)) prefetch(begin + at);
}

void Cursor::State::fetch_place() const {
  prefetch(loops);
  prefetch(scalars);
  prefetch(operations + position);
}

void Cursor::State::fetch_events() const {
  if (position >= operation_count) return;
  const Operation& next = operations[position];
  fetch_plan(position);
  fetch_plan(position + 1);
  prefetch(&numbers[next.first_number]);
  const char* const reader = reinterpret_cast<const char*>(&readers[next.first_reader]);
  for (std::size_t at = 0; at < sizeof(Reader); at += alignof(State)) prefetch(reader + at);
  prefetch(reader + sizeof(Reader) - 1);
}

// Of the operation's leaf, if it is one.
void Cursor::State::fetch_plan(std::uint32_t operation) const {
  if (operation >= operation_count || operations[operation].kind != Operation::Kind::leaf) return;
  const char* const plan =
      reinterpret_cast<const char*>(&thread.plans.leaves[operations[operation].plan]);
  for (std::size_t at = 0; at < sizeof(LeafPlan); at += alignof(LeafPlan)) prefetch(plan + at);
}

void Cursor::State::read_entries() {
  for (const Operation& operation : program.operations) {
    if (operation.kind == Operation::Kind::leaf) {
      const LeafPlan& plan = thread.plans.leaves[operation.plan];
      read_fields(operation, plan);
      for (const ClassPlan& classes : thread.plans.compute(plan)) prepare(classes, operation);
      prepare(thread.plans.communicate(plan), operation);
    } else if (operation.kind == Operation::Kind::loop_begin) {
      const LoopPlan& plan = thread.loops[program.loops[operation.plan].plan];
      prepare(plan.iterations, plan.loop->iterations, operation, nullptr);
      prepare(plan.exits, plan.loop->exits, operation, nullptr);
    }
  }
}

void Cursor::State::read_fields(const Operation& operation, const LeafPlan& plan) {
  const std::vector<FieldValues>& entries = thread.plans.leaf(plan).fields;  // scalars come first
  const FieldPlan* field = thread.plans.fields_of(plan);
  for (std::size_t i = 0; i < plan.scalars; ++i) prepare(*field++, entries[i], operation, &plan);
  for (std::size_t i = plan.scalars; i < std::size_t{plan.scalars} + plan.vectors; ++i) {
    prepare(*field++, entries[i], operation, &plan, Part::lengths);
    prepare(*field++, entries[i], operation, &plan);
  }
}

void Cursor::State::prepare(const FieldPlan& plan, const FieldValues& entries,
                            const Operation& operation, const LeafPlan* its_leaf, Part part) {
  if (plan.source == Source::constant) return;
  const FieldEntry* entry = ranked_for(entries, rank);
  REPRISE_ASSERT(entry, "the entries of a field cover all ranks of its node");
  const ValueSequence& values = part == Part::values ? entry->values : entry->lengths.sequence();
  Reader reader;
  if (its_leaf && part == Part::values) prepare_view(reader, plan, *entry, *its_leaf);
  if (plan.source == Source::per_rank) {
    numbers[operation.first_number + plan.slot] = values.empty() ? 0 : reader.view(values.front());
  } else {
    reader.values = ValueSequence::Cursor(values);
    reader.size_of = plan.size_of;
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
  const FieldValues* frame = thread.plans.frame_of(plan, its_leaf);
  if (!frame) {
    reader.view.stored = {stored_by.value, programs.trace.header.ranks};
    reader.view.own = {rank.value, programs.trace.header.ranks};
  } else {
    // by the rule of trace.hpp ("Peers") the communicator is one and the same in all calls of either rank
    reader.view.stored = position_in(first_for(*frame, stored_by), stored_by);
    reader.view.own = position_in(first_for(*frame, rank), rank);
  }
}

Position Cursor::State::position_in(std::int64_t communicator, Rank whose) const {
  return programs.communicators.frame_of(whose, communicator).value_or(Position{});
}

}  // namespace reprise::trace_io
