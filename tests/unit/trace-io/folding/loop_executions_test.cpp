// SPDX-License-Identifier: MIT
// Executions of a loop that wait: whatever is asked, and whenever, it is as if each had been added at once.
#include "trace-io/compress/loop_executions.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <utility>
#include <vector>

namespace reprise::trace_io {
namespace {

struct LoopExecution {
  std::uint64_t passes;
  std::uint32_t exit;
};
using Added = std::vector<LoopExecution>;

LoopExecutions::Sequences grown_from(const Added& executions) {
  LoopExecutions::Sequences all;
  for (const auto& [passes, exit] : executions) {
    all.iterations.append(static_cast<std::int64_t>(passes));
    all.exits.append(exit);
  }
  return all;
}

void require_same(const LoopExecutions& executions, Added added, const LoopExecution& open) {
  REQUIRE(executions.count() == added.size());
  added.push_back(open);
  const auto expected = grown_from(added);
  const auto all = executions.with_open(open.passes, open.exit);
  REQUIRE(all.iterations.terms() == expected.iterations.terms());
  REQUIRE(all.exits.terms() == expected.exits.terms());
}

// Irregular, regular for a while, or empty for long.
class ExecutionSource {
 public:
  explicit ExecutionSource(unsigned seed) : random_(seed) {}
  LoopExecution next() {
    if (left_ == 0) {
      kind_ = below(4);
      left_ = 1 + below(120);
    }
    --left_;
    switch (kind_) {
      case 0:
        return {0, 0};
      case 1:
        return {3, 0};
      case 2:
        return {below(2), 0};
      default:
        return {below(5), static_cast<std::uint32_t>(below(3))};
    }
  }
  std::uint64_t below(std::uint64_t limit) {
    return std::uniform_int_distribution<std::uint64_t>(0, limit - 1)(random_);
  }

 private:
  std::mt19937 random_;
  std::uint64_t kind_ = 0, left_ = 0;
};

void add(LoopExecutions& executions, Added& added, const LoopExecution& execution) {
  added.push_back(execution);
  if (execution.passes == 0 && execution.exit == 0)
    executions.add_empty();
  else
    executions.add(execution.passes, execution.exit);
}

}  // namespace

TEST_CASE("loop executions: those that wait are in all that is asked for") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    ExecutionSource source(seed);
    LoopExecutions executions;
    Added added;
    for (int i = 0; i < 4000; ++i) {
      add(executions, added, source.next());
      if (source.below(200) == 0) require_same(executions, added, source.next());
    }
    require_same(executions, added, {7, 1});
  }
}

TEST_CASE(
    "loop executions: what is asked for after settling is what was there, and what comes later "
    "counts") {
  ExecutionSource source(1);
  LoopExecutions executions;
  Added added;
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 1000; ++i) add(executions, added, source.next());
    executions.settle(2, 1);
    REQUIRE(executions.count() == added.size());
    Added with_open = added;
    with_open.push_back({2, 1});
    const auto all = executions.with_open(2, 1), expected = grown_from(with_open);
    REQUIRE(all.iterations == expected.iterations);
    REQUIRE(all.exits == expected.exits);
    if (round == 0) {  // afterwards what is added goes on from a copy
      REQUIRE(all.iterations.is_grown());
      REQUIRE(all.iterations.terms() == expected.iterations.terms());
      REQUIRE(all.exits.terms() == expected.exits.terms());
    }
    // Another pass of the open execution.
    with_open.back() = {3, 0};
    REQUIRE(executions.with_open(3, 0).iterations == grown_from(with_open).iterations);
  }
}

TEST_CASE("loop executions: changes of all of them reach those that wait") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    ExecutionSource source(seed);
    LoopExecutions executions;
    Added added;
    for (int i = 0; i < 700; ++i) add(executions, added, source.next());
    const auto exits = executions.exits_with_node_at(1);
    REQUIRE(exits.has_value());
    executions.assign_exits(*exits);
    for (auto& execution : added) execution.exit += execution.exit > 1 ? 1 : 0;
    executions.prepend_empty(5);
    added.insert(added.begin(), 5, {0, 0});
    executions.add_single_passes(3);
    added.insert(added.end(), 3, {1, 0});

    LoopExecutions later;
    Added added_later;
    for (int i = 0; i < 700; ++i) add(later, added_later, source.next());
    executions.append(later);
    added.insert(added.end(), added_later.begin(), added_later.end());
    Added with_open = added;
    with_open.push_back({1, 2});
    const auto all = executions.with_open(1, 2), expected = grown_from(with_open);
    REQUIRE(all.iterations == expected.iterations);
    REQUIRE(all.exits == expected.exits);

    const ValueSequence stays = executions.leave_out_empty();
    ValueSequence expected_stays;
    Added kept;
    for (const auto& execution : added) {
      const bool is_empty = execution.passes == 0 && execution.exit == 0;
      expected_stays.append(is_empty ? 0 : 1);
      if (!is_empty) kept.push_back(execution);
    }
    REQUIRE(stays == expected_stays);
    require_same(executions, kept, {4, 2});
  }
}

}  // namespace reprise::trace_io
