// SPDX-License-Identifier: MIT
// The program of one thread while it is being folded: leaves with growing sequences, loops with one execution still open.
//
// Open execution  every loop keeps its latest execution (passes, position) apart from the finished ones, so that it can go on; the
//                 next execution of the loop moves it there. A position counts the body nodes done in the pass under way: while
//                 an inner loop runs, its parent already stands behind it, so leaving the inner loop costs nothing.
// Leaf string     the sites of a node's leaves, each loop body once. Nodes that can be folded together have equal leaf
//                 strings, whatever their loops; length, hash and power (multiplier^length) make comparing them O(1).
// Tail            a gear hash of the leaf string: shifted by one bit per leaf, so that it follows from the last 64 leaves, its
//                 lowest n bits from the last n. Strings whose last n leaves agree have tails that agree in n bits (Xia et al.,
//                 DCC 2014: gear hashes for finding repeated content).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <variant>
#include <vector>

#include "trace-io/compress/leaf_counters.hpp"
#include "trace-io/compress/loop_executions.hpp"
#include "trace-io/compress/loop_iterations.hpp"
#include "trace-io/compress/waiting_calls.hpp"
#include "trace-io/model/distribution.hpp"
#include "trace-io/model/event.hpp"
#include "trace-io/model/order_log.hpp"
#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {

struct FoldNode;
using FoldBody = std::vector<std::unique_ptr<FoldNode>>;

struct FoldLeaf {
  FoldLeaf(SiteId its_site, Rank rank, std::uint32_t bin_limit, BinRule rule, bool order)
      : site(its_site), counters(std::make_unique<LeafCounters>(rank, bin_limit, rule, order)) {}
  // Whether it may have taken memory.
  bool add(const EventView& event, SiteId predecessor) {
    const bool is_counted = waiting.repeat(event.scalars);
    if (!is_counted) add_scalars(event);
    if (!event.vectors.empty()) counters->add_vectors(event);
    const bool waits = waiting.note(event.compute, event.communicate, predecessor);
    if (!waits) add_times(event, predecessor);
    if ((event.polls | static_cast<std::uint64_t>(event.further) | event.bytes) != 0) [[unlikely]]
      counters->add_extras(event);
    if (!waiting.is_full()) return !is_counted || !waits || !event.vectors.empty();
    add_waiting_times();
    return true;
  }
  void append(FoldLeaf&& later);  // REQUIRES: later.site == site
  // Those that wait, to the counters: REQUIRED before any of these is read, but for sums().
  void add_waiting();

  std::uint64_t executions() const { return counters->added + waiting.count(); }
  IterationMetrics sums() const;  // over all executions

  // What each call touches.
  SiteId site;
  WaitingCalls waiting;
  // And what it does not.
  std::unique_ptr<LeafCounters> counters;

 private:
  void add_scalars(const EventView&);
  void add_times(const EventView&, SiteId predecessor);
  void add_waiting_scalars();
  void add_waiting_times();
};

struct FoldLoop {
  LoopExecutions finished;
  // Of the open execution.
  std::uint64_t passes = 0;
  std::uint32_t position = 0;
  // Of all executions; none where they are not recorded, or not known.
  std::unique_ptr<LoopIterations> recorded;
  FoldBody body;

  void step() {
    if (position == 0 && recorded) [[unlikely]]
      finish_recorded();
    if (++position < body.size()) return;
    position = 0;
    ++passes;
  }
  // What comes next is the first event of another iteration; harmless where nothing came since that was said last.
  void finish_iteration() {
    if (recorded) finish_recorded();
  }
  [[gnu::cold, gnu::noinline]] void finish_recorded() { recorded->finish(body); }
  // A loop that is passed over again and again only counts.
  void start_execution() {
    if (recorded) [[unlikely]]
      finish_recorded();
    if (passes == 0 && position == 0)
      finished.add_empty();
    else
      finish_open();
  }
  void append_executions_of(const FoldLoop& later);
  void append_single_passes(
      std::uint64_t count);  // executions of exactly one pass; REQUIRES: count ≥ 1
  void finish_open();        // the next one has no pass yet
  // The body node done last, null before the first.
  FoldNode* last_done() const;
  std::unique_ptr<FoldNode>& place_of_last_done();  // REQUIRES: last_done()
};

// One of 64 bits.
inline std::uint64_t site_bit(SiteId site) {
  return std::uint64_t{1} << (mixed_bits(site + kHashMultiplier) >> 58U);
}

// A site that is looked for.
struct WantedSite {
  explicit WantedSite(SiteId wanted) : site(wanted), bit(site_bit(wanted)) {}
  SiteId site;
  std::uint64_t bit;
};

struct alignas(64) FoldNode {
  // In front, beside what a leaf has there, is what is asked of the nodes that a call passes over.
  bool is_leaf;  // as `content` says itself, behind the leaf
  // Of all sites. They are numbered as they first come, so that those of a loop lie close together: in long bodies, which have all of the bits,
  // the range still rules most of them out.
  SiteId least_site = kNoSite, most_site = 0;
  std::uint64_t sites = 0;  // a bit of each site (site_bit()): which are surely not here
  std::variant<FoldLeaf, FoldLoop> content;
  std::uint64_t length = 0, hash = 0, power = 1, tail = 0;  // of the leaf string
  SiteId last_site = kNoSite;                               // likewise

  static void* operator new(std::size_t, std::align_val_t);  // node_memory.cpp
  static void operator delete(void*, std::align_val_t) noexcept;

  explicit FoldNode(FoldLeaf leaf);
  // A loop of one execution of one pass that is just over. REQUIRES: !body.empty().
  explicit FoldNode(FoldBody body);

  FoldLeaf* leaf() {
    if (!is_leaf) return nullptr;
    FoldLeaf* const here = std::get_if<FoldLeaf>(&content);
    if (here == nullptr) __builtin_unreachable();
    return here;
  }
  const FoldLeaf* leaf() const { return const_cast<FoldNode*>(this)->leaf(); }
  FoldLoop* loop() { return std::get_if<FoldLoop>(&content); }
  const FoldLoop* loop() const { return std::get_if<FoldLoop>(&content); }
  std::uint64_t executions() const;
  // False: it is surely not here.
  bool may_have(const WantedSite& wanted) const {
    return (sites & wanted.bit) != 0 && least_site <= wanted.site && wanted.site <= most_site;
  }
  void renew_leaf_string();  // of a loop, after a change of its body; O(its nodes)
  void settle();             // nothing is added any more: sequences give back what that needs
};

// Makes a leaf the loop of that leaf, all executions of one pass. Whatever it is part of stays as it is.
void promote_leaf(std::unique_ptr<FoldNode>&);

// The tail of xy, from that of x and from y's tail and length.
constexpr std::uint64_t joined_tail(std::uint64_t tail, std::uint64_t later_tail,
                                    std::uint64_t later_length) {
  return later_length < 64 ? (tail << later_length) + later_tail : later_tail;
}

// multiplier^exponent of the hash of leaf strings: hash(xy) = hash(x) · power(|y|) + hash(y).
std::uint64_t leaf_string_power(std::uint64_t exponent);

}  // namespace reprise::trace_io
