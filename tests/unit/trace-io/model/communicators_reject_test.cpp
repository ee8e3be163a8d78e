// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "tests/unit/trace-io/model/value_programs.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/model/communicators.hpp"

namespace reprise::trace_io {
namespace {

std::string refusal(std::vector<Communicator> communicators,
                    std::vector<std::vector<CommunicatorUse>> indices = {}) {
  Trace trace;
  trace.header.ranks = 4;
  trace.communicators = std::move(communicators);
  trace.communicator_indices = std::move(indices);
  try {
    check_communicators(trace, "run.reprise");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

Communicator communicator(std::initializer_list<Values> groups) {
  Communicator result;
  for (const Values& group : groups) result.groups.push_back(sequence_of(group));
  return result;
}

}  // namespace

TEST_CASE("communicators: a definition without groups, or with three, is refused", "[model]") {
  const std::string hint = "\n  a communicator has one group, an intercommunicator two";
  CHECK(refusal({communicator({})}) == "run.reprise: communicator 0: it has 0 groups" + hint);
  CHECK(refusal({communicator({{0}}), communicator({{0}, {1}, {2}})}) ==
        "run.reprise: communicator 1: it has 3 groups" + hint);
}

TEST_CASE("communicators: an empty group, a stranger and a double member are refused", "[model]") {
  CHECK(refusal({communicator({{}})}) == "run.reprise: communicator 0: a group has no members");
  CHECK(refusal({communicator({{0, 4}})}) ==
        "run.reprise: communicator 0: member 4 is not one of the 4 ranks of the trace");
  CHECK(refusal({communicator({{-1}})}) ==
        "run.reprise: communicator 0: member -1 is not one of the 4 ranks of the trace");
  CHECK(refusal({communicator({{0, 2, 0}})}) ==
        "run.reprise: communicator 0: rank 0 is a member twice");
  CHECK(refusal({communicator({{0, 2}, {1, 2}})}) ==
        "run.reprise: communicator 0: rank 2 is a member twice");
}

TEST_CASE("communicators: a group larger than the trace is refused before it is unrolled",
          "[model]") {
  Communicator huge;
  huge.groups.push_back(ValueSequence::from_terms(Terms{run(0, 0, std::uint64_t{1} << 60U)}));
  CHECK(refusal({huge}) ==
        "run.reprise: communicator 0: a group has 1152921504606846976 members, but the trace has 4 "
        "ranks");
}

TEST_CASE("communicators: an intercommunicator's groups stand in the order of their lowest ranks",
          "[model]") {
  CHECK(refusal({communicator({{3, 1}, {2, 0}})}) ==
        "run.reprise: communicator 0: group 1 has the lowest rank, 0\n  the group with the lowest "
        "rank comes first");
  CHECK(refusal({communicator({{2, 0}, {3, 1}})}).empty());
}

TEST_CASE("communicators: a use of an unknown definition, by a stranger or twice is refused",
          "[model]") {
  const auto row = communicator({{0, 1}});
  const RankList both = RankList::all(2), all = RankList::all(3), zero = RankList::all(1);
  CHECK(refusal({row}, {{{both, 1}}}) ==
        "run.reprise: communicator index 2: communicator 1 is not one of the 1 that are defined");
  CHECK(refusal({row}, {{{both, 0}}, {{all, 0}}}) ==
        "run.reprise: communicator index 3: rank 2 is not a member of communicator 0");
  CHECK(refusal({row, row}, {{{both, 0}, {zero, 1}}}) ==
        "run.reprise: communicator index 2: rank 0 has it twice");
  CHECK(refusal({row}, {{{both, 0}}}).empty());
}

}  // namespace reprise::trace_io
