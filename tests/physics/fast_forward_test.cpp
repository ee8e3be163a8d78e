// SPDX-License-Identifier: MIT
// Replays with and without fast-forward side by side.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

using sim::Deltas;
using sim::NetworkKind;

sim::ReplaySettings settings(bool forwards, NetworkKind network = NetworkKind::flow,
                             Deltas deltas = Deltas::mean) {
  sim::ReplaySettings result;
  result.fast_forward = forwards;
  result.network = network;
  result.deltas = deltas;
  return result;
}

struct Pair {
  sim::Outcome full, forwarded;
};

Pair both(int ranks, const std::string& calls, const platforms::Platform& machine,
          NetworkKind network = NetworkKind::flow) {
  return {simulate_calls(ranks, calls, machine, settings(false, network)),
          simulate_calls(ranks, calls, machine, settings(true, network))};
}

// Everything that is reported is the same within 1e-9; counts exactly.
void check_same(const Pair& pair) {
  CHECK(pair.forwarded.operations == pair.full.operations);
  CHECK(pair.forwarded.messages == pair.full.messages);
  const double whole = pair.full.predicted_time.value;
  CHECK(std::abs(pair.forwarded.predicted_time.value - whole) <= 1e-9 * whole);
  for (std::size_t rank = 0; rank < pair.full.ranks.size(); ++rank) {
    const auto &a = pair.full.ranks[rank], &b = pair.forwarded.ranks[rank];
    CHECK(std::abs(a.compute.value - b.compute.value) <= 1e-9 * whole);
    CHECK(std::abs(a.communication.value - b.communication.value) <= 1e-9 * whole);
    CHECK(std::abs(a.wait.value - b.wait.value) <= 1e-9 * whole);
    CHECK(std::abs(a.finish.value - b.finish.value) <= 1e-9 * whole);
  }
}

std::string looped(int count, const std::string& body) {
  return "loop " + std::to_string(count) + " {\n" + body + "\n}\n";
}

const std::string kRing = R"(MPI_Irecv peer=-1 bytes=8kB request=0
    MPI_Isend peer=+1 bytes=8kB request=1 | compute {0: 10us; 1: 11us; 2: 17us; 3: 12us}
    MPI_Waitall requests=[0, 1]
    MPI_Allreduce send_bytes=8
)";

}  // namespace

TEST_CASE("fast-forward: a ring's iterations are jumped and every figure stays", "[physics]") {
  for (const auto network :
       {NetworkKind::flow, NetworkKind::fluid, NetworkKind::queue, NetworkKind::uncontended}) {
    const auto pair = both(4, looped(1000, kRing), star(4), network);
    check_same(pair);
    CHECK(pair.full.forwarded.skipped_iterations == 0);
    CHECK(pair.full.forwarded.reason == "switched off");
    CHECK(pair.forwarded.forwarded.skipped_iterations >= 900);
    CHECK(pair.forwarded.forwarded.error_bound.value <= 1e-9 * pair.full.predicted_time.value);
    CHECK(pair.forwarded.forwarded.reason.empty());
  }
}

// System: sizes take turns, so what repeats is a pair of iterations.
TEST_CASE("fast-forward: a period of several iterations is jumped as a whole", "[physics]") {
  const auto pair = both(
      4,
      looped(
          999,
          R"(MPI_Sendrecv peer=+1 receive_peer=-1 bytes=(100, 30000, 100)*333 receive_bytes=30000 | compute 10us)"),
      star(4), NetworkKind::queue);
  check_same(pair);
  CHECK(pair.forwarded.forwarded.skipped_iterations >= 900);
  CHECK(pair.forwarded.forwarded.skipped_iterations % 3 == 0);
}

TEST_CASE("fast-forward: loops before, inside and after the loop that is jumped keep their places",
          "[physics]") {
  const std::string calls =
      looped(3, kRing) +
      looped(
          400,
          kRing +
              looped(
                  5,
                  "MPI_Sendrecv peer=^1 receive_peer=^1 bytes=64 receive_bytes=64 | compute 1us")) +
      looped(40, "MPI_Barrier | compute 5us") + "MPI_Allreduce send_bytes=8";
  const auto pair = both(4, calls, star(4));
  check_same(pair);
  CHECK(pair.forwarded.forwarded.skipped_iterations >= 380);
}

TEST_CASE("fast-forward: a loop inside one that changes is jumped each time", "[physics]") {
  const std::string calls =
      "loop 4 {\nMPI_Bcast peer=0 send_bytes=(1000, 20000, 50, 7777)\nloop (100, 200, 300, 400) "
      "{\n" +
      kRing + "}\n}";
  const auto pair = both(4, calls, star(4));
  check_same(pair);
  CHECK(pair.forwarded.forwarded.skipped_iterations >= 900);
}

TEST_CASE("fast-forward: a loop that is left in its middle is jumped before that", "[physics]") {
  const auto pair =
      both(4, "loop 200 exit 2 {\n" + kRing + "}\nMPI_Wait request=0\nMPI_Wait request=1", star(4));
  check_same(pair);
  CHECK(pair.forwarded.forwarded.skipped_iterations >= 150);
}

TEST_CASE("fast-forward: what is on the way across iterations stays matched", "[physics]") {
  const std::string calls =
      "MPI_Irecv peer=-1 tag=1 bytes=60kB request=0\n" +
      looped(300,
             R"(MPI_Isend peer=+1 tag=1 bytes=60kB request=1 | compute {0-1: 20us; 2: 35us; 3: 5us}
                                MPI_Irecv peer=-1 tag=1 bytes=60kB request=2
                                MPI_Wait request=0
                                MPI_Wait request=1
                                MPI_Isend peer=+1 tag=1 bytes=60kB request=1
                                MPI_Irecv peer=-1 tag=1 bytes=60kB request=0
                                MPI_Wait request=2
                                MPI_Wait request=1)") +
      "MPI_Isend peer=+1 tag=1 bytes=60kB request=1\nMPI_Waitall requests=[0, 1]";
  for (const auto network : {NetworkKind::flow, NetworkKind::fluid, NetworkKind::queue}) {
    const auto pair = both(4, calls, star(4), network);
    check_same(pair);
    CHECK(pair.forwarded.forwarded.skipped_iterations >= 250);
  }
}

TEST_CASE("fast-forward: wildcard receives find their matches behind the jump", "[physics]") {
  const auto pair = both(4, looped(300, R"(MPI_Irecv peer=any bytes=8kB request=0
      MPI_Send peer=+1 bytes=8kB | compute 10us
      MPI_Wait request=0 matched_peer=-1)"),
                         star(4));
  check_same(pair);
  CHECK(pair.forwarded.forwarded.skipped_iterations >= 250);
}

TEST_CASE("fast-forward: a run that forbids it says why", "[physics]") {
  const auto reason = [](const std::string& calls) {
    const auto pair = both(4, calls, star(4));
    check_same(pair);
    CHECK(pair.forwarded.forwarded.skipped_iterations == 0);
    return pair.forwarded.forwarded.reason;
  };
  CHECK(reason(looped(10, kRing)) == "no loop that all ranks share has 16 iterations");
  CHECK(reason(looped(64,
                      "MPI_Sendrecv peer=+1 receive_peer=-1 tag=0..63 receive_tag=0..63 bytes=8 "
                      "receive_bytes=8 | compute 1us")) ==
        "parameters of its calls change from iteration to iteration");
  CHECK(reason("ranks 0-1: loop 64 {\nranks 0-1: MPI_Sendrecv peer=^1 receive_peer=^1 bytes=8 "
               "receive_bytes=8\n}\nMPI_Barrier") ==
        "no loop that all ranks share has 16 iterations");
  // Messages pile up at rank 1, which takes them when the loop is over.
  CHECK(reason(looped(64, "ranks 0: MPI_Send peer=1 tag=5 bytes=8\nMPI_Barrier | compute 5us") +
               "ranks 1: loop 64 {\nranks 1: MPI_Recv peer=0 tag=5 bytes=8\n}") ==
        "the messages sent and received in an iteration do not pair up");
  // A rank that waits for nobody runs away from the others.
  CHECK(reason(looped(64,
                      "ranks 0: MPI_Send peer=null bytes=8 | compute 1us\nranks 1-3: MPI_Send "
                      "peer=null bytes=8 | compute 2us")) ==
        "its iterations did not reach a steady state");
}

// System: computing times of five equally likely lengths, drawn.
// Expectation: the full replay's time lies inside the stated bound; with 20 seeds and a bound of 99 % one miss is one too many
// in five of a hundred runs; seeds are fixed, and so is the outcome.
TEST_CASE("fast-forward: with drawn deltas the full replay lies inside the bound", "[physics]") {
  const std::string calls =
      "loop 3000 {\nMPI_Allreduce send_bytes=8 | compute (limit=5 count=12000 sum=1200000000 "
      "squares=0:120600000000000 "
      "min=90000@0 max=110000@0 bins=[2400/216000000, 2400/228000000, 2400/240000000, "
      "2400/252000000, 2400/264000000])\n}";
  int inside = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto full = settings(false, NetworkKind::uncontended, Deltas::sample), forwarded = full;
    full.seed = forwarded.seed = seed;
    forwarded.fast_forward = true;
    const auto a = simulate_calls(4, calls, star(4), full),
               b = simulate_calls(4, calls, star(4), forwarded);
    CHECK(b.forwarded.skipped_iterations >= 1000);
    CHECK(b.forwarded.error_bound.value <= 0.01 * a.predicted_time.value);
    CHECK(a.operations == b.operations);
    if (std::abs(a.predicted_time.value - b.predicted_time.value) <= b.forwarded.error_bound.value)
      ++inside;
  }
  CHECK(inside >= 19);
}

TEST_CASE("fast-forward: a distribution's totals stay the recorded ones", "[physics]") {
  const std::string calls =
      "loop 4000 {\nMPI_Allreduce send_bytes=8 | compute (limit=5 count=16000 sum=1600000000 "
      "squares=0:160800000000000 "
      "min=90000@0 max=110000@0 bins=[3200/288000000, 3200/304000000, 3200/320000000, "
      "3200/336000000, 3200/352000000])\n}";
  const auto outcome = simulate_calls(
      4, calls, star(4), settings(true, NetworkKind::uncontended, Deltas::distribution));
  CHECK(outcome.forwarded.skipped_iterations >= 1000);
  double computed = 0;
  for (const auto& rank : outcome.ranks) computed += rank.compute.value;
  CHECK(computed == Approx(1.6).epsilon(1e-4));
}

// A sender that never waits is through, and in a call that is counted one by one, while its receiver has yet to make the jump.
TEST_CASE("fast-forward: what forbids jumps leaves none half made", "[physics]") {
  for (const std::string send : {"MPI_Send peer=1 bytes=1kB", "MPI_Bsend peer=1 bytes=1MB"})
    for (const std::string last : {"\"MPI_Unknown\"", "MPI_Buffer_detach"}) {
      CAPTURE(send, last);
      const std::string bytes = send.substr(send.find("bytes="));
      const auto pair = both(
          2,
          looped(2000, "ranks 0: " + send + " | compute 3ms\nranks 1: MPI_Recv peer=0 " + bytes +
                           " | compute 1500us") +
              "ranks 0: " + last + "\n" + looped(40, "MPI_Allreduce send_bytes=8 | compute 5us"),
          star(2));
      CHECK(pair.forwarded.forwarded.skipped_iterations > 1000);
      CHECK(pair.forwarded.forwarded.skipped_iterations < 2000);
      check_same(pair);
    }
}

// System: as above, but the four ranks share two cores: a rank computes as long as the cores take over it, about twice the recorded time.
TEST_CASE("fast-forward: of ranks that share cores the jump leaves out the time on the cores",
          "[physics]") {
  const std::string calls =
      "loop 4000 {\nMPI_Allreduce send_bytes=8 | compute (limit=5 count=16000 sum=1600000000 "
      "squares=0:160800000000000 "
      "min=90000@0 max=110000@0 bins=[3200/288000000, 3200/304000000, 3200/320000000, "
      "3200/336000000, 3200/352000000])\n}";
  const auto computed = [&](bool forwards) {
    const auto outcome = simulate_calls(
        4, calls, star(1, 2), settings(forwards, NetworkKind::uncontended, Deltas::distribution));
    CHECK((outcome.forwarded.skipped_iterations >= 1000) == forwards);
    double sum = 0;
    for (const auto& rank : outcome.ranks) sum += rank.compute.value;
    return sum;
  };
  const double whole = computed(false);
  CHECK(whole == Approx(3.2).epsilon(0.05));
  CHECK(computed(true) ==
        Approx(whole).epsilon(0.05));  // that of the iterations which are taken for all
}

// System: one delta in four thousand is a hundred times as long as the others; it decides the run's length.
TEST_CASE("fast-forward: deltas too rare to have been met forbid a jump over them", "[physics]") {
  const std::string calls =
      "loop 1000 {\nMPI_Allreduce send_bytes=8 | compute (limit=5 count=4000 sum=49900000 "
      "squares=0:10399000000000 "
      "min=10000@0 max=1000000@0 bins=[3990/39900000, 10/10000000])\n}";
  const auto outcome = simulate_calls(
      4, calls, star(4), settings(true, NetworkKind::uncontended, Deltas::distribution));
  CHECK(outcome.forwarded.skipped_iterations == 0);
  CHECK_THAT(
      outcome.forwarded.reason,
      Catch::Matches("the mean time of its iterations is known to [0-9.e+]+% only, [0-9.e+]+% of "
                     "that for deltas too rare to be sampled; 0\\.5% is required"));
}

// The same shuffled, as a distribution without an order is played: iterations that were alike so far are not alike for ever.
TEST_CASE("fast-forward: rare deltas of a shuffled distribution are not jumped over", "[physics]") {
  const std::string calls =
      "loop 1000 {\nMPI_Allreduce send_bytes=8 | compute (limit=5 count=4000 sum=49900000 "
      "squares=0:10399000000000 "
      "min=10000@0 max=1000000@0 bins=[3990/39900000, 10/10000000])\n}";
  const auto all =
      simulate_calls(4, calls, star(4), settings(false, NetworkKind::uncontended, Deltas::ordered));
  const auto some =
      simulate_calls(4, calls, star(4), settings(true, NetworkKind::uncontended, Deltas::ordered));
  double compute = 0;
  for (const auto& rank : some.ranks) compute += rank.compute.value;
  CHECK(compute == Approx(49.9e-3));
  CHECK(std::abs(some.predicted_time.value - all.predicted_time.value) <=
        some.forwarded.error_bound.value + 1e-9 * all.predicted_time.value);
}

// The same with a looser demand: the bound holds the full replay, and what is too rare is in it.
TEST_CASE("fast-forward: a looser demand leaves more out and states a wider bound", "[physics]") {
  const std::string calls =
      "loop 1000 {\nMPI_Allreduce send_bytes=8 | compute (limit=5 count=4000 sum=49900000 "
      "squares=0:10399000000000 "
      "min=10000@0 max=1000000@0 bins=[3990/39900000, 10/10000000])\n}";
  auto full = settings(false, NetworkKind::uncontended, Deltas::distribution),
       loose = settings(true, NetworkKind::uncontended, Deltas::distribution);
  loose.forward_within = 5;
  const auto a = simulate_calls(4, calls, star(4), full),
             b = simulate_calls(4, calls, star(4), loose);
  CHECK(b.forwarded.skipped_iterations >= 500);
  CHECK(std::abs(a.predicted_time.value - b.predicted_time.value) <= b.forwarded.error_bound.value);
  CHECK(a.operations == b.operations);
}

namespace {

// Four ranks whose computing is drawn from five equally likely times around 100 us.
std::string drawn(int iterations) {
  const std::string count = std::to_string(4 * iterations),
                    each = std::to_string(4 * iterations / 5);
  std::string bins;
  for (const int nanoseconds : {90'000, 95'000, 100'000, 105'000, 110'000})
    bins += (bins.empty() ? "" : ", ") + each + "/" +
            std::to_string(std::int64_t{nanoseconds} * (4 * iterations / 5));
  return looped(iterations,
                "MPI_Allreduce send_bytes=8 | compute (limit=5 count=" + count +
                    " sum=" + std::to_string(std::int64_t{400'000} * iterations) +
                    " squares=0:" + std::to_string(std::int64_t{40'200'000'000} * iterations) +
                    " min=90000@0 max=110000@0 bins=[" + bins + "])");
}

}  // namespace

// Held as numbers: leaving out less costs time, leaving out sooner costs accuracy; both are to be noticed.
TEST_CASE("fast-forward: how many iterations are left out", "[physics]") {
  const auto skipped = [](const std::string& calls, Deltas deltas = Deltas::mean) {
    const auto outcome =
        simulate_calls(4, calls, star(4), settings(true, NetworkKind::uncontended, deltas));
    return outcome.forwarded.skipped_iterations;
  };
  std::vector<std::uint64_t> ring, sizes, tags, sampled, distributed;
  for (const int count : {16, 17, 18, 20, 24, 32, 100, 1000}) {
    ring.push_back(skipped(looped(count, kRing)));
    // Times and parameters of every third iteration are alike; tags of every sixth.
    sizes.push_back(skipped(looped(
        count,
        "MPI_Sendrecv peer=+1 receive_peer=-1 bytes=(8, 9000, 400)*400 receive_bytes=9000")));
    tags.push_back(skipped(
        looped(count,
               "MPI_Sendrecv peer=+1 receive_peer=-1 tag=(1, 2, 3, 4, 5, 6)*200 "
               "receive_tag=(1, 2, 3, 4, 5, 6)*200 bytes=8 receive_bytes=8 | compute 1us")));
  }
  for (const int count : {100, 200, 500, 1000, 2000, 5000}) {
    sampled.push_back(skipped(drawn(count), Deltas::sample));
    distributed.push_back(skipped(drawn(count), Deltas::distribution));
  }
  using Counts = std::vector<std::uint64_t>;
  CHECK(ring == Counts{6, 7, 8, 10, 14, 22, 90, 990});
  CHECK(sizes == Counts{0, 0, 0, 0, 0, 9, 75, 975});
  CHECK(tags == Counts{0, 0, 0, 0, 0, 0, 36, 936});
  CHECK(sampled == Counts{0, 0, 0, 675, 1539, 4651});
  CHECK(distributed == Counts{0, 0, 255, 751, 1747, 4771});
}

}  // namespace reprise::test
