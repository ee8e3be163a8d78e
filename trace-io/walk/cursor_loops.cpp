// SPDX-License-Identifier: MIT
// What a cursor knows of the loops around it, and jumping over iterations.
#include <algorithm>
#include <utility>

#include "trace-io/base/error.hpp"
#include "trace-io/walk/cursor_state.hpp"

namespace reprise::trace_io {

Cursor::State::State(const State& other)
    : programs(other.programs),
      thread(other.thread),
      program(other.program),
      rank(other.rank),
      position(other.position),
      stop(other.stop),
      depth(other.depth),
      begun(other.begun),
      current(other.current),
      leaf(other.leaf),
      predecessor(other.predecessor),
      loops(std::make_unique<LoopUnderWay[]>(program.depth)),
      readers(std::make_unique<Reader[]>(program.readers)),
      numbers(std::make_unique<std::int64_t[]>(program.numbers + program.scalars)),
      vector_ends(std::make_unique<std::uint32_t[]>(program.vectors)),
      elements(other.elements) {
  std::copy_n(other.loops.get(), program.depth, loops.get());
  std::copy_n(other.readers.get(), program.readers, readers.get());
  std::copy_n(other.numbers.get(), program.numbers + program.scalars, numbers.get());
  std::copy_n(other.vector_ends.get(), program.vectors, vector_ends.get());
}

Cursor::Cursor(std::unique_ptr<State> state) : state_(std::move(state)) {}
Cursor Cursor::copy() const { return Cursor(std::make_unique<State>(*state_)); }

std::uint32_t Cursor::depth() const { return state_->depth; }
bool Cursor::began_iteration() const { return state_->begun < state_->depth; }
std::uint32_t Cursor::begun() const { return state_->begun; }

Cursor::LoopPlace Cursor::loop(std::uint32_t depth) const {
  const auto& loop = state_->loops[depth];
  const std::uint32_t number = state_->loop_end(depth).plan;
  const LoopPlan& plan = state_->thread.loops[number];
  return {number, plan.loop, plan.is_everyones, loop.passed, loop.passes};
}

void Cursor::values_left(std::uint32_t depth, std::vector<std::uint64_t>& to) const {
  to.clear();
  for (const auto& reader : state_->body_readers(depth)) to.push_back(reader.values.remaining());
}

std::uint64_t Cursor::periods_alike(std::uint32_t depth,
                                    std::span<const std::uint64_t> values_per_period) const {
  const auto readers = state_->body_readers(depth);
  std::uint64_t periods = ~std::uint64_t{0};
  for (std::size_t i = 0; i < readers.size(); ++i)
    if (const std::uint64_t values = values_per_period[i]; values > 0)
      periods = std::min(periods, readers[i].values.repeats(values) / values);
  return periods;
}

void Cursor::jump(std::uint32_t depth, std::uint64_t iterations, std::uint64_t periods,
                  std::span<const std::uint64_t> values_per_period) {
  auto& loop = state_->loops[depth];
  REPRISE_ASSERT(iterations < loop.passes, "a jump ends inside its loop");
  const auto readers = state_->body_readers(depth);
  for (std::size_t i = 0; i < readers.size(); ++i)
    readers[i].values.skip(periods * values_per_period[i]);
  loop.passes -= iterations;
  loop.passed += iterations;
}

}  // namespace reprise::trace_io
