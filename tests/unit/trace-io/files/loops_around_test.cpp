// SPDX-License-Identifier: MIT
// Which executions of the loops around the executions of a node belong to, and sequences that are coded by that.
#include "trace-io/file/loops_around.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "trace-io/file/coded_sequences.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

using Places = std::vector<std::uint32_t>;

ValueSequence sequence_of(const std::vector<std::int64_t>& values) {
  ValueSequence sequence;
  for (const std::int64_t value : values) sequence.append(value);
  return sequence;
}

FieldEntry entry(const RankList& ranks, const std::vector<std::int64_t>& values) {
  FieldEntry entry;
  entry.ranks = ranks;
  entry.values = sequence_of(values);
  return entry;
}

Loop loop_of(const std::vector<std::int64_t>& iterations, const std::vector<std::int64_t>& exits,
             const RankList& ranks = RankList::all(2)) {
  Loop loop;
  loop.iterations = {entry(ranks, iterations)};
  loop.exits = {entry(ranks, exits)};
  return loop;
}

}  // namespace

TEST_CASE("executions of a node belong to those of the loops around it", "[trace-io]") {
  const Loop outer = loop_of({2, 0, 3}, {0, 0, 0});
  Loop inner = loop_of({1, 0, 2, 0, 1}, {0, 1, 0, 2, 0});
  for (int i = 0; i < 2; ++i) inner.body.push_back({RankList::all(2), Leaf()});
  LoopsAround loops;
  loops.at(7);  // at the top
  CHECK(loops.of(Rank{0}, 3).empty());
  loops.enter(outer);
  loops.at(0);
  loops.enter(inner);
  SECTION("nodes before the exit once more") {
    loops.at(0);
    const auto levels = loops.of(Rank{1}, 6);
    REQUIRE(levels.size() == 2);
    CHECK(levels[0].executions == 5);
    CHECK(levels[0].place == Places{0, 1, 2, 2, 3, 4});
    CHECK(levels[1].executions == 3);
    CHECK(levels[1].place == Places{0, 0, 2, 2, 2, 2});
  }
  SECTION("nodes behind it") {
    loops.at(1);
    CHECK(loops.of(Rank{1}, 5)[0].place == Places{0, 2, 2, 3, 4});
    loops.at(2);
    CHECK(loops.of(Rank{1}, 4)[0].place == Places{0, 2, 2, 4});
  }
  SECTION("positions count the nodes that the rank sees") {
    inner.body[0].ranks = RankList::single(Rank{0});
    loops.at(1);
    CHECK(loops.of(Rank{0}, 5)[0].place == Places{0, 2, 2, 3, 4});
    CHECK(loops.of(Rank{1}, 6)[0].place == Places{0, 1, 2, 2, 3, 4});
  }
  SECTION("fewer executions than the loops say, and more") {
    CHECK(loops.of(Rank{1}, 2)[0].place == Places{0, 1});
    CHECK(loops.of(Rank{1}, 100)[0].place.size() == 6);
  }
  SECTION("a rank that the loop does not list") { CHECK(loops.of(Rank{2}, 6).empty()); }
  loops.leave();
  loops.at(1);
  CHECK(loops.of(Rank{0}, 5)[0].place == Places{0, 0, 2, 2, 2});
}

TEST_CASE("loops that say what cannot be have places as far as they go", "[trace-io]") {
  const Loop negative = loop_of({-3, 2}, {});
  LoopsAround loops;
  loops.enter(negative);
  CHECK(loops.of(Rank{0}, 9)[0].place == Places{1, 1});
  loops.leave();
  Loop many = loop_of({}, {0});
  many.iterations[0].values.append_run(0, 0, std::uint64_t{1} << 40U);
  loops.enter(many);
  CHECK(loops.of(Rank{0}, 9).empty());
}

TEST_CASE("places of loops are looked at as far as steps go, which values earn", "[trace-io]") {
  constexpr std::uint64_t kExecutions = 1000;  // of the loop; the node has one of them
  Loop loop = loop_of({1}, {0});
  loop.iterations[0].values = ValueSequence();
  loop.iterations[0].values.append_run(1, 0, kExecutions);
  LoopsAround loops;
  loops.enter(loop);
  std::uint64_t answered = 0;
  for (int question = 0; question < 10'000; ++question)
    answered += loops.of(Rank{0}, 1).empty() ? 0U : 1U;
  CHECK(answered >= LoopsAround::kFreeSteps / (kExecutions + 100));
  CHECK(answered <= (LoopsAround::kFreeSteps + LoopsAround::kStepsOfOne * 10'000) / kExecutions);
  CHECK(loops.of(Rank{0}, kExecutions).size() == 1);
}

TEST_CASE("sequences in branches and inner loops cost little where they follow from one outside",
          "[trace-io]") {
  std::mt19937_64 random(37);
  std::vector<std::int64_t> states(2000), branch, inner;
  std::vector<std::int64_t> in_branch, in_inner;
  for (auto& state : states) {
    state = static_cast<std::int64_t>(random() % 8);
    branch.push_back(state % 3 == 0 ? 1 : 0);
    inner.push_back(state % 4);
    if (branch.back() > 0) in_branch.push_back(100 * state * state);
    for (std::int64_t i = 0; i < inner.back(); ++i) in_inner.push_back(1000 + 10 * state - i);
  }
  const std::vector<std::int64_t> never(states.size(), 0);
  const Loop branching = loop_of(branch, never), looping = loop_of(inner, never);
  const auto bytes_of = [&](SymbolContexts contexts) {
    ContextEncoder encoder;
    CodedSequences writer(contexts), reader(contexts);
    LoopsAround loops;
    std::vector<ValueSequence> all;
    const auto put = [&](const Loop* loop, const std::vector<std::int64_t>& values) {
      if (loop != nullptr) loops.enter(*loop);
      all.push_back(sequence_of(values));
      REQUIRE(writer.put(encoder, all.back(), {nullptr, &loops, Rank{0}}));
      if (loop != nullptr) loops.leave();
    };
    put(nullptr, states);
    const std::size_t alone = encoder.bits().size();
    put(&branching, in_branch);
    put(&looping, in_inner);
    const auto bytes = encoder.bits().finish();
    ContextDecoder decoder{std::span(bytes)};
    std::string problem;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i > 0) loops.enter(i == 1 ? branching : looping);
      CHECK(reader.take(decoder, {nullptr, &loops, Rank{0}}, bytes.size(), problem) == all[i]);
      CHECK(problem.empty());
      if (i > 0) loops.leave();
    }
    return bytes.size() - alone;
  };
  CHECK(bytes_of(SymbolContexts::aligned) < 300);
  CHECK(bytes_of(SymbolContexts::same_size) > 600);
}

// What a rank does in its first pass in another branch than the others has a node of its own, so that its loop has one execution less.
TEST_CASE("sequences cost little beside those of loops with an execution more or less",
          "[trace-io]") {
  std::mt19937_64 random(41);
  std::vector<std::int64_t> states(2000), inner;
  for (auto& state : states) {
    state = static_cast<std::int64_t>(random() % 8);
    inner.push_back(state % 4);
  }
  std::vector<std::int64_t> in_inner;
  for (std::size_t e = 0; e < states.size(); ++e)
    for (std::int64_t i = 0; i < inner[e]; ++i) in_inner.push_back(1000 + 10 * states[e] - i);
  const auto without_first = [](const std::vector<std::int64_t>& values, std::int64_t most) {
    return std::vector<std::int64_t>(values.begin() + most, values.end());
  };
  const std::vector<std::int64_t> peeled_inner = without_first(inner, 1),
                                  peeled_in_inner = without_first(in_inner, inner.front());
  // Whole first, and peeled first: one execution less, and one more.
  const auto bytes_of = [&](SymbolContexts contexts, bool is_whole_first) {
    const Loop looping = loop_of(is_whole_first ? peeled_inner : inner,
                                 std::vector<std::int64_t>(states.size() - is_whole_first, 0));
    ContextEncoder encoder;
    CodedSequences writer(contexts), reader(contexts);
    LoopsAround loops;
    std::vector<ValueSequence> all;
    const auto put = [&](const std::vector<std::int64_t>& values) {
      all.push_back(sequence_of(values));
      REQUIRE(writer.put(encoder, all.back(), {nullptr, &loops, Rank{0}}));
    };
    put(is_whole_first ? states : without_first(states, 1));
    const std::size_t alone = encoder.bits().size();
    put(is_whole_first ? peeled_inner : inner);
    loops.enter(looping);
    put(is_whole_first ? peeled_in_inner : in_inner);
    loops.leave();
    const auto bytes = encoder.bits().finish();
    ContextDecoder decoder{std::span(bytes)};
    std::string problem;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i == 2) loops.enter(looping);
      CHECK(reader.take(decoder, {nullptr, &loops, Rank{0}}, bytes.size(), problem) == all[i]);
      CHECK(problem.empty());
    }
    return bytes.size() - alone;
  };
  for (const bool is_whole_first : {true, false}) {
    CHECK(bytes_of(SymbolContexts::peeled, is_whole_first) < 300);
    CHECK(bytes_of(SymbolContexts::aligned, is_whole_first) > 600);
  }
}

TEST_CASE("a sequence outside follows from one in a branch", "[trace-io]") {
  std::mt19937_64 random(41);
  std::vector<std::int64_t> branch, in_branch, outside;
  for (int i = 0; i < 2000; ++i) {
    branch.push_back(static_cast<std::int64_t>(random() % 2));
    if (branch.back() > 0) in_branch.push_back(static_cast<std::int64_t>(random() % 8));
    outside.push_back(branch.back() > 0 ? 7 * in_branch.back() : -1);
  }
  const Loop branching = loop_of(branch, std::vector<std::int64_t>(branch.size(), 0));
  ContextEncoder encoder;
  CodedSequences writer(SymbolContexts::aligned);
  LoopsAround loops;
  loops.enter(branching);
  REQUIRE(writer.put(encoder, sequence_of(in_branch), {nullptr, &loops, Rank{0}}));
  loops.leave();
  const std::size_t alone = encoder.bits().size();
  REQUIRE(writer.put(encoder, sequence_of(outside), {nullptr, &loops, Rank{0}}));
  CHECK(encoder.bits().finish().size() < alone + 150);  // of 750 for the values and the branch
}

TEST_CASE("what no other sequence foresees costs what it did in version 7", "[trace-io]") {
  std::mt19937_64 random(47);
  const auto bytes_of = [&](SymbolContexts contexts, int alphabet, std::uint64_t seed) {
    random.seed(seed);
    ContextEncoder encoder;
    CodedSequences writer(contexts);
    LoopsAround loops;
    std::vector<std::int64_t> iterations(300);
    for (auto& iteration : iterations) iteration = static_cast<std::int64_t>(random() % 3);
    const Loop loop = loop_of(iterations, std::vector<std::int64_t>(iterations.size(), 0));
    loops.enter(loop);
    for (int i = 0; i < 20; ++i) {
      std::vector<std::int64_t> values(200 + 7 * static_cast<std::size_t>(i));
      for (auto& value : values)
        value = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(alphabet));
      REQUIRE(writer.put(encoder, sequence_of(values), {nullptr, &loops, Rank{0}}));
    }
    return encoder.bits().finish().size();
  };
  for (const int alphabet : {2, 3, 8, 50})
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      INFO("alphabet of " << alphabet << ", seed " << seed);
      const std::size_t before = bytes_of(SymbolContexts::same_size, alphabet, seed);
      CHECK(bytes_of(SymbolContexts::aligned, alphabet, seed) <= before + before / 50 + 20);
    }
}

TEST_CASE("the first values of another sequence cost little", "[trace-io]") {
  std::mt19937_64 random(53);
  std::vector<std::int64_t> values(2000);
  for (auto& value : values) value = static_cast<std::int64_t>(random() % 40);
  ContextEncoder encoder;
  CodedSequences writer(SymbolContexts::aligned);
  REQUIRE(writer.put(encoder, sequence_of(values), {}));
  const std::size_t alone = encoder.bits().size();
  values.resize(1500);
  REQUIRE(writer.put(encoder, sequence_of(values), {}));
  CHECK(encoder.bits().finish().size() < alone + 120);  // of 1000 for them alone
}
