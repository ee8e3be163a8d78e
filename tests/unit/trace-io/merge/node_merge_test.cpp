// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/unit/trace-io/merge/job.hpp"
#include "tests/unit/trace-io/merge/random_program.hpp"
#include "trace-io/merge/merge.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::trace_io::testing {
namespace {

// A job of calls without fields, told apart by their places alone.
using Places = std::vector<std::uint32_t>;

Job job_of(const std::vector<Places>& ranks) {
  Job job;
  job.ranks = static_cast<std::int32_t>(ranks.size());
  for (const Places& places : ranks) {
    std::vector<Call>& calls = job.calls.emplace_back();
    for (const std::uint32_t place : places) {
      job.procedures.resize(std::max<std::size_t>(job.procedures.size(), place + 1),
                            "MPI_Unheard_of");
      calls.push_back({place, {}, {}, {}, {}});
    }
  }
  return job;
}

Places repeated(std::size_t times, const Places& body) {
  Places all;
  for (std::size_t i = 0; i < times; ++i) all.insert(all.end(), body.begin(), body.end());
  return all;
}

Places operator+(Places a, const Places& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Places places_of(const Trace& trace, std::int32_t rank) {
  Places places;
  for (const Call& call : decoded(trace, rank)) places.push_back(call.place);
  return places;
}

// The merged trace, after a check that every rank kept its calls.
Trace merged(const std::vector<Places>& ranks) {
  const Job job = job_of(ranks);
  Trace trace = merged_in_tree(job);
  for (std::int32_t rank = 0; rank < job.ranks; ++rank)
    REQUIRE(places_of(trace, rank) == ranks[static_cast<std::size_t>(rank)]);
  return trace;
}

std::size_t nodes_of(const Trace& trace) { return size_of(trace.threads.at(0)).nodes; }

TEST_CASE("node merge: what one rank leaves out stays a node of the others", "[merge]") {
  const Trace trace = merged({{0, 1, 2}, {0, 2}, {0, 1, 2}});
  REQUIRE(nodes_of(trace) == 3);
  CHECK(trace.threads[0][1].ranks.text() == "0,2");
}

TEST_CASE("node merge: loops with rank-dependent branches share their body", "[merge]") {
  const Trace trace =
      merged({repeated(9, {0, 1, 2, 3}), repeated(9, {0, 4, 2, 3}), repeated(7, {0, 1, 2, 3})});
  CHECK(nodes_of(trace) == 6);
  const Loop& loop = std::get<Loop>(trace.threads[0].at(0).content);
  REQUIRE(loop.iterations.size() == 2);
  CHECK(loop.iterations[0].ranks.text() == "0-1");
  CHECK(loop.iterations[1].values.front() == 7);
}

TEST_CASE("node merge: a single call joins the others' loop over it", "[merge]") {
  const Trace trace = merged({Places{0} + repeated(4, {1}) + Places{2},
                              {0, 1, 2},
                              Places{0} + repeated(4, {1}) + Places{2}});
  CHECK(nodes_of(trace) == 4);
  CHECK(trace.threads[0].at(1).ranks.text() == "0-2");
}

TEST_CASE("node merge: a body written out once joins the others' loop over it", "[merge]") {
  const Places loop = Places{0} + repeated(4, {1, 2}) + Places{3};
  CHECK(nodes_of(merged({loop, {0, 1, 2, 3}})) == 5);
  CHECK(nodes_of(merged({{0, 1, 2, 3}, loop})) == 5);
  CHECK(nodes_of(merged({{0, 1, 2, 3}, {0, 1, 2, 3}, loop, loop})) == 5);
}

TEST_CASE("node merge: a body written out joins the others' loop at the program's ends too",
          "[merge]") {
  const Places loop = repeated(4, {1, 2});
  CHECK(nodes_of(merged({loop + Places{3}, {1, 2, 3}})) == 4);
  CHECK(nodes_of(merged({{1, 2, 3}, loop + Places{3}})) == 4);
  CHECK(nodes_of(merged({Places{3} + loop, {3, 1, 2}})) == 4);
  CHECK(nodes_of(merged({{3, 1, 2}, Places{3} + loop})) == 4);
}

TEST_CASE("node merge: within a loop that is never left early, too", "[merge]") {
  const Places many = repeated(5, Places{0} + repeated(4, {1, 2}) + Places{3}),
               once = repeated(5, {0, 1, 2, 3});
  CHECK(nodes_of(merged({many, once})) == 6);
}

TEST_CASE("node merge: exits keep their meaning where the other ranks' nodes stand in between",
          "[merge]") {
  // Both leave the loop in the middle, behind nodes that the other one does not have.
  const Places one = repeated(6, {0, 1, 2, 3}) + Places{0, 1, 9},
               other = repeated(6, {0, 5, 2, 3}) + Places{0, 5, 2, 9};
  const Places twice = repeated(3, one), other_twice = repeated(3, other);
  merged({one, other});
  merged({twice, other_twice, twice, one});
}

TEST_CASE("node merge: long programs that differ in few calls are aligned", "[merge]") {
  Places all, some;
  for (std::uint32_t place = 0; place < 1000; ++place) {
    all.push_back(place);
    if (place % 10 != 5) some.push_back(place);
  }
  CHECK(nodes_of(merged({all, some})) == 1000);
}

TEST_CASE("node merge: long random programs are kept whole", "[merge]") {
  Random random(7);
  std::vector<Places> ranks(5);
  for (Places& places : ranks)
    for (int i = 0; i < 1500; ++i) places.push_back(static_cast<std::uint32_t>(random.below(400)));
  merged(ranks);
}

TEST_CASE("node merge: ranks that called nothing do not disturb", "[merge]") {
  CHECK(nodes_of(merged({{}, {0, 1}, {}, {0, 1}})) == 2);
}

TEST_CASE("node merge: threads are merged with the threads of the same number", "[merge]") {
  const Job job = job_of({{0, 1}, {0, 1}, {2, 3, 2}});
  Trace one = trace_of_rank(job, 0), other = trace_of_rank(job, 1), third = trace_of_rank(job, 2);
  other.threads.push_back(other.threads[0]);
  third.threads.insert(third.threads.begin(), std::vector<Node>());
  const Trace trace = merge(merge(std::move(one), std::move(other)), std::move(third));
  REQUIRE(trace.threads.size() == 2);
  REQUIRE(trace.threads[0].size() == 2);
  CHECK(trace.threads[0][0].ranks.text() == "0-1");
  CHECK(trace.threads[1].size() == 5);
}

TEST_CASE("node merge: failed polls of all ranks add up", "[merge]") {
  std::vector<Trace> traces;
  for (const std::int32_t rank : {0, 1, 2}) {
    const std::string own = std::to_string(rank);
    traces.push_back(assemble("reprise-text 1\nranks 3\nrecorded " + own + "\nthread 0 {\nranks " +
                                  own + ": MPI_Test request=0 polls=" + std::to_string(rank + 3) +
                                  "\n}\n",
                              "test"));
  }
  const Trace both = merge(std::move(traces[0]), std::move(traces[1])),
              all = merge(both, std::move(traces[2]));
  REQUIRE(all.threads.at(0).size() == 1);
  CHECK(std::get<Leaf>(all.threads[0][0].content).polls == 3 + 4 + 5);
}

}  // namespace
}  // namespace reprise::trace_io::testing
