// SPDX-License-Identifier: MIT
// Algorithms that play another one for some calls: that the registry names every such case, and that a replay counts them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "sim/collectives/node_map.hpp"
#include "sim/collectives/selection.hpp"
#include "sim/engine/replay.hpp"
#include "tests/physics/machines.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

using sim::Algorithm;
using sim::CollectiveCall;
using trace_io::Collective;
using Replaced = platforms::SettingsUse::Replaced;

constexpr std::int64_t kBytesOfElement = 8;

// What each member sends and receives, round by round.
using Play = std::vector<std::tuple<int, int, std::uint64_t>>;
Play play(const Algorithm& algorithm, CollectiveCall call) {
  Play all;
  for (call.rank = 0; call.rank < call.size; ++call.rank) {
    call.side =
        call.rank == call.root ? CollectiveCall::Side::root : CollectiveCall::Side::opposite;
    sim::Position position;
    for (sim::Steps steps; sim::next_round(algorithm, call, position, steps); steps.clear()) {
      for (const auto& step : steps)
        all.emplace_back(static_cast<int>(step.kind), step.peer, step.bytes.value);
      if (!steps.empty()) all.emplace_back(-1, 0, 0);  // the round's end
    }
    all.emplace_back(-2, 0, 0);
  }
  return all;
}

struct Asked {
  CollectiveCall call;
  std::vector<std::int64_t> list;
};
Asked asked(Collective operation, int members, std::int64_t elements, bool commutes) {
  Asked made;
  made.call.operation = operation;
  made.call.size = members;
  made.call.commutes = commutes;
  made.call.element_bytes = Bytes{kBytesOfElement};
  made.call.bytes = made.call.receive_bytes =
      Bytes{static_cast<std::uint64_t>(elements * kBytesOfElement)};
  made.list.assign(static_cast<std::size_t>(members), elements * kBytesOfElement);
  return made;
}

bool falls_back(const Algorithm& algorithm, const CollectiveCall& call) {
  return algorithm.fallback != nullptr && algorithm.fallback->holds(call);
}

platforms::Platform with_rule(int nodes, const std::string& operation, const std::string& name) {
  auto platform = star(static_cast<std::uint32_t>(nodes));
  platform.collectives.selection = "open-mpi-4.1";
  platform.collectives.rules = {{operation, std::nullopt, name, Bytes{}, 0, "/a"}};
  return platform;
}

std::vector<Replaced> replaced(int ranks, const std::string& calls, const std::string& operation,
                               const std::string& name, const std::string& communicators = "") {
  const auto trace = trace_io::assemble("reprise-text 1\nranks " + std::to_string(ranks) + "\n" +
                                            communicators + "thread 0 {\n" + calls + "}\n",
                                        "test");
  return sim::replay(trace, with_rule(ranks, operation, name), {}).used.replaced;
}

}  // namespace

// Two algorithms of one operation that do the same for some calls and not for others: one of them has fallen back on the other, or both on
// a third one. Trees of a few members are alike by nature; 9 members and more tell them apart. Rabenseifner's allreduce with the cuts of either
// library is the same where these are even.
TEST_CASE("fallbacks: the registry names every call for which an algorithm plays another one",
          "[collectives]") {
  for (const Algorithm& one : sim::algorithms())
    for (const Algorithm& other : sim::algorithms()) {
      if (&one == &other || one.operation != other.operation || one.on_intercommunicators ||
          other.on_intercommunicators || one.stages != nullptr || other.stages != nullptr ||
          one.operation >= Collective::neighbor_allgather)
        continue;
      const auto is_halving = [](std::string_view name) {
        return name == "rabenseifner" || name == "reduce_scatter_allgather";
      };
      if (is_halving(one.name) && is_halving(other.name)) continue;
      bool may_differ = false;
      std::string undeclared;
      for (const int members : {9, 10, 16, 21})
        for (const std::int64_t elements : {1, 8, 9, 15, 16, 20, 21, 500})
          for (const bool commutes : {true, false}) {
            Asked made = asked(one.operation, members, elements, commutes);
            made.call.send_list = made.call.receive_list = made.list;
            if (!commutes && (one.only_commuting || other.only_commuting)) continue;
            const bool is_declared = falls_back(one, made.call) || falls_back(other, made.call);
            if (play(one, made.call) != play(other, made.call))
              may_differ = true;
            else if (!is_declared)
              undeclared = std::string(one.name) + " as " + std::string(other.name) + " for " +
                           std::to_string(elements) + " elements on " + std::to_string(members);
          }
      CAPTURE(static_cast<int>(one.operation));
      if (may_differ) CHECK(undeclared == "");
    }
}

TEST_CASE("fallbacks: what is played is the algorithm that is named", "[collectives]") {
  int declared = 0;
  for (const Algorithm& algorithm : sim::algorithms()) {
    if (algorithm.fallback == nullptr) continue;
    ++declared;
    const Algorithm* const other =
        sim::find_algorithm(algorithm.operation, false, algorithm.fallback->algorithm);
    REQUIRE(other != nullptr);
    CHECK(other->fallback == nullptr);
    bool holds_for_some = false, differs_for_some = false;
    for (int members = 2; members <= 17; ++members)
      for (const std::int64_t elements : {0, 1, 3, 4, 15, 16, 17, 100})
        for (const bool commutes : {true, false}) {
          Asked made = asked(algorithm.operation, members, elements, commutes);
          made.call.send_list = made.call.receive_list = made.list;
          if (!commutes && algorithm.only_commuting) continue;
          CAPTURE(static_cast<int>(algorithm.operation), algorithm.name, members, elements);
          const bool holds = algorithm.fallback->holds(made.call),
                     is_same = play(algorithm, made.call) == play(*other, made.call);
          if (holds) CHECK(is_same);
          holds_for_some |= holds;
          differs_for_some |= !is_same;
        }
    CHECK(holds_for_some);
    CHECK(differs_for_some);
  }
  CHECK(declared == 14);
}

TEST_CASE("fallbacks: a replay counts the calls of a rule's algorithm that another one carried out",
          "[physics]") {
  const std::string few = "MPI_Allreduce send_bytes=8 element_bytes=8\n",
                    many = "MPI_Allreduce send_bytes=1kB element_bytes=8\n";
  CHECK(replaced(5, few + few + many, "allreduce", "rabenseifner") ==
        std::vector<Replaced>{{"allreduce", "rabenseifner", "linear",
                               "fewer elements than the largest power of two of ranks", "Open MPI",
                               2, 3}});
  CHECK(replaced(5, few, "allreduce", "linear").empty());
  CHECK(replaced(5, few, "bcast", "linear").empty());
  CHECK(replaced(5, "MPI_Alltoall send_bytes=8 receive_bytes_per_peer=8\n", "alltoall",
                 "exclusive_or") ==
        std::vector<Replaced>{{"alltoall", "exclusive_or", "pairwise",
                               "the number of ranks is not a power of two", "MPICH", 1, 1}});
}

TEST_CASE("fallbacks: so it does where the library's choice stands in", "[physics]") {
  CHECK(replaced(5, "MPI_Allreduce send_bytes=1kB commutes=0\n", "allreduce", "ring") ==
        std::vector<Replaced>{{"allreduce", "ring", "recursive_doubling",
                               "the operator does not commute", "", 1, 1}});
  CHECK(replaced(4, "MPI_Bcast peer=0 send_bytes=1kB\n", "bcast", "two_level") ==
        std::vector<Replaced>{{"bcast", "two_level", "binary",
                               "no node has several of the ranks, or one has all", "", 1, 1}});
}

TEST_CASE("fallbacks: so it does between the groups of an intercommunicator", "[physics]") {
  CHECK(replaced(4, "MPI_Allreduce comm=2 send_bytes=1kB\n", "allreduce", "ring",
                 "communicator 2: 0 1 | 2 3\n") ==
        std::vector<Replaced>{
            {"allreduce", "ring", "leaders", "the communicator joins two groups", "", 1, 1}});
}

TEST_CASE("fallbacks: what the library itself chooses is no replacement of a rule's",
          "[collectives]") {
  auto platform = star(12);
  platform.collectives.selection = "open-mpi-4.1";
  const sim::Selection selection(platform, "");
  Asked made = asked(Collective::allgather, 12, 1, true);
  const sim::Choice choice = selection.choose(made.call);
  CHECK(choice.algorithm->name == "recursive_doubling");
  CHECK(choice.asked == nullptr);
  const sim::Played found = sim::played(choice, made.call);
  CHECK(found.choice.algorithm->name == "bruck");
  CHECK(found.in_place_of == choice.algorithm);
  CHECK(found.reason == "the number of ranks is not a power of two");
}

}  // namespace reprise::test
