// SPDX-License-Identifier: MIT
#include "trace-io/walk/cursor.hpp"

#include <algorithm>
#include <utility>

#include "trace-io/base/error.hpp"
#include "trace-io/walk/cursor_state.hpp"

namespace reprise::trace_io {

namespace {

constexpr std::size_t kFewPlans = 512;  // they stay in a core's own cache

}  // namespace

bool Cursor::State::advance() {
  if (leaf) predecessor = leaf->site;
  begun = kNowhere;
  for (;;) {
    if (position == stop) {
      leave();
      continue;
    }
    if (position == program.operations.size()) return false;
    const Operation& operation = program.operations[position];
    switch (operation.kind) {
      case Operation::Kind::leaf:
        ++position;
        current = &operation;
        leaf = &thread.leaves[operation.plan];
        if (thread.leaves.size() > kFewPlans) fetch_coming();
        read_event();
        return true;
      case Operation::Kind::loop_begin:
        enter(operation);
        break;
      case Operation::Kind::loop_end: {
        LoopUnderWay& loop = loops[depth - 1];
        if (loop.passes > 1) {
          --loop.passes;
          ++loop.passed;
          begun = std::min(begun, depth - 1);
          position = operation.other;
        } else if (loop.passes == 1 && loop.exit != kNowhere) {
          loop.passes = 0;
          ++loop.passed;
          stop = loop.exit;
          position = operation.other;
        } else {
          leave();
        }
        break;
      }
    }
  }
}

// Asks the processor for the plans of the two events that follow, the nearer of which has been asked for an event ago and has its fields to be
// asked for now. Without it, where each rank has calls of its own, every event waits for its plan and then for the plan's fields.
void Cursor::State::fetch_coming() const {
  constexpr std::size_t kCacheLine = 64;
  const std::size_t next = position, behind = next + 1;  // POSITION is that of the next event
  if (behind >= program.operations.size()) return;
  if (program.operations[behind].kind == Operation::Kind::leaf) {
    const LeafPlan& plan = thread.leaves[program.operations[behind].plan];
    const char* const begin = reinterpret_cast<const char*>(&plan);
    for (std::size_t at = 0; at < sizeof(LeafPlan); at += kCacheLine)
      __builtin_prefetch(begin + at);
  }
  if (program.operations[next].kind == Operation::Kind::leaf) {
    const std::vector<FieldPlan>& fields = thread.leaves[program.operations[next].plan].scalars;
    const char* const begin = reinterpret_cast<const char*>(fields.data());
    for (std::size_t at = 0; at < fields.size() * sizeof(FieldPlan); at += kCacheLine)
      __builtin_prefetch(begin + at);
  }
}

void Cursor::State::enter(const Operation& begin) {
  const LoopPlan& plan = thread.loops[begin.plan];
  current = &begin;
  const auto passes = static_cast<std::uint64_t>(next(plan.iterations));
  const auto exit = static_cast<std::uint64_t>(next(plan.exits));
  position = begin.other;
  if (begin.children == 0 || (passes == 0 && exit == 0)) return;
  LoopUnderWay& loop = loops[depth++];
  loop = {passes, kNowhere, begin.other, 0};
  if (passes > 0) begun = std::min(begun, depth - 1);
  if (exit > 0)
    loop.exit =
        exit < begin.children ? program.children[begin.first_child + exit] : begin.other - 1;
  stop = passes == 0 ? loop.exit : kNowhere;
  position = program.children[begin.first_child];
}

void Cursor::State::leave() {
  position = loops[--depth].end;
  stop = depth > 0 && loops[depth - 1].passes == 0 ? loops[depth - 1].exit : kNowhere;
}

void Cursor::State::read_event() {
  std::int64_t* scalar = &numbers[program.numbers];
  for (const FieldPlan& plan : leaf->scalars) *scalar++ = next(plan);
  elements.clear();
  std::uint32_t* end = vector_ends;
  for (const auto& [lengths, values] : leaf->vectors) {
    const std::int64_t length = next(lengths);
    if (values.source == Source::reader) {
      Reader& reader = readers[current->first_reader + values.slot];
      REPRISE_ASSERT(static_cast<std::uint64_t>(length) <= reader.values.remaining(),
                     "a vector field holds its elements");
      for (std::int64_t i = 0; i < length; ++i)
        elements.push_back(reader.view(reader.values.next()));
    } else {
      elements.insert(elements.end(), static_cast<std::size_t>(length), next(values));
    }
    *end++ = static_cast<std::uint32_t>(elements.size());
  }
  if (requests && leaf->requests.use != RequestFields::Use::none) number_requests();
}

void Cursor::State::number_requests() {
  const RequestFields& fields = leaf->requests;
  const auto list = [&](int index) {
    if (index < 0) return std::span<std::int64_t>();
    const std::uint32_t begin = index == 0 ? 0 : vector_ends[static_cast<std::uint32_t>(index) - 1];
    const std::uint32_t end = vector_ends[static_cast<std::uint32_t>(index)];
    return std::span(elements).subspan(begin, end - begin);
  };
  requests->translate(fields,
                      fields.request < 0
                          ? nullptr
                          : &numbers[program.numbers + static_cast<std::uint32_t>(fields.request)],
                      list(fields.requests), list(fields.completed));
}

std::int64_t Cursor::State::next(const FieldPlan& plan) {
  if (plan.source == Source::constant) return plan.value;
  if (plan.source == Source::per_rank) return numbers[current->first_number + plan.slot];
  Reader& reader = readers[current->first_reader + plan.slot];
  REPRISE_ASSERT(!reader.values.at_end(), "a field holds one value for each execution");
  return reader.view(reader.values.next());
}

const DeltaClass* Cursor::State::class_of(const ClassPlan& plan) const {
  if (plan.classes->empty()) return nullptr;
  if (!plan.per_rank) return &plan.classes->front();
  const std::int64_t index = numbers[current->first_number + plan.slot];
  return index < 0 ? nullptr : &(*plan.classes)[static_cast<std::size_t>(index)];
}

Cursor::Cursor(const Programs& programs, Rank rank, std::size_t thread)
    : state_(State::make(programs.state(), rank, thread)) {}
Cursor::Cursor(Cursor&&) noexcept = default;
Cursor& Cursor::operator=(Cursor&&) noexcept = default;
Cursor::~Cursor() = default;

bool Cursor::advance() { return state_->advance(); }
void Cursor::fetch_state() const { state_->fetch_state(); }
void Cursor::fetch() const { state_->fetch(); }
SiteId Cursor::site() const { return state_->leaf->site; }
const Procedure& Cursor::procedure() const { return *state_->leaf->procedure; }
const Leaf& Cursor::leaf() const { return *state_->leaf->leaf; }

std::span<const std::int64_t> Cursor::scalars() const {
  return {&state_->numbers[state_->program.numbers], state_->leaf->scalars.size()};
}

std::span<const std::int64_t> Cursor::vector(std::size_t index) const {
  const std::uint32_t begin = index == 0 ? 0 : state_->vector_ends[index - 1];
  return std::span(state_->elements).subspan(begin, state_->vector_ends[index] - begin);
}

const DeltaClass* Cursor::compute() const {
  const bool by_path = state_->programs.trace.header.timing == Timing::path;
  const SiteId predecessor = by_path ? state_->predecessor : kNoSite;
  const auto& paths = state_->leaf->compute;
  const auto path = std::ranges::find(paths, predecessor, &ClassPlan::predecessor);
  return path == paths.end() ? nullptr : state_->class_of(*path);
}

const DeltaClass* Cursor::communicate() const {
  return state_->class_of(state_->leaf->communicate);
}

}  // namespace reprise::trace_io
