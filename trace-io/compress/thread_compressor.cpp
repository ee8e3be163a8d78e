// SPDX-License-Identifier: MIT
#include "trace-io/compress/thread_compressor.hpp"

#include <algorithm>

#include "trace-io/compress/active_loops.hpp"
#include "trace-io/compress/folded_program.hpp"
#include "trace-io/compress/snapshot.hpp"

namespace reprise::trace_io {

struct ThreadCompressor::State {
  explicit State(Settings its_settings) : settings(its_settings) {
    if (settings.timing == Timing::stat) settings.bins = 0;
  }
  void append(const EventView&);
  void append_unpredicted(const EventView&);

  Settings settings;
  FoldedProgram program{kWindow};
  ActiveLoops active;
  SiteId predecessor = kNoSite;
  std::uint64_t events = 0;
};

ThreadCompressor::ThreadCompressor(Settings settings) : state_(std::make_unique<State>(settings)) {}
ThreadCompressor::~ThreadCompressor() = default;
ThreadCompressor::ThreadCompressor(ThreadCompressor&&) noexcept = default;
ThreadCompressor& ThreadCompressor::operator=(ThreadCompressor&&) noexcept = default;

void ThreadCompressor::State::append(const EventView& event) {
  if (FoldLeaf* leaf = active.go_to(event.site))
    leaf->add(event, predecessor, settings.rank);
  else
    append_unpredicted(event);
  if (settings.timing == Timing::path) predecessor = event.site;
  ++events;
}

void ThreadCompressor::State::append_unpredicted(const EventView& event) {
  FoldNode* loop = program.loop_before_detour(event.site);
  if (loop && active.can_rejoin(*loop, event.site, loop != &program.back())) {
    FoldBody detour = program.take_from(*loop);
    auto node = std::move(detour.front());
    detour.erase(detour.begin());
    active.rejoin(node, std::move(detour))->add(event, predecessor, settings.rank);
    node->renew_leaf_string();
    program.append(std::move(node));
  } else {
    auto node = std::make_unique<FoldNode>(FoldLeaf(event.site, settings.bins, settings.bin_rule));
    node->leaf()->add(event, predecessor, settings.rank);
    program.append(std::move(node));
  }
  while (program.fold()) {
  }
  active.reopen(program.back());
}

void ThreadCompressor::append(const EventView& event) { state_->append(event); }

std::uint64_t ThreadCompressor::events() const { return state_->events; }

void ThreadCompressor::coarsen(std::uint32_t bins) {
  state_->settings.bins = std::min(state_->settings.bins, bins);
  trace_io::coarsen(state_->program.nodes(), bins);
}

std::size_t ThreadCompressor::memory_bytes() const {
  constexpr std::size_t kPlace = 64;  // what the search for repetitions keeps of a top-level node
  const FoldBody& nodes = state_->program.nodes();
  return sizeof(State) + trace_io::memory_bytes(nodes) + nodes.size() * kPlace;
}

std::vector<Node> ThreadCompressor::program() const {
  return snapshot(state_->program.nodes(), RankList::single(state_->settings.rank));
}

}  // namespace reprise::trace_io
