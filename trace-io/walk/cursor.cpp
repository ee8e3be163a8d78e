// SPDX-License-Identifier: MIT
#include "trace-io/walk/cursor.hpp"

#include <algorithm>
#include <utility>

#include "trace-io/base/error.hpp"
#include "trace-io/base/prefetch.hpp"
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
    if (position == operation_count) return false;
    const Operation& operation = operations[position];
    switch (operation.kind) {
      case Operation::Kind::leaf:
        ++position;
        current = &operation;
        leaf = &thread.plans.leaves[operation.plan];
        if (thread.plans.leaves.size() > kFewPlans) fetch_coming();
        read_event();
        return true;
      case Operation::Kind::loop_begin:
        enter(operation, program.loops[operation.plan]);
        break;
      case Operation::Kind::loop_end: {
        LoopUnderWay& loop = loops[depth - 1];
        if (loop.passes > 1) {
          --loop.passes;
          ++loop.passed;
          begun = std::min(begun, depth - 1);
          position = program.loops[operation.plan].first;
        } else if (loop.passes == 1 && loop.exit != kNowhere) {
          loop.passes = 0;
          ++loop.passed;
          stop = loop.exit;
          position = program.loops[operation.plan].first;
        } else {
          leave();
        }
        break;
      }
    }
  }
}

// Asks the processor for the plan of the event after the next, and for the next one's fields where they are not in its plan, which has been asked
// for an event ago. Without it, where each rank has calls of its own, every event waits for its plan.
void Cursor::State::fetch_coming() const {
  fetch_plan(position + 1);  // POSITION is that of the next event
  if (position < operation_count && operations[position].kind == Operation::Kind::leaf) {
    const LeafPlan& plan = thread.plans.leaves[operations[position].plan];
    if (plan.fields() <= LeafPlan::kFew) return;
    const char* const begin = reinterpret_cast<const char*>(thread.plans.fields_of(plan));
    for (std::size_t at = 0; at < plan.fields() * sizeof(FieldPlan); at += alignof(State))
      prefetch(begin + at);
  }
}

void Cursor::State::enter(const Operation& begin, const LoopPart& part) {
  const LoopPlan& plan = thread.loops[part.plan];
  current = &begin;
  const auto passes = static_cast<std::uint64_t>(next(plan.iterations));
  const auto exit = static_cast<std::uint64_t>(next(plan.exits));
  position = part.behind;
  if (part.children == 0 || (passes == 0 && exit == 0)) return;
  LoopUnderWay& loop = loops[depth++];
  loop = {passes, kNowhere, part.behind, 0};
  if (passes > 0) begun = std::min(begun, depth - 1);
  if (exit > 0)
    loop.exit = exit < part.children ? program.children[part.first_child + exit] : part.behind - 1;
  stop = passes == 0 ? loop.exit : kNowhere;
  position = program.children[part.first_child];
}

void Cursor::State::leave() {
  position = loops[--depth].end;
  stop = depth > 0 && loops[depth - 1].passes == 0 ? loops[depth - 1].exit : kNowhere;
}

void Cursor::State::read_event() {
  const FieldPlan* plan = thread.plans.fields_of(*leaf);
  for (std::uint32_t i = 0; i < leaf->scalars; ++i) scalars[i] = next(*plan++);
  elements.clear();
  for (std::uint32_t i = 0; i < leaf->vectors; ++i, plan += 2) {
    const FieldPlan& values = plan[1];
    const std::int64_t length = next(plan[0]);
    if (values.source == Source::reader) {
      Reader& reader = readers[current->first_reader + values.slot];
      REPRISE_ASSERT(static_cast<std::uint64_t>(length) <= reader.values.remaining(),
                     "a vector field holds its elements");
      for (std::int64_t element = 0; element < length; ++element)
        elements.push_back(reader.view(reader.values.next()));
    } else {
      elements.insert(elements.end(), static_cast<std::size_t>(length), next(values));
    }
    vector_ends[i] = static_cast<std::uint32_t>(elements.size());
  }
  if (!history) return;
  if (history->requests) number_requests();
  if (thread.has_tag_steps) number_tag();
}

void Cursor::State::number_tag() {
  if (!has_tag_steps(leaf->procedure->kind) || leaf->scalars <= kTagPlace) return;
  scalars[kTagPlace] = history->tags.tag(scalars[kTagComm], scalars[kTagPlace]);
}

void Cursor::State::number_requests() {
  const RequestFields& fields =
      programs.requests[static_cast<std::size_t>(leaf->procedure - programs.procedures.data())];
  if (fields.use == RequestFields::Use::none) return;
  const auto list = [&](int index) {
    if (index < 0) return std::span<std::int64_t>();
    const std::uint32_t begin = index == 0 ? 0 : vector_ends[static_cast<std::uint32_t>(index) - 1];
    const std::uint32_t end = vector_ends[static_cast<std::uint32_t>(index)];
    return std::span(elements).subspan(begin, end - begin);
  };
  history->requests->translate(fields, fields.request < 0 ? nullptr : &scalars[fields.request],
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
void Cursor::prepare(unsigned steps) const {
  if (steps == 2) state_->fetch_state();
  if (steps == 1) state_->fetch_place();
  if (steps == 0) state_->fetch_events();
}
SiteId Cursor::site() const { return state_->leaf->site; }
const Procedure& Cursor::procedure() const { return *state_->leaf->procedure; }
const Leaf& Cursor::leaf() const { return state_->thread.plans.leaf(*state_->leaf); }

std::span<const std::int64_t> Cursor::scalars() const {
  return {state_->scalars, state_->leaf->scalars};
}

std::span<const std::int64_t> Cursor::vector(std::size_t index) const {
  const std::uint32_t begin = index == 0 ? 0 : state_->vector_ends[index - 1];
  return std::span(state_->elements).subspan(begin, state_->vector_ends[index] - begin);
}

const DeltaClass* Cursor::compute() const {
  const SiteId predecessor = state_->thread.is_timed_by_path ? state_->predecessor : kNoSite;
  const auto paths = state_->thread.plans.compute(*state_->leaf);
  const auto path = std::ranges::find(paths, predecessor, &ClassPlan::predecessor);
  return path == paths.end() ? nullptr : state_->class_of(*path);
}

const DeltaClass* Cursor::communicate() const {
  return state_->class_of(state_->thread.plans.communicate(*state_->leaf));
}

}  // namespace reprise::trace_io
