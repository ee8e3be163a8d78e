// SPDX-License-Identifier: MIT
// Calls that wait for their leaf's counters: whenever these are read, all calls are in them, their times added together as they waited.
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <vector>

#include "trace-io/compress/fold_node.hpp"
#include "trace-io/compress/thread_compressor.hpp"

namespace reprise::trace_io {
namespace {

constexpr Rank kRank{3};
constexpr std::uint32_t kBins = 5;
constexpr std::int64_t kLong = std::int64_t{1} << 33U;  // does not fit the room of a waiting time

struct Call {
  std::vector<std::int64_t> scalars;
  std::vector<std::vector<std::int64_t>> vectors;
  SiteId predecessor = 0;
  Nanoseconds compute{}, communicate{};
  std::uint64_t polls = 0, bytes = 0;
  std::int64_t further = 0;
};

// The counters, one value after the other; times by fourteens, and apart where they are too long to wait, or come on too many paths.
struct Plain {
  static constexpr std::size_t kTogether = 14, kWaitingPaths = 255;
  std::vector<ValueSequence> scalars;
  ValueSequence elements, lengths;
  std::map<SiteId, Distribution> compute;
  std::map<SiteId, OrderLog> order;
  Distribution communicate{kBins};
  std::uint64_t calls = 0, polls = 0, bytes = 0;
  std::int64_t further = 0;
  std::map<SiteId, std::size_t> paths;  // in order of first use
  std::vector<Call> waiting;

  void add(const Call& call) {
    scalars.resize(call.scalars.size());
    for (std::size_t i = 0; i < scalars.size(); ++i) scalars[i].append(call.scalars[i]);
    for (const auto& vector : call.vectors) {
      lengths.append(static_cast<std::int64_t>(vector.size()));
      for (const auto element : vector) elements.append(element);
    }
    add_times(call);
    ++calls;
    polls += call.polls;
    bytes += call.bytes;
    further += call.further;
  }
  void add_times(const Call& call) {
    const std::size_t path = paths.try_emplace(call.predecessor, paths.size()).first->second;
    order[call.predecessor].add(call.compute);
    const auto fits = [](Nanoseconds time) { return time.value >> 32U == 0; };
    if (path < kWaitingPaths && fits(call.compute) && fits(call.communicate)) {
      waiting.push_back(call);
      if (waiting.size() == kTogether) add_waiting();
      return;
    }
    add_waiting();
    compute.try_emplace(call.predecessor, kBins).first->second.add(call.compute, kRank);
    communicate.add(call.communicate, kRank);
  }
  void add_waiting() {
    std::vector<std::uint32_t> inside;
    std::map<SiteId, std::vector<std::uint32_t>> before;
    for (const Call& call : waiting) {
      inside.push_back(static_cast<std::uint32_t>(call.communicate.value));
      before[call.predecessor].push_back(static_cast<std::uint32_t>(call.compute.value));
    }
    waiting.clear();
    communicate.add_all(inside, kRank);
    for (const auto& [predecessor, times] : before)
      compute.try_emplace(predecessor, kBins).first->second.add_all(times, kRank);
  }
};

void add(FoldLeaf& leaf, const Call& call) {
  std::vector<std::span<const std::int64_t>> vectors(call.vectors.begin(), call.vectors.end());
  EventView event;
  event.site = leaf.site;
  event.scalars = call.scalars;
  event.vectors = vectors;
  event.compute = call.compute;
  event.communicate = call.communicate;
  event.polls = call.polls;
  event.further = call.further;
  event.bytes = call.bytes;
  leaf.add(event, call.predecessor);
}

void require_same(FoldLeaf& leaf, Plain& plain) {
  plain.add_waiting();
  const IterationMetrics sums = leaf.sums();
  REQUIRE(leaf.executions() == plain.calls);
  REQUIRE(sums[IterationMetric::calls] == plain.calls);
  REQUIRE(sums[IterationMetric::communicate] ==
          static_cast<std::uint64_t>(plain.communicate.sum().value));
  std::int64_t computed = 0;
  for (const auto& [predecessor, durations] : plain.compute) computed += durations.sum().value;
  REQUIRE(sums[IterationMetric::compute] == static_cast<std::uint64_t>(computed));
  leaf.add_waiting();
  REQUIRE(leaf.executions() == plain.calls);
  REQUIRE(leaf.counters->scalars == plain.scalars);
  REQUIRE(leaf.counters->communicate == plain.communicate);
  REQUIRE(leaf.counters->paths.size() == plain.compute.size());
  for (const auto& path : leaf.counters->paths) {
    REQUIRE(path.compute == plain.compute.at(path.predecessor));
    REQUIRE(path.order == plain.order.at(path.predecessor));
  }
  REQUIRE(leaf.counters->polls == plain.polls);
  REQUIRE(leaf.counters->further == plain.further);
  REQUIRE(leaf.counters->bytes == plain.bytes);
  if (leaf.counters->vectors.empty()) return;
  REQUIRE(leaf.counters->vectors.front().values == plain.elements);
  REQUIRE(leaf.counters->vectors.front().lengths == plain.lengths);
}

}  // namespace

TEST_CASE("waiting calls: counters are those of times that are added by fourteens", "[trace-io]") {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    std::mt19937_64 random(seed);
    const auto one_in = [&random](std::uint64_t n) { return random() % n == 0; };
    const bool has_vectors = seed % 10 == 9, is_wide = seed % 10 == 8;
    const std::uint64_t change = std::uint64_t{1} << seed % 6U, sites = seed % 4 == 3 ? 300 : 3;
    FoldLeaf leaf(7, kRank, kBins, BinRule::ward, true);
    Plain plain;
    Call call;
    call.scalars.assign(is_wide ? 14 : seed % 12, 1);
    if (has_vectors) call.vectors.resize(1);
    for (int i = 0; i < 600; ++i) {
      if (one_in(change) && !call.scalars.empty())
        call.scalars[random() % call.scalars.size()] = one_in(3) ? kLong : -static_cast<int>(i % 3);
      if (one_in(4)) call.predecessor = static_cast<SiteId>(random() % sites);
      if (has_vectors) call.vectors.front().assign(random() % 3, i % 2);
      call.compute = Nanoseconds{static_cast<std::int64_t>(random() % 4000)};
      call.communicate = Nanoseconds{one_in(40) ? kLong : static_cast<std::int64_t>(i % 9)};
      call.polls = one_in(20) ? 2 : 0;
      call.further = one_in(30) ? -1 : 0;
      call.bytes = one_in(20) ? 8 : 0;
      add(leaf, call);
      plain.add(call);
      if (one_in(15)) require_same(leaf, plain);
    }
    require_same(leaf, plain);
  }
}

TEST_CASE("waiting calls: those of two leaves are added before the leaves become one",
          "[trace-io]") {
  FoldLeaf earlier(7, kRank, 0, BinRule::ward, true), later(7, kRank, 0, BinRule::ward, true);
  OrderLog order;
  for (int i = 0; i < 11; ++i) {
    Call call;
    call.scalars = {4};
    call.compute = Nanoseconds{100 * i};
    add(i < 6 ? earlier : later, call);
    order.add(call.compute);
  }
  earlier.append(std::move(later));
  CHECK(earlier.executions() == 11);
  CHECK(earlier.counters->added == 11);
  CHECK(earlier.counters->scalars.front().size() == 11);
  CHECK(earlier.counters->paths.front().order == order);
}

TEST_CASE("waiting calls: what a call is said to have taken no memory for took none",
          "[trace-io]") {
  // A loop that leaves out a call now and then, with one whose parameter changes and one that has a list.
  ThreadCompressor compressor({.bins = kBins, .keeps_order = true});
  std::size_t calls = 0, took_none = 0;
  for (std::int64_t iteration = 0; iteration < 100; ++iteration)
    for (SiteId site = 0; site < 40; ++site) {
      if (site == 7 && iteration % 5 == 0) continue;
      const std::vector<std::int64_t> scalars{site == 3 ? iteration / 2 : 11}, list(2, iteration);
      const std::vector<std::span<const std::int64_t>> vectors(site == 9 ? 1 : 0, list);
      const std::size_t before = compressor.memory_bytes();
      const bool may_have_taken =
          compressor.append({site, scalars, vectors, Nanoseconds{100 + iteration % 7},
                             Nanoseconds{site == 20 && iteration == 50 ? kLong : 30}, 0});
      ++calls;
      if (may_have_taken) continue;
      ++took_none;
      REQUIRE(compressor.memory_bytes() == before);
    }
  CHECK(took_none * 10 > calls * 8);
}

}  // namespace reprise::trace_io
