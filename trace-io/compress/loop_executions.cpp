// SPDX-License-Identifier: MIT
#include "trace-io/compress/loop_executions.hpp"

#include <limits>
#include <utility>

namespace reprise::trace_io {

void LoopExecutions::add_unforeseen(Execution execution) {
  constexpr std::uint64_t kMostEmpty = std::numeric_limits<std::uint32_t>::max();
  if (empty_ > kMostEmpty) add_all();
  if (!has_waiting() && !is_irregular()) {
    add_all();
    all_.iterations.append(static_cast<std::int64_t>(execution.passes));
    all_.exits.append(execution.exit);
    return;
  }
  if (!waiting_) waiting_ = std::make_unique<Waiting>();
  execution.empty_before = static_cast<std::uint32_t>(empty_);
  waiting_->empty += std::exchange(empty_, 0);
  waiting_->executions[waiting_->count++] = execution;
  if (waiting_->count == kMost) add_all();
}

void LoopExecutions::add_to(Sequences& all, std::span<const Execution> executions,
                            std::uint64_t empty_behind) {
  const auto add_empty = [&](std::uint64_t count) {
    all.iterations.append_run(0, 0, count);
    all.exits.append_run(0, 0, count);
  };
  for (const Execution& execution : executions) {
    add_empty(execution.empty_before);
    all.iterations.append(static_cast<std::int64_t>(execution.passes));
    all.exits.append(execution.exit);
  }
  add_empty(empty_behind);
}

// Whatever fails: none is added twice.
void LoopExecutions::add_all() {
  const std::uint64_t empty_behind = std::exchange(empty_, 0);
  if (!has_waiting()) return add_to(all_, {}, empty_behind);
  const Waiting now = *waiting_;
  waiting_->count = waiting_->empty = 0;
  add_to(all_, now.in_order(), empty_behind);
}

void LoopExecutions::add_single_passes(std::uint64_t executions) {
  add_all();
  all_.iterations.append_run(1, 0, executions);
  all_.exits.append_run(0, 0, executions);
}

void LoopExecutions::append(const LoopExecutions& later) {
  add_all();
  all_.iterations.append(later.all_.iterations);
  all_.exits.append(later.all_.exits);
  add_to(all_, later.waiting(), later.empty_);
}

void LoopExecutions::prepend_empty(std::uint64_t executions) {
  add_all();
  ended_.reset();
  for (ValueSequence* values : {&all_.iterations, &all_.exits}) {
    ValueSequence longer;
    longer.append_run(0, 0, executions);
    longer.append(*values);
    *values = std::move(longer);
  }
}

void LoopExecutions::assign(Sequences all) {
  *this = {};
  all_ = std::move(all);
}

std::uint64_t LoopExecutions::count() const {
  const std::uint64_t waiting = waiting_ ? waiting_->count + waiting_->empty : 0;
  return all_.iterations.size() + waiting + empty_;
}

std::optional<ValueSequence> LoopExecutions::exits_with_node_at(std::int64_t place) {
  add_all();
  return all_.exits.mapped([=](std::int64_t exit) { return exit > place ? exit + 1 : exit; });
}

void LoopExecutions::assign_exits(ValueSequence exits) {
  ended_.reset();
  all_.exits = std::move(exits);
}

ValueSequence LoopExecutions::leave_out_empty() {
  add_all();
  ValueSequence stays;
  bool may_have_empty = false;
  for (ValueSequence::Cursor at(all_.iterations); !at.at_end() && !may_have_empty;) {
    const auto run = at.run();
    may_have_empty =
        run.start <= 0 || run.start + run.stride * static_cast<std::int64_t>(run.count - 1) <= 0;
    at.skip(run.count);
  }
  if (!may_have_empty) {
    if (!all_.iterations.empty()) stays.append_run(1, 0, all_.iterations.size());
    return stays;
  }
  Sequences kept;
  for (ValueSequence::Cursor passes_of(all_.iterations), exit_of(all_.exits);
       !passes_of.at_end();) {
    const std::int64_t passes = passes_of.next(), exit = exit_of.next();
    const bool is_empty = passes == 0 && exit == 0;
    stays.append(is_empty ? 0 : 1);
    if (is_empty) continue;
    kept.iterations.append(passes);
    kept.exits.append(exit);
  }
  assign(std::move(kept));
  return stays;
}

LoopExecutions::Sequences LoopExecutions::with_open(std::uint64_t passes,
                                                    std::uint32_t position) const {
  if (ended_ && ended_->count == count() && ended_->passes == passes &&
      ended_->position == position)
    return ended_->all;
  Sequences all{all_.iterations.copy_to_append(), all_.exits.copy_to_append()};
  add_to(all, waiting(), empty_);
  all.iterations.append(static_cast<std::int64_t>(passes));
  all.exits.append(position);
  return all;
}

void LoopExecutions::settle(std::uint64_t passes, std::uint32_t position) {
  add_all();
  waiting_.reset();
  ended_.reset();
  if (is_irregular()) {
    const Sequences all = with_open(passes, position);
    ended_ = std::make_unique<Ended>(Ended{count(), passes, position, all});
  }
  // Copies have no tables of what came before; a run never has.
  for (ValueSequence* values : {&all_.iterations, &all_.exits})
    if (!values->empty() && !values->only_run()) *values = ValueSequence(*values);
}

bool LoopExecutions::is_irregular() const {
  return all_.iterations.has_terms(kManyTerms) || all_.exits.has_terms(kManyTerms);
}

std::size_t LoopExecutions::heap_bytes() const { return waiting_ ? sizeof(Waiting) : 0; }

}  // namespace reprise::trace_io
