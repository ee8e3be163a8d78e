// SPDX-License-Identifier: MIT
// Each wait state against its closed form, and all of them against what the outcome says that ranks wait.
#include "sim/experiment/details/wait_states.hpp"

#include <string>

#include "sim/experiment/answer.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

using sim::WaitState;

// Of a program, after a check that each rank's states add up to its wait.
sim::WaitStateSums waits_of(int ranks, const std::string& calls, const platforms::Platform& machine,
                            const sim::ReplaySettings& settings = {}) {
  const auto trace = trace_io::assemble(
      "reprise-text 1\nranks " + std::to_string(ranks) + "\nthread 0 {\n" + calls + "\n}\n",
      "test");
  sim::AnswerRequest request;
  request.details = sim::parse_details("wait-states");
  const sim::Answer answer = sim::replayed(trace, machine, settings, request);
  const auto& waits = *answer.figure<sim::WaitStateSums>();
  for (const auto& rank : answer.outcome.ranks) {
    double sum = 0;
    for (const auto& wait : waits.ranks)
      if (wait.rank == rank.rank.value) sum += wait.seconds;
    INFO("rank " << rank.rank.value);
    CHECK(std::abs(sum - rank.wait.value) <= 1e-9 * answer.outcome.predicted_time.value);
  }
  return waits;
}

double of_rank(const sim::WaitStateSums& waits, int rank, WaitState state) {
  double sum = 0;
  for (const auto& wait : waits.ranks)
    if (wait.rank == rank && wait.state == state) sum += wait.seconds;
  return sum;
}

platforms::Platform with_algorithm(const std::string& operation, const std::string& algorithm,
                                   std::uint32_t nodes) {
  platforms::Platform machine = uncontended_star(nodes);
  machine.collectives.rules = {
      {.operation = operation, .up_to = {}, .algorithm = algorithm, .segment = {}, .pointer = {}}};
  return machine;
}

}  // namespace

// System: rank 0 computes 40 µs before its send, rank 1 is in its receive after 10.
TEST_CASE("wait states: late sender", "[physics]") {
  const auto waits = waits_of(2, R"(ranks 0: MPI_Send peer=1 bytes=1000 | compute 40us
    ranks 1: MPI_Recv peer=0 bytes=1000 | compute 10us)",
                              star(2));
  CHECK(of_rank(waits, 1, WaitState::late_sender) == near(30e-6 + kSendOverhead));
  CHECK(waits.all == near(30e-6 + kSendOverhead));
}

// System: rank 1 asks first for the message that rank 0 sends last.
TEST_CASE("wait states: messages in wrong order", "[physics]") {
  const auto waits = waits_of(2, R"(ranks 0: MPI_Send peer=1 bytes=1000 tag=1
    ranks 0: MPI_Send peer=1 bytes=1000 tag=2 | compute 40us
    ranks 1: MPI_Recv peer=0 bytes=1000 tag=2
    ranks 1: MPI_Recv peer=0 bytes=1000 tag=1)",
                              star(2));
  CHECK(of_rank(waits, 1, WaitState::wrong_order) == near(40e-6 + 2 * kSendOverhead));
  CHECK(of_rank(waits, 1, WaitState::late_sender) == 0);
}

TEST_CASE("wait states: late receiver", "[physics]") {
  const auto waits = waits_of(2, R"(ranks 0: MPI_Send peer=1 bytes=100kB
    ranks 1: MPI_Recv peer=0 bytes=100kB | compute 50us)",
                              star(2));
  CHECK(of_rank(waits, 0, WaitState::late_receiver) == near(50e-6 - kSendOverhead));
  CHECK(of_rank(waits, 1, WaitState::late_sender) == 0);
}

// Two members: the early one waits from its entry, an overhead later, until the late one sends.
TEST_CASE("wait states: wait at barrier and at N×N", "[physics]") {
  const std::string late = " | compute {0: 10us; 1: 50us}";
  const auto barrier =
      waits_of(2, "MPI_Barrier" + late, with_algorithm("barrier", "dissemination", 2));
  // Of the wait, what lies behind the last entry, a send overhead, is the completion.
  CHECK(of_rank(barrier, 0, WaitState::at_barrier) == near(40e-6 - kSendOverhead));
  CHECK(of_rank(barrier, 0, WaitState::barrier_completion) == near(kSendOverhead));
  const auto all = waits_of(2, "MPI_Allreduce send_bytes=8" + late,
                            with_algorithm("allreduce", "recursive_doubling", 2));
  CHECK(of_rank(all, 0, WaitState::at_all_to_all) == near(40e-6 - kSendOverhead));
  CHECK(of_rank(all, 0, WaitState::all_to_all_completion) == near(kSendOverhead));
  CHECK(of_rank(all, 1, WaitState::at_all_to_all) == 0);
}

TEST_CASE("wait states: early reduce, late broadcast, early scan", "[physics]") {
  const auto reduce =
      waits_of(3, "MPI_Reduce send_bytes=8 peer=0 | compute {0: 5us; 1: 45us; 2: 65us}",
               with_algorithm("reduce", "linear", 3));
  CHECK(of_rank(reduce, 0, WaitState::early_reduce) == near(40e-6));
  CHECK(of_rank(reduce, 0, WaitState::within_collective) > 0);
  const auto bcast = waits_of(2, "MPI_Bcast send_bytes=8 peer=0 | compute {0: 60us; 1: 20us}",
                              with_algorithm("bcast", "linear", 2));
  CHECK(of_rank(bcast, 1, WaitState::late_broadcast) == near(40e-6));
  CHECK(of_rank(bcast, 1, WaitState::within_collective) == near(kSendOverhead));
  const auto scan = waits_of(2, "MPI_Scan send_bytes=8 | compute {0: 60us; 1: 20us}",
                             with_algorithm("scan", "linear", 2));
  CHECK(of_rank(scan, 1, WaitState::early_scan) == near(40e-6));
}

// A non-blocking collective's waiting, when its rank comes to wait for it, is called what the collective is.
TEST_CASE("wait states: non-blocking collectives", "[physics]") {
  const auto waits = waits_of(2, R"(MPI_Ibarrier request=0 | compute {0: 10us; 1: 50us}
    MPI_Wait request=0)",
                              with_algorithm("barrier", "dissemination", 2));
  CHECK(of_rank(waits, 0, WaitState::at_barrier) == near(waits.all));
  CHECK(waits.all > 30e-6);
}

TEST_CASE("wait states: one-sided communication", "[physics]") {
  const auto groups = waits_of(2, R"(MPI_Win_create bytes=1kB
    ranks 0: MPI_Win_start group=[1] | compute 10us
    ranks 1: MPI_Win_post group=[0] | compute 50us
    ranks 0: MPI_Put peer=1 bytes=1000
    ranks 0: MPI_Win_complete | compute 100us
    ranks 1: MPI_Win_wait
    MPI_Win_free)",
                               star(2));
  CHECK(of_rank(groups, 0, WaitState::late_post) == near(40e-6));
  CHECK(of_rank(groups, 1, WaitState::early_wait) > 100e-6);
  const auto fences = waits_of(2, R"(MPI_Win_create bytes=1kB
    MPI_Win_fence | compute {0: 10us; 1: 50us}
    MPI_Win_free)",
                               star(2));
  CHECK(of_rank(fences, 0, WaitState::at_fence) == near(40e-6));
  const auto locks = waits_of(2, R"(MPI_Win_create bytes=1kB
    ranks 0: MPI_Win_lock peer=0 exclusive=1
    ranks 0: MPI_Win_unlock peer=0 | compute 80us
    ranks 1: MPI_Win_lock peer=0 exclusive=1 | compute 20us
    ranks 1: MPI_Win_unlock peer=0
    MPI_Win_free)",
                              star(2));
  CHECK(of_rank(locks, 1, WaitState::lock_contention) > 50e-6);
}

// System: the window is there at t on both ranks; rank 1 posts and waits at once, rank 0 completes 100 us after its put.
TEST_CASE("wait states: early wait is until the origin completes", "[physics]") {
  const auto waits = waits_of(2, R"(MPI_Win_create bytes=1kB
    ranks 0: MPI_Win_start group=[1] assert=1
    ranks 0: MPI_Win_complete | compute 100us
    ranks 1: MPI_Win_post group=[0] assert=1 | compute 20us
    ranks 1: MPI_Win_wait
    MPI_Win_free)",
                              star(2));
  CHECK(of_rank(waits, 1, WaitState::early_wait) == near(80e-6));
}

// System: rank 0 has the lock of its own window, asked for over its node's path and back, for 80 us; then the release takes that path. Rank 1 asks
// for it after 20 us.
TEST_CASE("wait states: lock contention is until the lock is given back", "[physics]") {
  const auto waits = waits_of(2, R"(MPI_Win_create bytes=1kB
    ranks 0: MPI_Win_lock peer=0 exclusive=1
    ranks 0: MPI_Win_unlock peer=0 | compute 80us
    ranks 1: MPI_Win_lock peer=0 exclusive=1 | compute 20us
    ranks 1: MPI_Win_unlock peer=0
    MPI_Win_free)",
                              star(2));
  CHECK(of_rank(waits, 1, WaitState::lock_contention) == near(60e-6 + 3 * kNodeLatency));
  CHECK(of_rank(waits, 0, WaitState::lock_contention) == 0);
}

// System: two ranks open a file together; then both call a collective write, rank 1 40 us later. Ranks meet by exchanging messages.
TEST_CASE("wait states: storage is until all have come to a collective access", "[physics]") {
  auto machine = star(2);
  machine.storage = platforms::Storage{platforms::Storage::Kind::kShared,
                                       BytesPerSecond{2e9},
                                       BytesPerSecond{1e9},
                                       Seconds{100e-6},
                                       Seconds{1e-3},
                                       {},
                                       {}};
  const auto waits = waits_of(2, R"(MPI_File_open
    MPI_File_write_all bytes=1MB | compute {0: 10us; 1: 50us})",
                              machine);
  CHECK(of_rank(waits, 0, WaitState::storage) == near(40e-6 + 2 * kSendOverhead));
  // Who comes last waits for nobody: its access is communication.
  CHECK(of_rank(waits, 1, WaitState::storage) == near(kSendOverhead));
}

TEST_CASE("wait states: iterations left out wait as those watched do", "[physics]") {
  sim::ReplaySettings settings;
  settings.deltas = sim::Deltas::mean;
  const std::string body = R"(MPI_Sendrecv peer=+1 receive_peer=-1 bytes=100 receive_bytes=100
    MPI_Allreduce send_bytes=8 | compute {0: 10us; 1: 11us; 2: 17us; 3: 12us})";
  sim::WaitStateSums sums[2];
  for (const bool forwards : {false, true}) {
    settings.fast_forward = forwards;
    sums[forwards ? 1 : 0] = waits_of(4, "loop 200 {\n" + body + "\n}", star(4), settings);
  }
  for (const auto state : {WaitState::late_sender, WaitState::at_all_to_all})
    CHECK(sums[1].sum_of(state) == Approx(sums[0].sum_of(state)).epsilon(0.02));
  CHECK(sums[1].all == near(sums[0].all));
}

}  // namespace reprise::test
