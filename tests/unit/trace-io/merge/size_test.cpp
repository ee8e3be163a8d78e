// SPDX-License-Identifier: MIT
// What merging is for: the size of a regular program's trace depends on the number of different positions, not of ranks.
#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/trace-io/merge/job.hpp"

namespace reprise::trace_io::testing {
namespace {

constexpr std::int64_t kSteps = 20;

// A program without calls, for jobs of that many ranks.
Job job_of(std::int32_t ranks, std::vector<std::string> procedures) {
  Job job;
  job.ranks = ranks;
  job.procedures = std::move(procedures);
  job.calls.resize(static_cast<std::size_t>(ranks));
  return job;
}

constexpr std::int64_t kWorld = 0, kTag = 7, kBytes = 8192;

Call send(std::uint32_t place, std::int64_t peer) {
  return {place, {kWorld, peer, kTag, kBytes}, {}, {}, {}};
}
Call receive(std::uint32_t place, std::int64_t peer) {
  return {place, {kWorld, peer, kTag, kBytes, kNoPeer, kNone}, {}, {}, {}};
}
Call allreduce(std::uint32_t place) { return {place, {kWorld, 8, 0, 8, 1}, {}, {}, {}}; }

Job ring(std::int32_t ranks) {
  Job job = job_of(ranks, {"MPI_Send", "MPI_Recv", "MPI_Allreduce"});
  for (std::int32_t me = 0; me < ranks; ++me)
    for (std::int64_t step = 0; step < kSteps; ++step) {
      auto& calls = job.calls[static_cast<std::size_t>(me)];
      calls.push_back(send(0, kFirstPeer + (me + 1) % ranks));
      calls.push_back(receive(1, kFirstPeer + (me + ranks - 1) % ranks));
      calls.push_back(allreduce(2));
    }
  return job;
}

// A square grid; every rank sends to its neighbours and receives from them, in the order west, east, north, south. Borders
// send to MPI_PROC_NULL, or leave the call out.
enum class Border { periodic, null, left_out };

Job halo(std::int32_t side, Border border) {
  Job job = job_of(side * side, {});
  for (int direction = 0; direction < 4; ++direction)
    job.procedures.insert(job.procedures.end(), {"MPI_Send", "MPI_Recv"});
  job.procedures.emplace_back("MPI_Allreduce");
  constexpr std::int32_t kDx[] = {-1, 1, 0, 0}, kDy[] = {0, 0, -1, 1};
  for (std::int32_t me = 0; me < job.ranks; ++me)
    for (std::int64_t step = 0; step < kSteps; ++step) {
      auto& calls = job.calls[static_cast<std::size_t>(me)];
      for (std::uint32_t direction = 0; direction < 4; ++direction) {
        std::int32_t x = me % side + kDx[direction], y = me / side + kDy[direction];
        const bool is_outside = x < 0 || y < 0 || x >= side || y >= side;
        if (is_outside && border == Border::left_out) continue;
        x = (x + side) % side;
        y = (y + side) % side;
        const std::int64_t peer =
            is_outside && border == Border::null ? kProcNull : kFirstPeer + y * side + x;
        calls.push_back(send(2 * direction, peer));
        calls.push_back(receive(2 * direction + 1, peer));
      }
      calls.push_back(allreduce(8));
    }
  return job;
}

TEST_CASE("merge: a ring of any size has the nodes of one rank and one entry a field", "[merge]") {
  const std::size_t one_rank = size_of(trace_of_rank(ring(4), 0).threads.at(0)).nodes;
  CHECK(one_rank == 4);  // the loop and its three calls
  for (const std::int32_t ranks : {4, 9, 16, 64}) {
    const Trace trace = merged_in_tree(ring(ranks));
    const Size size = size_of(trace.threads.at(0));
    CAPTURE(ranks);
    CHECK(size.nodes == one_rank);
    CHECK(size.most_entries == 1);
    const Leaf& first =
        std::get<Leaf>(std::get<Loop>(trace.threads[0].at(0).content).body.at(0).content);
    CHECK(first.fields.at(1).at(0).form == PeerForm::relative);
    CHECK(first.fields.at(1).at(0).other_forms ==
          0);  // the trace holds all ranks: nothing is left to be decided
  }
}

// System: ranks of a side × side grid. Expectation: the nodes of an inside rank, and no field with more entries than there are
// kinds of positions along one axis (inside or at the border): a neighbour is at one distance, or over the border.
TEST_CASE("merge: a periodic halo has two entries a neighbour, whatever the grid", "[merge]") {
  for (const std::int32_t side : {2, 3, 4, 8}) {
    const Size size = size_of(merged_in_tree(halo(side, Border::periodic)).threads.at(0));
    CAPTURE(side);
    CHECK(size.nodes == 10);
    CHECK(size.most_entries <= 2);
  }
}

TEST_CASE("merge: a halo with null neighbours has two entries a neighbour, whatever the grid",
          "[merge]") {
  for (const std::int32_t side : {2, 3, 4, 8}) {
    const Size size = size_of(merged_in_tree(halo(side, Border::null)).threads.at(0));
    CAPTURE(side);
    CHECK(size.nodes == 10);
    CHECK(size.most_entries == 2);
  }
}

// Calls that borders leave out stay nodes of their own with the ranks that make them.
TEST_CASE("merge: a halo whose borders leave calls out has one node a call, whatever the grid",
          "[merge]") {
  for (const std::int32_t side : {2, 3, 4, 8}) {
    const Trace trace = merged_in_tree(halo(side, Border::left_out));
    const Size size = size_of(trace.threads.at(0));
    CAPTURE(side);
    CHECK(size.nodes == 10);
    CHECK(size.most_entries == 1);
    const Node& west = std::get<Loop>(trace.threads[0].at(0).content).body.at(0);
    CHECK(west.ranks.size() == side * (side - 1));
  }
}

TEST_CASE("merge: the order of merging does not change the size of a regular program", "[merge]") {
  const auto last = [](std::size_t limit) { return limit - 1; };
  const auto first = [](std::size_t) { return std::size_t{0}; };
  for (const auto& choose : {Chooser(last), Chooser(first)}) {
    CHECK(size_of(merged_in_any_order(ring(16), choose).threads.at(0)).most_entries == 1);
    const Size size = size_of(merged_in_any_order(halo(4, Border::null), choose).threads.at(0));
    CHECK(size.nodes == 10);
    CHECK(size.most_entries == 2);
  }
}

// System: rank 0 deals work to everyone and collects it; the others talk to rank 0 alone.
TEST_CASE("merge: workers that talk to one master share one absolute entry", "[merge]") {
  Job job = job_of(16, {"MPI_Send", "MPI_Recv"});
  for (std::int32_t worker = 1; worker < job.ranks; ++worker) {
    job.calls[0].push_back(send(0, kFirstPeer + worker));
    job.calls[static_cast<std::size_t>(worker)].push_back(receive(1, kFirstPeer));
  }
  const Trace trace = merged_in_tree(job);
  REQUIRE(trace.threads.at(0).size() == 2);
  const Leaf& answer = std::get<Leaf>(trace.threads[0].at(1).content);
  REQUIRE(answer.fields.at(1).size() == 1);
  CHECK(answer.fields[1][0].form == PeerForm::absolute);
  CHECK(answer.fields[1][0].ranks.text() == "1-15");
}

// System: partners of a butterfly, me xor 2^step.
TEST_CASE("merge: a butterfly is one exclusive-or entry", "[merge]") {
  Job job = job_of(16, {"MPI_Send"});
  for (std::int32_t me = 0; me < job.ranks; ++me)
    for (std::int32_t bit = 1; bit < job.ranks; bit *= 2)
      job.calls[static_cast<std::size_t>(me)].push_back(send(0, kFirstPeer + (me ^ bit)));
  const Trace trace = merged_in_tree(job);
  const Size size = size_of(trace.threads.at(0));
  CHECK(size.nodes == 2);
  CHECK(size.most_entries == 1);
}

}  // namespace
}  // namespace reprise::trace_io::testing
