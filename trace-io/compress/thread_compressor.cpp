// SPDX-License-Identifier: MIT
#include "trace-io/compress/thread_compressor.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "trace-io/compress/active_loops.hpp"
#include "trace-io/compress/counted_tags.hpp"
#include "trace-io/compress/folded_program.hpp"
#include "trace-io/compress/footprint.hpp"
#include "trace-io/model/tag_steps.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::size_t kMostScalars = 16;  // of a call with a tag

struct Taken {
  RankList rank;
  bool with_order;
  const FoldLoop* with_iterations;  // null: none
};
std::vector<Node> snapshot(const FoldBody&, const Taken&);

// Into one that may be used already: what is written node by node takes the memory of the node before.
void take_only_entry(FieldValues& only, const RankList& rank, const ValueSequence& values,
                     const ValueSequence* lengths = nullptr) {
  only.resize(1);
  FieldEntry& entry = only.front();
  entry.ranks = rank;
  entry.form = PeerForm::absolute;
  entry.other_forms = 0;
  entry.values = values;
  if (lengths != nullptr)
    entry.lengths = *lengths;
  else
    entry.lengths.clear();
}

DeltaClass& take_only_class(std::vector<DeltaClass>& classes, const RankList& rank,
                            const Distribution& durations) {
  classes.resize(1);
  DeltaClass& only = classes.front();
  only.ranks = rank;
  only.durations = durations;
  only.totals.clear();
  return only;
}

void take_leaf(Leaf& leaf, const FoldLeaf& recorded, const Taken& taken) {
  const RankList& rank = taken.rank;
  const LeafCounters& from = *recorded.counters;
  leaf.site = recorded.site;
  leaf.fields.resize(from.scalars.size() + from.vectors.size());
  auto field = leaf.fields.begin();
  for (const auto& values : from.scalars) take_only_entry(*field++, rank, values);
  for (const auto& vector : from.vectors)
    take_only_entry(*field++, rank, vector.values, &vector.lengths);
  leaf.compute.resize(from.paths.size());
  for (std::size_t i = 0; i < from.paths.size(); ++i) {
    const LeafCounters::ComputePath& path = from.paths[i];
    leaf.compute[i].predecessor = path.predecessor;
    DeltaClass& delta = take_only_class(leaf.compute[i].classes, rank, path.compute);
    const bool has_log = taken.with_order && path.order.count() > 0;
    delta.logs.resize(has_log ? 1 : 0);
    if (has_log) delta.logs.front() = path.order;
  }
  if (leaf.compute.size() > 1) std::ranges::sort(leaf.compute, {}, &PathDeltas::predecessor);
  take_only_class(leaf.communicate, rank, from.communicate);
  leaf.polls = from.polls;
  leaf.further.clear();
  if (from.further != 0) leaf.further.push_back({rank.front(), from.further});
}

// Iterations and exits.
Loop head_of(const FoldLoop& from, const RankList& rank) {
  const LoopExecutions::Sequences all = from.finished.with_open(from.passes, from.position);
  Loop head;
  take_only_entry(head.iterations, rank, all.iterations);
  take_only_entry(head.exits, rank, all.exits);
  return head;
}

Loop snapshot(const FoldLoop& from, const Taken& taken) {
  Loop loop = head_of(from, taken.rank);
  loop.body = snapshot(from.body, taken);
  if (taken.with_iterations == &from)
    if (auto result = from.recorded->result(from.body, taken.rank.front()))
      loop.clusters.push_back(*std::move(result));
  return loop;
}

void coarsen(Distribution& durations, std::uint32_t bins) {
  Distribution coarse(bins, durations.rule());
  coarse.merge(durations);  // the smaller limit holds
  durations = std::move(coarse);
}

std::vector<Node> snapshot(const FoldBody& body, const Taken& taken) {
  std::vector<Node> nodes;
  nodes.reserve(body.size());
  for (const auto& node : body) {
    Node& taken_node = nodes.emplace_back();
    taken_node.ranks = taken.rank;
    if (const FoldLeaf* leaf = node->leaf())
      take_leaf(std::get<Leaf>(taken_node.content), *leaf, taken);
    else
      taken_node.content = snapshot(*node->loop(), taken);
  }
  return nodes;
}

void visit(const FoldBody& body, const Taken& taken, Leaf& leaf, ProgramVisitor& visitor) {
  visitor.begin_nodes(body.size());
  for (const auto& node : body) {
    if (const FoldLeaf* recorded = node->leaf()) {
      take_leaf(leaf, *recorded, taken);
      visitor.leaf(leaf);
    } else {
      Loop head = head_of(*node->loop(), taken.rank);
      visitor.loop(head);
      visit(node->loop()->body, taken, leaf, visitor);
    }
  }
}

void visit_nesting(const FoldBody& body, Leaf& leaf, Loop& head, ProgramVisitor& visitor) {
  visitor.begin_nodes(body.size());
  for (const auto& node : body) {
    if (const FoldLeaf* recorded = node->leaf()) {
      leaf.site = recorded->site;
      visitor.leaf(leaf);
    } else {
      visitor.loop(head);
      visit_nesting(node->loop()->body, leaf, head, visitor);
    }
  }
}

// Calls that wait, to the counters: no event comes meanwhile.
void add_waiting(const FoldBody& body) {
  for (const auto& node : body) {
    if (FoldLeaf* leaf = node->leaf())
      leaf->add_waiting();
    else
      add_waiting(node->loop()->body);
  }
}

// All distributions, to at most so many bins.
void coarsen_all(const FoldBody& body, std::uint32_t bins) {
  for (const auto& node : body) {
    if (FoldLeaf* leaf = node->leaf()) {
      leaf->add_waiting();
      coarsen(leaf->counters->communicate, bins);
      leaf->counters->keeps_order = false;
      for (auto& path : leaf->counters->paths) {
        coarsen(path.compute, bins);
        path.order = OrderLog();
      }
    } else {
      node->loop()->recorded.reset();
      coarsen_all(node->loop()->body, bins);
    }
  }
}

}  // namespace

struct ThreadCompressor::State {
  explicit State(Settings its_settings) : settings(its_settings) {
    if (settings.timing != Timing::stat) return;
    settings.bins = 0;
    settings.keeps_order = false;
  }
  bool append(const EventView&);
  bool append_with_tag(const EventView&);
  bool append_told(const EventView&);
  void append_unpredicted(const EventView&);

  void mark(Mark);
  Footprint footprint() const;

  Settings settings;
  FoldedProgram program{settings.iterations};
  // Between marks.
  std::optional<LoopIterations> marked;
  bool is_marked_open = false, is_mismatched = false, is_out_of_memory = false;
  std::optional<IterationLevels> of_all;  // ranks
  ChosenLoop chosen() const { return chosen_loop(program.nodes(), of_all ? &*of_all : nullptr); }
  ActiveLoops active;
  CountedTags tags;
  SiteId predecessor = kNoSite;
  std::uint64_t events = 0;
};

ThreadCompressor::ThreadCompressor(Settings settings) : state_(std::make_unique<State>(settings)) {}
ThreadCompressor::~ThreadCompressor() = default;
ThreadCompressor::ThreadCompressor(ThreadCompressor&&) noexcept = default;
ThreadCompressor& ThreadCompressor::operator=(ThreadCompressor&&) noexcept = default;

bool ThreadCompressor::State::append(const EventView& event) {
  return event.has_tag ? append_with_tag(event) : append_told(event);
}

bool ThreadCompressor::State::append_with_tag(const EventView& event) {
  const std::int64_t tag = event.scalars[kTagPlace],
                     told = tags.told(event.site, event.scalars[kTagComm], tag);
  std::array<std::int64_t, kMostScalars> scalars;
  if (told == tag || event.scalars.size() > scalars.size()) return append_told(event);
  std::ranges::copy(event.scalars, scalars.begin());
  scalars[kTagPlace] = told;
  EventView changed = event;
  changed.scalars = std::span(scalars).first(event.scalars.size());
  return append_told(changed);
}

bool ThreadCompressor::State::append_told(const EventView& event) {
  bool may_grow = true;
  if (FoldLeaf* next = active.step_to(event.site))
    may_grow = next->add(event, predecessor) || settings.iterations;
  else if (FoldLeaf* ahead = active.search_ahead(event.site))
    ahead->add(event, predecessor);
  else
    append_unpredicted(event);
  if (settings.timing == Timing::path) predecessor = event.site;
  ++events;
  return may_grow;
}

void ThreadCompressor::State::append_unpredicted(const EventView& event) {
  program.resume();
  FoldNode* loop = program.loop_before_detour(event.site);
  if (loop && active.can_rejoin(*loop, event.site, loop != &program.back())) {
    FoldBody detour = program.take_from(*loop);
    auto node = std::move(detour.front());
    detour.erase(detour.begin());
    active.rejoin(node, std::move(detour))->add(event, predecessor);
    program.put_back(std::move(node));
  } else {
    auto node = std::make_unique<FoldNode>(FoldLeaf(event.site, settings.rank, settings.bins,
                                                    settings.bin_rule, settings.keeps_order));
    node->leaf()->add(event, predecessor);
    program.append(std::move(node));
  }
  while (program.fold()) {
  }
  active.reopen(program.back());
  active.fetch_ahead();
}

void ThreadCompressor::State::mark(Mark mark) {
  if (!settings.iterations || is_mismatched) return;
  if (!marked) marked.emplace(*settings.iterations);
  // To begin twice is no mark yet: it may be to resume recording.
  is_mismatched = mark == Mark::end ? !is_marked_open : is_marked_open && marked->iterations() > 0;
  is_marked_open = mark == Mark::begin;
  marked->forget_leaves();  // others may have come
  if (is_marked_open)
    marked->begin_anew(program.nodes());
  else
    marked->finish(program.nodes());
  if (marked->iterations() != 1 || is_marked_open) return;
  // Whether or not the marks match in the end, no loop is asked for.
  program.record_no_iterations();
  drop_iterations(program.nodes());
}

Footprint ThreadCompressor::State::footprint() const {
  Footprint bytes = footprint_of(program.nodes());
  bytes.recorded += sizeof(State) + program.memory_bytes() + tags.memory_bytes() +
                    (marked ? marked->heap_bytes() : 0);
  return bytes;
}

void ThreadCompressor::mark(Mark mark) { state_->mark(mark); }

std::string_view ThreadCompressor::iterations_problem() const {
  const State& state = *state_;
  if (state.is_out_of_memory) return "iterations given up at REPRISE_MEMORY";
  if (state.marked &&
      (state.is_mismatched || (state.is_marked_open && state.marked->iterations() > 0)))
    return "iterations: MPI_Pcontrol(1) and MPI_Pcontrol(-1) do not match";
  const ChosenLoop chosen = state.chosen();
  const bool is_given_up =
      state.marked ? state.marked->is_given_up() : chosen.loop == nullptr && chosen.is_given_up;
  return is_given_up ? "iterations of too many different call trees, or more than 2^24 of them"
                     : "";
}

std::optional<RankIterations> ThreadCompressor::marked_iterations() const {
  const State& state = *state_;
  if (!state.marked || state.marked->iterations() == 0 || !iterations_problem().empty())
    return std::nullopt;
  LoopIterations all(*state.marked);
  all.forget_leaves();
  all.begin_anew(state.program.nodes());
  return all.result(state.program.nodes(), state.settings.rank);
}

IterationLevels ThreadCompressor::iteration_levels() const {
  return trace_io::iteration_levels(state_->program.nodes());
}

void ThreadCompressor::choose_iterations_by(const IterationLevels& of_all) {
  state_->of_all = of_all;
}

bool ThreadCompressor::append(const EventView& event) { return state_->append(event); }

std::uint64_t ThreadCompressor::events() const { return state_->events; }

void ThreadCompressor::coarsen(std::uint32_t bins) {
  state_->settings.bins = std::min(state_->settings.bins, bins);
  state_->settings.keeps_order = false;
  if (std::exchange(state_->settings.iterations, std::nullopt)) state_->is_out_of_memory = true;
  state_->program.record_no_iterations();
  state_->marked.reset();
  coarsen_all(state_->program.nodes(), bins);
}

std::size_t ThreadCompressor::memory_bytes() const { return state_->footprint().recorded; }

std::size_t ThreadCompressor::peak_bytes() const {
  const Footprint now = state_->footprint();
  return now.recorded + now.copied + coding_bytes(now.copied);
}

void ThreadCompressor::settle() {
  state_->program.settle();
  state_->tags.settle();
}

std::vector<Node> ThreadCompressor::program(Detail detail) const {
  const FoldBody& nodes = state_->program.nodes();
  add_waiting(nodes);
  const bool by_loop = detail == Detail::iterations && state_->settings.iterations &&
                       (!state_->marked || state_->marked->iterations() == 0) &&
                       iterations_problem().empty();
  return snapshot(nodes, {RankList::single(state_->settings.rank), detail != Detail::totals,
                          by_loop ? state_->chosen().loop : nullptr});
}

void ThreadCompressor::visit(ProgramVisitor& visitor, const RankList& own) const {
  Leaf leaf;  // its memory is used again and again
  add_waiting(state_->program.nodes());
  trace_io::visit(state_->program.nodes(), {own, true, nullptr}, leaf, visitor);
}

void ThreadCompressor::visit_nesting(ProgramVisitor& visitor) const {
  Leaf leaf;
  Loop head;
  trace_io::visit_nesting(state_->program.nodes(), leaf, head, visitor);
}

}  // namespace reprise::trace_io
