// SPDX-License-Identifier: MIT
// The numbers of communicators, with a library made of a table.
#include "recorder/capture/communicators.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>

using namespace reprise;
using namespace reprise::recorder;

namespace {

constexpr HandleKey kWorld = 100, kSelf = 101;
std::map<HandleKey, CommunicatorFacts> library;
int questions = 0;

CommunicatorFacts read(HandleKey comm) {
  ++questions;
  return library.at(comm);
}

CommunicatorFacts intra(std::vector<int> members, int rank) {
  CommunicatorFacts facts;
  facts.rank = rank;
  facts.local = std::move(members);
  return facts;
}

Communicators of_rank(int rank, int ranks) {
  library.clear();
  questions = 0;
  Communicators communicators;
  communicators.begin(kWorld, kSelf, rank, ranks, read);
  return communicators;
}

}  // namespace

TEST_CASE("world is 0 and self is 1, and nobody asks the library about them") {
  Communicators communicators = of_rank(2, 4);
  REQUIRE(communicators.of(kWorld).index == 0);
  REQUIRE(communicators.of(kWorld).rank == 2);
  REQUIRE(communicators.of(kWorld).peers == 4);
  REQUIRE(communicators.of(kWorld).world_rank(3) == 3);
  REQUIRE(communicators.of(kSelf).index == 1);
  REQUIRE(communicators.of(kSelf).world_rank(0) == 2);
  REQUIRE(questions == 0);
}

TEST_CASE("communicators are numbered by first creation and keep their number when made again") {
  Communicators communicators = of_rank(1, 4);
  library[200] = intra({1, 3}, 0);
  library[201] = intra({0, 1, 2, 3}, 1);
  REQUIRE(communicators.made(200).index == 2);
  REQUIRE(communicators.of(200).world_rank(1) == 3);
  REQUIRE(communicators.made(201).index == 3);  // a copy of world
  REQUIRE(communicators.of(201).copy == 1);
  REQUIRE(communicators.of(201).peer_world == nullptr);
  communicators.freed(communicators.detach(200));
  REQUIRE(communicators.known(200) == nullptr);
  library[202] = intra({1, 3}, 0);
  REQUIRE(communicators.made(202).index == 2);
  library[203] = intra({3, 1}, 1);  // another order: other members
  REQUIRE(communicators.made(203).index == 4);
  library[204] = intra({1, 3}, 0);  // beside a living one
  REQUIRE(communicators.made(204).index == 5);
  REQUIRE(communicators.of(204).copy == 1);
}

TEST_CASE("a communicator that no recorded call made is noted when it is met") {
  Communicators communicators = of_rank(0, 2);
  library[300] = intra({0}, 0);
  REQUIRE(communicators.of(300).index == 2);
  REQUIRE(communicators.of(300).copy == 1);  // beside self
  REQUIRE(communicators.of(300).index == 2);
  REQUIRE(questions == 1);
}

TEST_CASE("a duplicate under way has its origin's members without a question") {
  Communicators communicators = of_rank(0, 3);
  REQUIRE(communicators.made(400, &communicators.of(kWorld), true).index == 2);
  REQUIRE(communicators.of(400).size == 3);
  REQUIRE(questions == 0);
}

TEST_CASE("communicators that threads make have one number on all ranks, in whatever order") {
  // Three threads, each with a duplicate of the world of its own, make and free duplicates of theirs.
  using Copies = std::map<HandleKey, std::uint32_t>;
  const auto copies_of = [](const std::vector<HandleKey>& order, bool has_threads) {
    library.clear();
    Communicators communicators;
    communicators.begin(kWorld, kSelf, 0, 2, read, has_threads);
    Copies copies;
    for (const HandleKey parent : {10U, 20U, 30U})
      copies[parent] = communicators.made(parent, &communicators.of(kWorld), true).copy;
    for (const HandleKey made : order)
      copies[made] = communicators.made(made, &communicators.of(made / 10 * 10), true).copy;
    CHECK(communicators.ambiguous() == 0);
    return copies;
  };
  const std::vector<HandleKey> one = {11, 12, 21, 31, 32}, other = {31, 21, 11, 32, 12};
  CHECK(copies_of(one, true) == copies_of(other, true));
  CHECK(copies_of(one, false) != copies_of(other, false));
  std::set<std::uint32_t> different;
  for (const auto& [made, copy] : copies_of(one, true)) different.insert(copy);
  CHECK(different.size() == 8);
  CHECK_FALSE(different.contains(0));  // the world's
}

TEST_CASE("a duplicate that a thread frees and makes again keeps its number") {
  library.clear();
  Communicators communicators;
  communicators.begin(kWorld, kSelf, 0, 2, read, true);
  communicators.made(10, &communicators.of(kWorld), true);
  const CommunicatorInfo first = communicators.made(11, &communicators.of(10), true);
  communicators.freed(communicators.detach(11));
  communicators.made(20, &communicators.of(kWorld), true);
  const CommunicatorInfo again = communicators.made(11, &communicators.of(10), true);
  CHECK(again.index == first.index);
  CHECK(again.copy == first.copy);
  CHECK(communicators.made(12, &communicators.of(10), true).copy != first.copy);
}

TEST_CASE(
    "a handle that is given out again before the call that frees it is over keeps its new "
    "meaning") {
  library.clear();
  Communicators communicators;
  communicators.begin(kWorld, kSelf, 0, 2, read, true);
  communicators.made(10, &communicators.of(kWorld), true);
  const std::int64_t old_index = communicators.made(11, &communicators.of(10), true).index;
  const std::uint32_t leaving = communicators.detach(11);
  CHECK(communicators.known(11) == nullptr);
  const std::int64_t new_index = communicators.made(11, &communicators.of(kWorld), true).index;
  CHECK(new_index != old_index);
  CHECK(communicators.at(leaving).index == old_index);
  communicators.freed(leaving);
  CHECK(communicators.of(11).index == new_index);
  CHECK(communicators.made(12, &communicators.of(10), true).index == old_index);
}

TEST_CASE("a communicator that could not be freed is known by its handle") {
  library.clear();
  Communicators communicators = of_rank(0, 4);
  library[200] = intra({0, 1}, 0);
  const std::int64_t index = communicators.made(200).index;
  const std::uint32_t number = communicators.detach(200);
  communicators.attach(200, number);
  CHECK(communicators.known(200)->index == index);
  CHECK(communicators.detach(300) == HandleMap::kAbsent);
}

TEST_CASE("both sides of an intercommunicator agree on which group is the first") {
  CommunicatorFacts seen = intra({2, 3}, 1);
  seen.inter = true;
  seen.remote = {1, 0};
  Communicators upper = of_rank(3, 4);
  library[500] = seen;
  REQUIRE(upper.of(500).inter);
  REQUIRE(upper.of(500).peers == 2);
  REQUIRE(upper.of(500).world_rank(0) == 1);
  trace_io::Trace of_upper, of_lower;
  upper.describe(of_upper, Rank{3});

  Communicators lower = of_rank(1, 4);
  library[500] = seen;
  std::swap(library[500].local, library[500].remote);
  REQUIRE(lower.of(500).world_rank(1) == 3);
  lower.describe(of_lower, Rank{1});
  REQUIRE(of_lower.communicators.at(0).groups == of_upper.communicators.at(0).groups);
  trace_io::ValueSequence first;
  for (const int rank : {1, 0}) first.append(rank);
  REQUIRE(of_lower.communicators.at(0).groups.at(0) == first);
}

TEST_CASE(
    "members outside the world make a communicator that is not modelled and not in the trace") {
  Communicators communicators = of_rank(0, 2);
  library[600] = intra({0, -1}, 0);
  library[600].modelled = false;
  REQUIRE_FALSE(communicators.of(600).modelled);
  library[601] = intra({1, 0}, 1);
  REQUIRE(communicators.of(601).index == 2);
  communicators.freed(communicators.detach(600));
  REQUIRE(communicators.known(600) == nullptr);
  trace_io::Trace trace;
  communicators.describe(trace, Rank{0});
  REQUIRE(trace.communicators.size() == 1);
  REQUIRE(trace.communicator_indices.size() == 1);
}

TEST_CASE("neighbours of a topology are counted and kept") {
  Communicators communicators = of_rank(0, 2);
  library[700] = intra({0, 1}, 0);
  library[700].sources = {5};
  library[700].destinations = {5, 6};
  REQUIRE(communicators.made(700).neighbours_in == 1);
  REQUIRE(communicators.of(700).neighbours_out == 2);
  REQUIRE(communicators.of(700).destinations == std::vector<std::int64_t>{5, 6});
}
