// SPDX-License-Identifier: MIT
#include "trace-io/compress/fold_node.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace reprise::trace_io {

void FoldLeaf::add_scalars(const EventView& event) {
  if (executions() == 0) {
    counters->scalars.resize(event.scalars.size());
    counters->vectors.resize(event.vectors.size());
  }
  add_waiting_scalars();
  for (std::size_t i = 0; i < counters->scalars.size(); ++i)
    counters->scalars[i].append(event.scalars[i]);
  waiting.follow(event.scalars);
}

// After another site than the call before, or too long to wait.
void FoldLeaf::add_times(const EventView& event, SiteId predecessor) {
  const std::size_t path = counters->path_after(predecessor);
  waiting.turn_to(predecessor, path);
  if (waiting.note(event.compute, event.communicate, predecessor)) return;
  add_waiting_times();
  ++counters->added;
  counters->paths[path].add(event.compute, counters->rank, counters->keeps_order);
  counters->communicate.add(event.communicate, counters->rank);
}

void FoldLeaf::add_waiting() {
  add_waiting_scalars();
  add_waiting_times();
}

void FoldLeaf::add_waiting_scalars() {
  const std::uint32_t count = waiting.repeats();
  if (count == 0) return;
  const std::span values = waiting.scalars();
  waiting.clear_repeats();  // whatever fails: none is added twice
  for (std::size_t i = 0; i < counters->scalars.size(); ++i)
    counters->scalars[i].append_run(values[i], 0, count);
}

void FoldLeaf::add_waiting_times() {
  const unsigned count = waiting.count();
  if (count == 0) return;
  LeafCounters& of_all = *counters;
  std::array<std::uint32_t, WaitingCalls::kMost> own;  // of all, or of one path
  for (unsigned call = 0; call < count; ++call) own[call] = waiting.communicate(call);
  of_all.communicate.add_all(std::span(own).first(count), of_all.rank);
  waiting.clear_times();  // whatever fails: none is added twice
  of_all.added += count;
  for (std::uint32_t done = 0; done + 1 < 1U << count;) {
    const auto first = static_cast<unsigned>(std::countr_one(done));
    std::size_t size = 0;
    for (unsigned call = first; call < count; ++call) {
      if (waiting.path(call) != waiting.path(first)) continue;
      own[size++] = waiting.compute(call);
      done |= 1U << call;
    }
    of_all.paths[waiting.path(first)].add_all(std::span(own).first(size), of_all.rank,
                                              of_all.keeps_order);
  }
}

IterationMetrics FoldLeaf::sums() const {
  IterationMetrics sums;
  sums[IterationMetric::calls] = executions();
  sums[IterationMetric::bytes] = counters->bytes;
  sums[IterationMetric::communicate] =
      static_cast<std::uint64_t>(counters->communicate.sum().value);
  for (const auto& path : counters->paths)
    sums[IterationMetric::compute] += static_cast<std::uint64_t>(path.compute.sum().value);
  for (unsigned call = 0; call < waiting.count(); ++call) {
    sums[IterationMetric::communicate] += waiting.communicate(call);
    sums[IterationMetric::compute] += waiting.compute(call);
  }
  return sums;
}

void FoldLeaf::append(FoldLeaf&& later) {
  add_waiting();
  later.add_waiting();
  counters->append(std::move(*later.counters));
}

void FoldLoop::finish_open() { finished.add(std::exchange(passes, 0), std::exchange(position, 0)); }

void FoldLoop::append_executions_of(const FoldLoop& later) {
  finish_open();
  finished.append(later.finished);
  passes = later.passes;
  position = later.position;
}

void FoldLoop::append_single_passes(std::uint64_t count) {
  finish_open();
  if (count > 1) finished.add_single_passes(count - 1);
  passes = 1;
  position = 0;
}

FoldNode* FoldLoop::last_done() const {
  if (position > 0) return body[position - 1].get();
  return passes > 0 ? body.back().get() : nullptr;
}

std::unique_ptr<FoldNode>& FoldLoop::place_of_last_done() {
  return body[position > 0 ? position - 1 : body.size() - 1];
}

FoldNode::FoldNode(FoldLeaf leaf)
    : is_leaf(true),
      content(std::move(leaf)),
      length(1),
      power(kHashMultiplier),
      last_site(std::get<FoldLeaf>(content).site) {
  tail = hash = mixed_bits(last_site + kHashMultiplier);
  sites = site_bit(last_site);
  least_site = most_site = last_site;
}

FoldNode::FoldNode(FoldBody body) : is_leaf(false), content(FoldLoop{}) {
  loop()->body = std::move(body);
  loop()->passes = 1;
  renew_leaf_string();
}

void FoldNode::renew_leaf_string() {
  sites = length = hash = tail = 0;
  power = 1;
  least_site = kNoSite;
  most_site = 0;
  for (const auto& node : loop()->body) {
    sites |= node->sites;
    least_site = std::min(least_site, node->least_site);
    most_site = std::max(most_site, node->most_site);
    length += node->length;
    hash = hash * node->power + node->hash;
    power *= node->power;
    tail = joined_tail(tail, node->tail, node->length);
  }
  last_site = loop()->body.back()->last_site;
}

void FoldNode::settle() {
  // A copy has no tables of what came before; a run never has.
  const auto copied = [](ValueSequence& values) {
    if (!values.empty() && !values.only_run()) values = ValueSequence(values);
  };
  if (FoldLeaf* here = leaf()) {
    here->add_waiting();
    std::ranges::for_each(here->counters->scalars, copied);
    for (auto& vector : here->counters->vectors) {
      copied(vector.values);
      copied(vector.lengths);
    }
    return;
  }
  loop()->finished.settle(loop()->passes, loop()->position);
  for (const auto& node : loop()->body) node->settle();
}

std::uint64_t FoldNode::executions() const {
  return leaf() ? leaf()->executions() : loop()->finished.count() + 1;
}

void promote_leaf(std::unique_ptr<FoldNode>& node) {
  const std::uint64_t executions = node->executions();
  FoldBody body;
  body.push_back(std::move(node));
  node = std::make_unique<FoldNode>(std::move(body));
  if (executions > 1) node->loop()->append_single_passes(executions - 1);
}

std::uint64_t leaf_string_power(std::uint64_t exponent) {
  std::uint64_t result = 1, factor = kHashMultiplier;
  for (; exponent > 0; exponent >>= 1, factor *= factor)
    if (exponent & 1) result *= factor;
  return result;
}

}  // namespace reprise::trace_io
