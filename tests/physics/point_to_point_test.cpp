// SPDX-License-Identifier: MIT
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

std::string ping_pong(std::uint64_t bytes, int rounds = 10) {
  const std::string size = std::to_string(bytes);
  return "loop " + std::to_string(rounds) +
         " {\n"
         "ranks 0: MPI_Send peer=1 bytes=" +
         size +
         "\n"
         "ranks 0: MPI_Recv peer=1 bytes=" +
         size +
         "\n"
         "ranks 1: MPI_Recv peer=0 bytes=" +
         size +
         "\n"
         "ranks 1: MPI_Send peer=0 bytes=" +
         size + "\n}";
}

}  // namespace

// System: two nodes, one message there and one back, n bytes at most the eager limit.
// Expectation: each takes o_s + L + n/B + o_r, because nothing overlaps.
TEST_CASE("ping-pong: eager messages take overheads, latency and size over bandwidth",
          "[physics]") {
  for (const std::uint64_t bytes :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1000}, kEagerLimit - 1, kEagerLimit}) {
    const auto outcome = simulate_calls(2, ping_pong(bytes), star(2));
    CHECK(outcome.predicted_time.value == near(20 * eager(static_cast<double>(bytes))));
    CHECK(outcome.messages == 20);
    CHECK(outcome.operations == 40);
  }
}

// System: the same above the eager limit; the receive is posted before the request to send arrives.
// Expectation: two more latencies for request and clearance.
TEST_CASE("ping-pong: rendezvous messages take two latencies more", "[physics]") {
  for (const std::uint64_t bytes :
       {kEagerLimit + 1, std::uint64_t{1'000'000}, std::uint64_t{100'000'000}}) {
    const auto outcome = simulate_calls(2, ping_pong(bytes), star(2));
    CHECK(outcome.predicted_time.value == near(20 * rendezvous(static_cast<double>(bytes))));
  }
}

TEST_CASE("rendezvous: without the handshake the payload follows its head", "[physics]") {
  auto machine = star(2);
  machine.mpi.rendezvous_handshake = false;
  const auto outcome = simulate_calls(2, ping_pong(1'000'000, 1), machine);
  CHECK(outcome.predicted_time.value == near(2 * eager(1e6)));
}

// System: the same, and rank 1 posts its receive 1 ms late.
// Expectation: a head that went ahead is there; one that goes with the payload has its latency before it.
TEST_CASE("rendezvous: without the handshake a late receive waits for the head if it did not come",
          "[physics]") {
  auto machine = star(2);
  machine.mpi.rendezvous_handshake = false;
  const std::string late = R"(ranks 0: MPI_Send peer=1 bytes=1MB
                              ranks 1: MPI_Recv peer=0 bytes=1MB | compute 1ms)";
  const auto ahead = simulate_calls(2, late, machine);
  CHECK(finish(ahead, 0) == near(1e-3 + wire(1e6) - kLatency));
  CHECK(finish(ahead, 1) == near(1e-3 + wire(1e6) - kLatency + kReceiveOverhead));
  machine.mpi.rendezvous_head = platforms::RendezvousHead::kWithPayload;
  const auto with_payload = simulate_calls(2, late, machine);
  CHECK(finish(with_payload, 0) == near(1e-3 + wire(1e6)));
  CHECK(finish(with_payload, 1) == near(1e-3 + wire(1e6) + kReceiveOverhead));
  CHECK(with_payload.ranks[0].wait.value == near(1e-3 - kSendOverhead));
  const auto in_time = simulate_calls(2, ping_pong(1'000'000, 1), machine);
  CHECK(in_time.predicted_time.value == near(2 * eager(1e6)));
}

// System: a small message and a large one of the same tag, which a late rank receives in this order.
// Expectation: the large one, which nothing announces, does not overtake the small one's head.
TEST_CASE("rendezvous: one that is met at once does not overtake an eager message", "[physics]") {
  auto machine = star(2);
  machine.mpi.rendezvous_handshake = false;
  machine.mpi.rendezvous_head = platforms::RendezvousHead::kWithPayload;
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Isend peer=1 bytes=1kB request=0
      ranks 0: MPI_Isend peer=1 bytes=1MB request=1
      ranks 0: MPI_Waitall requests=[0, 1]
      ranks 1: MPI_Irecv peer=0 bytes=1kB request=0
      ranks 1: MPI_Irecv peer=0 bytes=1MB request=1
      ranks 1: MPI_Waitall requests=[0, 1])",
                                      machine);
  CHECK(outcome.messages == 2);
  // the large one is met when the small one's head has come
  CHECK(finish(outcome, 0) >= kSendOverhead + kLatency + wire(1e6) - 1e-12);
}

// System: rank 1 posts its receive 1 ms after the request to send has come.
// Expectation: clearance leaves at 1 ms; o_r after the payload.
TEST_CASE("rendezvous: a late receiver holds the sender up, and that is the sender's wait",
          "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Send peer=1 bytes=1MB
                                           ranks 1: MPI_Recv peer=0 bytes=1MB | compute 1ms)",
                                      star(2));
  CHECK(finish(outcome, 0) == near(1e-3 + kLatency + wire(1e6)));
  CHECK(finish(outcome, 1) == near(1e-3 + kLatency + wire(1e6) + kReceiveOverhead));
  CHECK(outcome.ranks[0].wait.value == near(1e-3 - kSendOverhead));
  CHECK(outcome.ranks[0].communication.value == near(kSendOverhead + kLatency + wire(1e6)));
  CHECK(outcome.ranks[1].wait.value == near(0));
}

TEST_CASE("eager: the sender goes on at once, a late receiver finds the message there",
          "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Send peer=1 bytes=1kB
                                           ranks 1: MPI_Recv peer=0 bytes=1kB | compute 1ms)",
                                      star(2));
  CHECK(finish(outcome, 0) == near(kSendOverhead));
  CHECK(finish(outcome, 1) == near(1e-3 + kReceiveOverhead));
  CHECK(outcome.ranks[1].wait.value == near(0));
}

TEST_CASE("eager: what a receiver waits before the send is called is wait, the rest communication",
          "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Send peer=1 bytes=1kB | compute 1ms
                                           ranks 1: MPI_Recv peer=0 bytes=1kB)",
                                      star(2));
  CHECK(finish(outcome, 1) == near(1e-3 + eager(1e3)));
  CHECK(outcome.ranks[1].wait.value == near(1e-3 + kSendOverhead));
  CHECK(outcome.ranks[1].communication.value == near(wire(1e3) + kReceiveOverhead));
  CHECK(outcome.ranks[0].compute.value == near(1e-3));
}

// Expectation: MPI_Ssend uses rendezvous whatever its size, MPI_Bsend and MPI_Rsend return at once whatever their size.
TEST_CASE("send modes: synchronous waits for the receive, buffered and ready do not", "[physics]") {
  const auto late = [](const std::string& procedure, const std::string& bytes) {
    return finish(simulate_calls(2,
                                 "ranks 0: " + procedure + " peer=1 bytes=" + bytes +
                                     "\nranks 1: MPI_Recv peer=0 bytes=" + bytes + " | compute 1ms",
                                 star(2)),
                  0);
  };
  CHECK(late("MPI_Ssend", "8") == near(1e-3 + kLatency + wire(8)));
  CHECK(late("MPI_Bsend", "1MB") == near(kSendOverhead));
  CHECK(late("MPI_Rsend", "1MB") == near(kSendOverhead));
}

TEST_CASE("sendrecv: both directions overlap on full-duplex links", "[physics]") {
  const auto outcome = simulate_calls(
      2, "loop 5 {\nMPI_Sendrecv peer=^1 bytes=50kB receive_peer=^1 receive_bytes=50kB\n}",
      star(2));
  CHECK(outcome.predicted_time.value == near(5 * eager(50e3)));
}

// System: n ranks in a ring, each hands a token on: n · steps messages one after the other.
TEST_CASE("ring: a token passes one rank after the other", "[physics]") {
  for (const int ranks : {2, 3, 8}) {
    const auto outcome = simulate_calls(ranks, R"(loop 3 {
      ranks 0: MPI_Send peer=+1 bytes=4kB
      MPI_Recv peer=-1 bytes=4kB
      ranks 1-)" + std::to_string(ranks - 1) + R"(: MPI_Send peer=+1 bytes=4kB
    })",
                                        star(static_cast<std::uint32_t>(ranks)));
    CHECK(outcome.predicted_time.value == near(3 * ranks * eager(4e3)));
  }
}

TEST_CASE("MPI_PROC_NULL: costs nothing", "[physics]") {
  const auto outcome = simulate_calls(1, R"(MPI_Send peer=null bytes=1MB
      MPI_Recv peer=null bytes=1MB
      MPI_Sendrecv peer=null bytes=9 receive_peer=null receive_bytes=9
      MPI_Isend peer=null bytes=1MB request=0
      MPI_Irecv peer=null bytes=1MB request=1
      MPI_Waitall requests=[0, 1])",
                                      star(1));
  CHECK(outcome.predicted_time.value == 0);
  CHECK(outcome.messages == 0);
}

TEST_CASE("self: a rank's messages to itself take its node's own path", "[physics]") {
  const auto outcome = simulate_calls(1, R"(MPI_Isend peer=0 bytes=8kB request=0
      MPI_Recv peer=0 bytes=8kB
      MPI_Wait request=0)",
                                      star(1));
  CHECK(outcome.predicted_time.value ==
        near(kSendOverhead + kNodeLatency + 8e3 / kNodeBandwidth + kReceiveOverhead));
}

// System: a rendezvous message and a small eager one behind it, received in reverse order of tags.
// Expectation: each finds its own receive; the small one is there when asked for.
TEST_CASE("matching: tags choose among messages of one sender", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Isend peer=1 tag=1 bytes=100kB request=0
      ranks 0: MPI_Send peer=1 tag=2 bytes=1kB
      ranks 0: MPI_Wait request=0
      ranks 1: MPI_Recv peer=0 tag=2 bytes=1kB
      ranks 1: MPI_Recv peer=0 tag=1 bytes=100kB)",
                                      star(2));
  const double small = 2 * kSendOverhead + wire(1e3) + kReceiveOverhead;
  CHECK(finish(outcome, 1) == near(small + kLatency + wire(100e3) + kReceiveOverhead));
}

// System: latency grows with size, so a small message sent second would come first; both have one tag.
// Expectation: the first receive takes the first message (MPI 3.1 §3.5, order), the second one waits for nothing.
TEST_CASE("matching: messages do not overtake", "[physics]") {
  auto machine = star(2);
  machine.mpi.latency_factors = {{Bytes{1000}, 10.0}};
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Send peer=1 bytes=1kB
      ranks 0: MPI_Send peer=1 bytes=8
      ranks 1: MPI_Recv peer=0 bytes=1kB
      ranks 1: MPI_Recv peer=0 bytes=8)",
                                      machine);
  CHECK(finish(outcome, 1) ==
        near(kSendOverhead + 10 * kLatency + 1e3 / kBandwidth + 2 * kReceiveOverhead));
}

TEST_CASE("size factors: latency and bandwidth of a message are scaled from its size on",
          "[physics]") {
  auto machine = star(2);
  machine.mpi.latency_factors = {{Bytes{500}, 2.0}};
  machine.mpi.bandwidth_factors = {{Bytes{500}, 0.5}};
  const auto time = [&](const std::string& bytes) {
    return simulate_calls(2,
                          "ranks 0: MPI_Send peer=1 bytes=" + bytes +
                              "\nranks 1: MPI_Recv peer=0 bytes=" + bytes,
                          machine)
        .predicted_time.value;
  };
  CHECK(time("499") == near(eager(499)));
  CHECK(time("500") ==
        near(kSendOverhead + 2 * kLatency + 500 / (0.5 * kBandwidth) + kReceiveOverhead));
}

/*
 * System      Two ranks on one node; factors of 1 MB: λ = 51 and β = 0.4, or β = 4. One sends alone, or both at once.
 * Expectation Alone o_s + λL + n/(βB) + o_r, whatever factors apply to. Both at once, factors that apply to links: the bodies
 *             take twice n/(βB). That apply to messages: B/2 for each is more than one can do (β = 0.4): as alone. β = 4: a
 *             link carries n/4, half of B for each: 2n/(4B) behind the head's L, or as alone, whichever is longer.
 */
TEST_CASE("size factors: of messages they bound each message's own rate, links carry its bytes",
          "[physics]") {
  using platforms::FactorsApplyTo;
  constexpr double kBytes = 1e6, kAround = kSendOverhead + kReceiveOverhead + kNodeLatency;
  const auto time = [&](sim::NetworkKind network, FactorsApplyTo apply_to, double lambda,
                        double beta, bool both) {
    auto machine = star(1, 2);
    machine.mpi.rendezvous_handshake = false;
    machine.mpi.factors_apply_to = apply_to;
    machine.mpi.latency_factors = {{Bytes{1000}, lambda}};
    machine.mpi.bandwidth_factors = {{Bytes{1000}, beta}};
    machine.intra_node_mpi = machine.mpi;
    sim::ReplaySettings settings;
    settings.network = network;
    return simulate_calls(
               2,
               both ? "MPI_Sendrecv peer=^1 bytes=1MB receive_peer=^1 receive_bytes=1MB"
                    : "ranks 0: MPI_Send peer=1 bytes=1MB\nranks 1: MPI_Recv peer=0 bytes=1MB",
               machine, settings)
        .predicted_time.value;
  };
  const auto alone = [&](double lambda, double beta) {
    return kAround + (lambda - 1) * kNodeLatency + kBytes / (beta * kNodeBandwidth);
  };
  for (const auto network : {sim::NetworkKind::flow, sim::NetworkKind::fluid,
                             sim::NetworkKind::queue, sim::NetworkKind::uncontended}) {
    INFO(static_cast<int>(network));
    for (const auto apply_to : {FactorsApplyTo::kLinks, FactorsApplyTo::kMessages})
      for (const double beta : {0.4, 4.0})
        CHECK(time(network, apply_to, 51, beta, false) == near(alone(51, beta)));
    if (network == sim::NetworkKind::uncontended) continue;
    for (const double beta : {0.4, 4.0})
      CHECK(time(network, FactorsApplyTo::kLinks, 51, beta, true) ==
            near(alone(51, beta) + kBytes / (beta * kNodeBandwidth)));
    CHECK(time(network, FactorsApplyTo::kMessages, 1, 4, true) ==
          near(kAround + 2 * kBytes / (4 * kNodeBandwidth)));
    if (network == sim::NetworkKind::queue) continue;  // the second waits for all of the first
    CHECK(time(network, FactorsApplyTo::kMessages, 51, 0.4, true) == near(alone(51, 0.4)));
    CHECK(time(network, FactorsApplyTo::kMessages, 1001, 4, true) == near(alone(1001, 4)));
  }
  CHECK_THROWS_WITH(
      time(sim::NetworkKind::simgrid, FactorsApplyTo::kMessages, 51, 0.4, true),
      Catch::Matchers::EndsWith(
          "its factors by size apply to messages (factors_apply_to), and SimGrid's solver cannot "
          "bound one message's rate\n  the flow network is the same model with that (--network "
          "flow)"));
}

/*
 * System      Two ranks on one node, one rank on another; MPI's costs inside the node are its own: no handshake below 1 MiB, and
 *             overheads a tenth of the network's.
 * Expectation Inside the node 100 kB go eagerly, o_s' + L' + n/B' + o_r'; to the other node by rendezvous with the network's o.
 */
TEST_CASE("point-to-point: a node's own path has its own eager limit and overheads", "[physics]") {
  auto machine = star(2, 2);
  machine.intra_node_mpi.eager_limit = Bytes{1 << 20};
  machine.intra_node_mpi.send_overhead = Seconds{0.03e-6};
  machine.intra_node_mpi.recv_overhead = Seconds{0.05e-6};
  const std::string inside =
      "ranks 0: MPI_Send peer=1 tag=1 bytes=100000\n ranks 1: MPI_Recv peer=0 tag=1 bytes=100000\n";
  const std::string outside =
      "ranks 0: MPI_Send peer=2 tag=1 bytes=100000\n ranks 2: MPI_Recv peer=0 tag=1 bytes=100000\n";
  const double eager_inside = 0.03e-6 + kNodeLatency + 1e5 / kNodeBandwidth + 0.05e-6;
  CHECK(finish(simulate_calls(3, inside, machine), 1) == near(eager_inside));
  CHECK(finish(simulate_calls(3, outside, machine), 2) == near(rendezvous(1e5)));
  const std::string wild =
      "ranks 0: MPI_Send peer=1 tag=1 bytes=100000\n ranks 1: MPI_Recv peer=any tag=1 bytes=100000 "
      "matched_peer=0\n";
  sim::ReplaySettings by_arrival;
  by_arrival.wildcards = sim::Wildcards::simulated;
  CHECK(finish(simulate_calls(3, wild, machine), 1) == near(eager_inside));
  CHECK(finish(simulate_calls(3, wild, machine, by_arrival), 1) == near(eager_inside));
}

TEST_CASE("point-to-point: collectives pay each message's own overheads", "[physics]") {
  // Two ranks of one node: a barrier is one exchange of empty messages over the node's own path.
  auto machine = star(2, 2);
  machine.intra_node_mpi.send_overhead = Seconds{0.03e-6};
  machine.intra_node_mpi.recv_overhead = Seconds{0.05e-6};
  CHECK(finish(simulate_calls(2, "MPI_Barrier\n", machine), 0) ==
        near(0.03e-6 + kNodeLatency + 0.05e-6));
}

TEST_CASE("requests: waiting for MPI_REQUEST_NULL returns at once", "[physics]") {
  const auto outcome = simulate_calls(2,
                                      "ranks 0: MPI_Irecv peer=any tag=any bytes=8 request=0\n"
                                      "ranks 0: MPI_Wait request=-1\n"
                                      "ranks 0: MPI_Wait request=0 matched_peer=1 matched_tag=4\n"
                                      "ranks 1: MPI_Send peer=0 tag=4 bytes=8\n",
                                      star(2));
  CHECK(finish(outcome, 0) == near(eager(8)));
}

}  // namespace reprise::test
