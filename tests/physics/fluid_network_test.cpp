// SPDX-License-Identifier: MIT
// The fluid network: closed forms, all bytes through every link, and how far it may be from max-min fair shares.
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "sim/network/local_shares.hpp"
#include "sim/network/network_model.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/random_transfers.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

using Links = std::vector<std::uint32_t>;

sim::ReplaySettings fluid() {
  sim::ReplaySettings settings;
  settings.network = sim::NetworkKind::fluid;
  return settings;
}

struct TestFlow {
  double begin = 0;
  Links links;
  double bytes = 0;
};

// When each of them ends. Begins and ends of one instant are settled at once.
std::vector<double> ends_of(const std::vector<TestFlow>& flows,
                            const std::vector<double>& capacities) {
  sim::LocalShares shares(capacities.size());
  for (std::uint32_t link = 0; link < capacities.size(); ++link)
    shares.set_capacity(link, capacities[link]);
  std::map<std::uint32_t, double> due;  // by link
  std::vector<double> ends(flows.size(), -1);
  std::set<std::pair<double, std::uint32_t>> begins;
  for (std::uint32_t flow = 0; flow < flows.size(); ++flow) begins.emplace(flows[flow].begin, flow);
  for (;;) {
    double now = begins.empty() ? 1e300 : begins.begin()->first;
    for (const auto& [link, time] : due) now = std::min(now, time);
    if (now == 1e300) return ends;
    for (auto at = due.begin(); at != due.end();) {
      const auto [link, time] = *at;
      if (time > now) {
        ++at;
        continue;
      }
      shares.end(link, now, [&](std::uint32_t flow) { ends[flow] = now; });
      at = due.erase(at);
      if (shares.holds_any(link)) due[link] = shares.next_end(link, now);
    }
    for (; !begins.empty() && begins.begin()->first <= now; begins.erase(begins.begin())) {
      const auto flow = begins.begin()->second;
      shares.enter(flow, flows[flow].links, flows[flow].bytes, now);
    }
    shares.settle(now, [&](std::uint32_t link, double time) { due[link] = time; });
  }
}

}  // namespace

TEST_CASE("fluid: two messages on one link have half of it each", "[physics]") {
  const auto ends = ends_of({{0, {0}, 1e6}, {0, {0}, 1e6}}, {1e9});
  CHECK(ends[0] == near(2e-3));
  CHECK(ends[1] == near(2e-3));
}

// Expectation: both share until the small one is through, at 2 n/B; the large one has the rest for itself: (n + N)/B.
TEST_CASE("fluid: a small message does not wait for a large one", "[physics]") {
  const auto ends = ends_of({{0, {0}, 1e6}, {0, {0}, 8}}, {1e9});
  CHECK(ends[1] == near(16e-9));
  CHECK(ends[0] == near(1.000008e-3));
}

// Expectation: alone for 0.5 ms, then shared: the first has 0.5 MB left at half the bandwidth, 1.5 ms in all; then the other is alone.
TEST_CASE("fluid: a later message gets a share at once, and all once the other has ended",
          "[physics]") {
  const auto ends = ends_of({{0, {0}, 1e6}, {0.5e-3, {0}, 1e6}}, {1e9});
  CHECK(ends[0] == near(1.5e-3));
  CHECK(ends[1] == near(2e-3));
}

// System: A crosses both links, B the first one of 1 GB/s, C the second one of 3 GB/s.
// Expectation: A and B have 0.5 GB/s each; C has what A leaves, 2.5 GB/s: max-min fair, and not the half of its link.
TEST_CASE("fluid: who is held back on another link leaves the rest of this one", "[physics]") {
  const auto ends = ends_of({{0, {0, 1}, 0.5e6}, {0, {0}, 0.5e6}, {0, {1}, 2.5e6}}, {1e9, 3e9});
  for (const double end : ends) CHECK(end == near(1e-3));
}

// System: three links of 1 GB/s in a ring, each of three flows crosses two of them, then one of the flows ends.
// Expectation: half of a link each; with the small one gone, the other two share the one link that they have in common.
TEST_CASE("fluid: three messages on crossing links", "[physics]") {
  const auto ends =
      ends_of({{0, {0, 1}, 1e6}, {0, {1, 2}, 1e6}, {0, {2, 0}, 0.25e6}}, {1e9, 1e9, 1e9});
  CHECK(ends[2] == near(0.5e-3));
  CHECK(ends[0] == near(2e-3));
  CHECK(ends[1] == near(2e-3));
}

// System: random flows over random links that are loaded from the first to the last moment by one that crosses them all in turn.
// Expectation: nobody ends before its bytes can have come through its narrowest link, nor a link's flows before that has carried
// their bytes; and a link on which all is held back is never idle while it has flows.
TEST_CASE("fluid: no link carries more than it can, and one alone is never idle", "[physics]") {
  std::mt19937 random(11);
  for (int round = 0; round < 20; ++round) {
    const std::size_t links = 8;
    std::vector<double> capacities(links, 1e9);
    std::vector<TestFlow> flows;
    for (int i = 0; i < 60; ++i) {
      TestFlow flow{0, {}, 1e4 * static_cast<double>(1 + random() % 100)};
      for (std::uint32_t link = 0; link < links; ++link)
        if (random() % 3 == 0) flow.links.push_back(link);
      if (flow.links.empty()) flow.links.push_back(0);
      flows.push_back(flow);
    }
    const auto ends = ends_of(flows, capacities);
    double all = 0;
    for (std::uint32_t link = 0; link < links; ++link) {
      double bytes = 0, last = 0;
      for (std::size_t i = 0; i < flows.size(); ++i) {
        const auto& on = flows[i].links;
        if (std::find(on.begin(), on.end(), link) == on.end()) continue;
        bytes += flows[i].bytes;
        last = std::max(last, ends[i]);
      }
      CHECK(last * capacities[link] >= 0.97 * bytes);
      all += bytes;
    }
    for (std::size_t i = 0; i < flows.size(); ++i) {
      CHECK(ends[i] >= flows[i].bytes / 1e9 * (1 - 1e-9));
      CHECK(ends[i] <= all / 1e9);
    }
  }
  // all of one link
  std::vector<TestFlow> flows;
  double bytes = 0;
  for (int i = 0; i < 500; ++i) {
    flows.push_back({0, {0}, 1e3 * static_cast<double>(1 + random() % 100)});
    bytes += flows.back().bytes;
  }
  const auto ends = ends_of(flows, {1e9});
  CHECK(*std::max_element(ends.begin(), ends.end()) == near(bytes / 1e9));
}

// System: random messages on a tree, those of a third of the moments at one instant.
// Expectation: the tails of max-min fair shares, a twentieth of the time since its start off for hardly any, in the mean far less.
TEST_CASE("fluid: random messages end nearly when max-min fair shares say so", "[physics]") {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const auto exact = sim::kFlowNetwork.make(fat_tree(3, 4), {}),
               fast = sim::kFluidNetwork.make(fat_tree(3, 4), {});
    const auto a = tails_of(*exact, seed, 12), b = tails_of(*fast, seed, 12);
    CHECK(*std::max_element(b.begin(), b.end()) ==
          Approx(*std::max_element(a.begin(), a.end())).epsilon(0.01));
    double sum = 0, off = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      sum += a[i];
      off += b[i] - a[i];
    }
    CHECK(std::abs(off) <= 0.005 * sum);
  }
}

TEST_CASE("fluid: the same messages end at the same times, whatever was simulated before",
          "[physics]") {
  const auto first = sim::kFluidNetwork.make(fat_tree(3, 4), {}),
             second = sim::kFluidNetwork.make(fat_tree(3, 4), {});
  CHECK(tails_of(*first, 7, 12) == tails_of(*second, 7, 12));
}

// System: a halo on a ring and an all-to-all, in step: all that share a link are alike.
// Expectation: there is nothing to approximate.
TEST_CASE("fluid and flow: where all messages are alike the times are the same", "[physics]") {
  const std::string calls = R"(loop 5 {
      MPI_Irecv peer=-1 bytes=40kB request=0
      MPI_Irecv peer=+1 bytes=40kB request=1
      MPI_Isend peer=+1 bytes=40kB request=2
      MPI_Isend peer=-1 bytes=40kB request=3
      MPI_Waitall requests=[0, 1, 2, 3] | compute 30us
      MPI_Alltoall send_bytes=20kB receive_bytes_per_peer=20kB
      })";
  const auto shared = simulate_calls(8, calls, star(8)),
             local = simulate_calls(8, calls, star(8), fluid());
  CHECK(local.network == "fluid");
  for (int rank = 0; rank < 8; ++rank) CHECK(finish(local, rank) == near(finish(shared, rank)));
}

// System: seven senders to one receiver, equal messages, all at once.
TEST_CASE("fluid: an incast ends when the receiver's link has carried all bytes", "[physics]") {
  const auto outcome = simulate_calls(8, R"(ranks 1-7: MPI_Rsend peer=0 bytes=100kB
      ranks 0: loop 7 {
      ranks 0: MPI_Recv peer=absolute:9..15 bytes=100kB
      })",
                                      star(8), fluid());
  CHECK(finish(outcome, 0) >= kSendOverhead + kLatency + 700e3 / kBandwidth);
  CHECK(finish(outcome, 0) <=
        kSendOverhead + kLatency + 700e3 / kBandwidth + 7.001 * kReceiveOverhead);
}

// System: links that nobody contends for, which bound each message alone.
TEST_CASE("fluid: on links without contention each message has its bound", "[physics]") {
  const auto outcome = simulate_calls(3, R"(ranks 0-1: MPI_Rsend peer=2 bytes=1MB
      ranks 2: MPI_Recv peer=0 bytes=1MB
      ranks 2: MPI_Recv peer=1 bytes=1MB)",
                                      uncontended_star(3), fluid());
  CHECK(finish(outcome, 2) == near(kSendOverhead + wire(1e6) + 2 * kReceiveOverhead));
}

}  // namespace reprise::test
