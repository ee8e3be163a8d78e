// SPDX-License-Identifier: MIT
#include "trace-io/merge/field_join.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

namespace reprise::trace_io::testing {
namespace {

constexpr std::size_t kComm = 0, kPeer = 1, kTag = 2;
constexpr std::int32_t kRanks = 16;
using Values = std::vector<std::int64_t>;

ValueSequence sequence_of(const Values& values) {
  ValueSequence sequence;
  for (const std::int64_t value : values) sequence.append(value);
  return sequence;
}

FieldValues field_of(std::int32_t rank, const Values& values) {
  FieldEntry entry;
  entry.ranks = RankList::single(Rank{rank});
  entry.values = sequence_of(values);
  FieldValues field;
  field.push_back(std::move(entry));
  return field;
}

Values peers(Values ranks) {
  for (std::int64_t& rank : ranks) rank += kFirstPeer;
  return ranks;
}

// An MPI_Send as one rank made it.
Leaf send_by(std::int32_t rank, const Values& comm, const Values& peer, const Values& tag = {7}) {
  Leaf leaf;
  leaf.fields = {field_of(rank, comm), field_of(rank, peer), field_of(rank, tag),
                 field_of(rank, {8})};
  return leaf;
}

// A job of 16 ranks in which index 2 is the row of four that a rank is in, and index 3 that row, duplicated.
Trace rows() {
  Trace trace;
  trace.header.ranks = kRanks;
  trace.communicator_indices.resize(2);
  for (const std::uint32_t copy : {0U, 1U})
    for (std::int32_t row = 0; row < 4; ++row) {
      Communicator communicator;
      communicator.groups.resize(1);
      communicator.groups[0].append_run(4 * row, 1, 4);
      communicator.copy = copy;
      std::vector<Rank> ranks;
      for (std::int32_t i = 0; i < 4; ++i) ranks.push_back(Rank{4 * row + i});
      trace.communicator_indices[copy].push_back(
          {RankList::from_ranks(std::move(ranks)),
           static_cast<std::uint32_t>(trace.communicators.size())});
      trace.communicators.push_back(std::move(communicator));
    }
  return trace;
}

// One after the other, as they come.
Leaf joined(std::vector<Leaf> leaves) {
  static const CommunicatorTable communicators(rows());
  RankUnions unions;
  Leaf all = std::move(leaves.front());
  for (std::size_t i = 1; i < leaves.size(); ++i)
    join_fields(all, leaves[i], fields(procedure_named("MPI_Send")), communicators, unions);
  return all;
}

std::string text_of(const FieldValues& field) {
  std::string text;
  for (const FieldEntry& entry : field) {
    constexpr const char* kForms[] = {"absolute", "relative", "exclusive-or"};
    text += (text.empty() ? "" : "; ") + entry.ranks.text() + " " +
            kForms[static_cast<std::size_t>(entry.form)];
  }
  return text;
}

TEST_CASE("field join: equal values become one entry", "[merge]") {
  const Leaf leaf = joined({send_by(3, {0}, peers({5})), send_by(1, {0}, peers({5}))});
  CHECK(text_of(leaf.fields[kPeer]) == "1,3 absolute");
  CHECK(text_of(leaf.fields[kTag]) == "1,3 absolute");
}

TEST_CASE("field join: the form stays open while the ranks agree in several", "[merge]") {
  // 0 → 2 and 1 → 3 are two ranks further, and the other half of a group of four.
  const Leaf two = joined({send_by(0, {0}, peers({2})), send_by(1, {0}, peers({3}))});
  CHECK(text_of(two.fields[kPeer]) == "0-1 relative");
  CHECK(two.fields[kPeer][0].other_forms == 1U << static_cast<unsigned>(PeerForm::exclusive_or));

  const Leaf further = joined({two, send_by(2, {0}, peers({4}))});
  CHECK(text_of(further.fields[kPeer]) == "0-2 relative");
  CHECK(further.fields[kPeer][0].other_forms == 0);
  CHECK(text_of(joined({two, send_by(2, {0}, peers({0}))}).fields[kPeer]) == "0-2 exclusive-or");
  CHECK(text_of(joined({two, send_by(2, {0}, peers({9}))}).fields[kPeer]) ==
        "0-1 relative; 2 absolute");
}

TEST_CASE("field join: entries are stored as their lowest rank sees them", "[merge]") {
  const Leaf leaf = joined(
      {send_by(5, {0}, peers({6})), send_by(15, {0}, peers({0})), send_by(2, {0}, peers({3}))});
  REQUIRE(text_of(leaf.fields[kPeer]) == "2,5,15 relative");
  CHECK(leaf.fields[kPeer][0].values == sequence_of(peers({3})));
}

TEST_CASE("field join: peers are counted in the communicator of the call", "[merge]") {
  const Leaf leaf = joined(
      {send_by(3, {2}, peers({0})), send_by(4, {2}, peers({1})), send_by(5, {2}, peers({2}))});
  CHECK(text_of(leaf.fields[kPeer]) == "3-5 relative");  // the right neighbour in a row of four
}

TEST_CASE("field join: communicators that vary leave only the absolute form", "[merge]") {
  const Leaf leaf = joined({send_by(0, {0, 2}, peers({1, 1})), send_by(1, {0, 2}, peers({2, 2})),
                            send_by(2, {0, 2}, peers({1, 1}))});
  CHECK(text_of(leaf.fields[kPeer]) == "0,2 absolute; 1 absolute");
}

TEST_CASE(
    "field join: the ranks of a form keep one communicator each, whatever other ranks go on to use",
    "[merge]") {
  const Leaf leaf = joined({send_by(0, {2, 2}, peers({1, 1})), send_by(1, {2, 2}, peers({2, 2})),
                            send_by(2, {2, 2, 3}, peers({3, 3, 3}))});
  CHECK(text_of(leaf.fields[kComm]) == "0-1 absolute; 2 absolute");
  CHECK(text_of(leaf.fields[kPeer]) == "0-1 relative; 2 absolute");
}

TEST_CASE("field join: a shorter sequence is read as the beginning of a longer one", "[merge]") {
  const Leaf leaf = joined(
      {send_by(0, {0}, peers({1, 1}), {1, 2}), send_by(1, {0}, peers({2, 2, 2, 5}), {1, 2, 3})});
  CHECK(text_of(leaf.fields[kTag]) == "0-1 absolute");
  CHECK(leaf.fields[kTag][0].values.size() == 3);
  REQUIRE(text_of(leaf.fields[kPeer]) == "0-1 relative");
  CHECK(leaf.fields[kPeer][0].values == sequence_of(peers({1, 1, 1, 4})));
}

TEST_CASE("field join: equal values are preferred to a beginning", "[merge]") {
  Leaf two =
      joined({send_by(0, {0}, peers({0}), {1, 2, 4}), send_by(1, {0}, peers({0}), {1, 2, 3})});
  REQUIRE(two.fields[kTag].size() == 2);
  const Leaf three = joined({two, send_by(2, {0}, peers({0}), {1, 2, 3})});
  CHECK(text_of(three.fields[kTag]) == "0 absolute; 1-2 absolute");
}

TEST_CASE("field join: special peers are the same for all", "[merge]") {
  const Leaf leaf = joined(
      {send_by(0, {0}, {kProcNull, kFirstPeer + 1}), send_by(1, {0}, {kProcNull, kFirstPeer + 2})});
  CHECK(text_of(leaf.fields[kPeer]) == "0-1 relative");
  CHECK(
      joined({send_by(0, {0}, {kProcNull}), send_by(1, {0}, {kAnySource})}).fields[kPeer].size() ==
      2);
}

// System: sixteen ranks with peers of eight patterns. Expectation: however many entries both sides have, equal patterns meet.
TEST_CASE("field join: many entries find their partners", "[merge]") {
  std::vector<Leaf> leaves;
  for (std::int32_t rank = 0; rank < kRanks; ++rank)
    leaves.push_back(
        send_by(rank, {0}, peers({(rank + rank % 8 * 2 + 1) % kRanks, 3}), {rank % 8}));
  const Leaf leaf = joined(leaves);
  CHECK(leaf.fields[kTag].size() == 8);
  for (const FieldEntry& entry : leaf.fields[kTag]) CHECK(entry.ranks.size() == 2);
  std::reverse(leaves.begin(), leaves.end());
  CHECK(joined(leaves).fields[kTag].size() == 8);
}

}  // namespace
}  // namespace reprise::trace_io::testing
