// SPDX-License-Identifier: MIT
// Links that are degraded for a while, nodes that are slow for a while, noise (docs/MODEL.md, What changes while the program runs).
#include <cmath>

#include "sim/engine/compute/disturbances.hpp"
#include "sim/varying_rate.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

using sim::NetworkKind;

constexpr NetworkKind kNetworks[] = {NetworkKind::flow, NetworkKind::fluid, NetworkKind::queue,
                                     NetworkKind::uncontended};

sim::ReplaySettings on(NetworkKind network) {
  sim::ReplaySettings settings;
  settings.network = network;
  return settings;
}

sim::ReplaySettings with(const sim::LinkChange& change, NetworkKind network = NetworkKind::flow) {
  sim::ReplaySettings settings = on(network);
  settings.conditions.links = {change};
  return settings;
}

sim::LinkChange slower(const std::string& links, double bandwidth, sim::TimeSpan when,
                       double latency = 1) {
  return {"s", links, {}, when, bandwidth, latency};
}

// One message of 1 MB, sent at once by an eager protocol: its bytes flow from kStart on, for 1 ms at the full bandwidth.
const std::string kMessage =
    "ranks 0: MPI_Rsend peer=1 bytes=1MB\nranks 1: MPI_Recv peer=0 bytes=1MB";
constexpr double kStart = kSendOverhead + kLatency, kBody = 1e6 / kBandwidth;

// Two ranks that compute and exchange, 40 times.
const std::string kLoop = R"(loop 40 {
    MPI_Irecv peer=^1 bytes=100kB request=0 | compute 50us
    MPI_Send peer=^1 bytes=100kB
    MPI_Wait request=0
  })";

void check_same(const sim::Outcome& a, const sim::Outcome& b) {
  CHECK(a.predicted_time == b.predicted_time);
  REQUIRE(a.ranks.size() == b.ranks.size());
  for (std::size_t rank = 0; rank < a.ranks.size(); ++rank) {
    CHECK(a.ranks[rank].compute == b.ranks[rank].compute);
    CHECK(a.ranks[rank].wait == b.ranks[rank].wait);
    CHECK(a.ranks[rank].finish == b.ranks[rank].finish);
  }
}

}  // namespace

TEST_CASE("time span: in words it is from when on or to when, and nothing where it is always",
          "[physics]") {
  CHECK(sim::in_words({}).empty());
  CHECK(sim::in_words({.from = 0.5}) == " from 500 ms on");
  CHECK(sim::in_words({.from = 0.5, .to = 2}) == " from 500 ms to 2 s");
}

TEST_CASE("varying rate: work ends when what is done between is what there was to do",
          "[physics]") {
  sim::VaryingRate rate;
  rate.multiply(2, 4, 0.5);
  rate.multiply(3, 6, 0.5);
  CHECK(rate.at(1.9) == 1);
  CHECK(rate.at(2) == 0.5);
  CHECK(rate.at(3) == 0.25);
  CHECK(rate.at(4) == 0.5);
  CHECK(rate.at(6) == 1);
  CHECK(rate.next_change(2.5) == 3);
  CHECK(rate.next_change(6) == sim::VaryingRate::kNever);
  CHECK(rate.done(1, 7) == 1 + 0.5 + 0.25 + 1 + 1);
  CHECK(rate.end(1, 1 + 0.5 + 0.25 + 1 + 1) == 7);
  CHECK(rate.end(1, 1.25) == 2.5);
  CHECK(rate.end(10, 3) == 13);
}

// System: 40 % of a message are through when the links become narrower by four.
// Expectation: the other 60 % take four times as long. In the queue a link's service begins with the head: at the sender's link a
// latency earlier, at the receiver's half of it, and the tail pays the last half.
TEST_CASE("link degraded from a time on: what is left of a message takes longer", "[physics]") {
  for (const auto network : kNetworks) {
    const double turn = kStart + 0.4 * kBody;
    const auto outcome =
        simulate_calls(2, kMessage, star(2), with(slower("node", 0.25, {turn}), network));
    const double earlier = network == NetworkKind::queue ? kLatency / 2 : 0;
    CHECK(finish(outcome, 1) ==
          near(turn + 4 * (0.6 * kBody - earlier) + earlier + kReceiveOverhead));
    CHECK(outcome.no_effect.empty());
  }
}

// System: the bandwidth of the sender's link halves when a quarter of the message is through, and is whole again each third of its time.
// Expectation: per 1/3 of the body's time, 1/3 and then 1/6 of it come through, in turns, from the first step on.
TEST_CASE("profile of a link: what comes through in each step adds up", "[physics]") {
  for (const auto network : kNetworks) {
    if (network == NetworkKind::queue) continue;  // a cable's service begins earlier there
    sim::LinkChange halved;
    halved.where = "p";
    halved.links = "node up";
    halved.cables = {{0, 0}};
    halved.when.from = kStart + 0.25 * kBody;
    halved.bandwidth_steps = {{halved.when.from, 0.5}};
    const auto once = simulate_calls(2, kMessage, star(2), with(halved, network));
    CHECK(finish(once, 1) == near(kStart + 1.75 * kBody + kReceiveOverhead));
    for (int i = 1; i < 10; ++i)
      halved.bandwidth_steps.push_back({halved.when.from + i * kBody / 3, i % 2 == 0 ? 0.5 : 1});
    const auto often = simulate_calls(2, kMessage, star(2), with(halved, network));
    // a quarter, then 1/6 + 1/3, and the last quarter: 1/6 in a slow third, and 1/12 in a fast one
    CHECK(finish(often, 1) ==
          near(kStart + (0.25 + 2. / 3 + 1. / 3 + 1. / 12) * kBody + kReceiveOverhead));
    CHECK(often.no_effect.empty());
  }
}

TEST_CASE("profile of a host: computing takes what each step of it takes", "[physics]") {
  sim::ReplaySettings settings;
  sim::NodeChange slow;
  slow.nodes = {{1, 1}};
  slow.when.from = 1e-3;
  slow.speed_steps = {{1e-3, 0.5}, {3e-3, 4}};
  settings.conditions.nodes = {slow};
  const auto outcome = simulate_calls(2, "all: MPI_Barrier | compute 4ms", star(2), settings);
  CHECK(outcome.ranks[0].compute.value == near(4e-3));
  CHECK(outcome.ranks[1].compute.value == near(1e-3 + 2e-3 + 0.5e-3));
  slow.nodes = {{7, 7}};  // on which there is no rank
  settings.conditions.nodes = {slow};
  const auto idle = simulate_calls(2, "all: MPI_Barrier | compute 4ms", star(2), settings);
  CHECK(idle.ranks[1].compute.value == near(4e-3));
  CHECK(idle.no_effect.empty());
}

// Expectation: while the links are narrower, for 0.8 of the body's time, 0.2 of it come through; 0.4 are left after that.
TEST_CASE("link degraded for a while: a message over both ends takes what each part of it takes",
          "[physics]") {
  for (const auto network : kNetworks) {
    const double from = kStart + 0.4 * kBody, to = from + 0.8 * kBody;
    const auto outcome =
        simulate_calls(2, kMessage, star(2), with(slower("node", 0.25, {from, to}), network));
    CHECK(finish(outcome, 1) == near(to + 0.4 * kBody + kReceiveOverhead));
  }
}

TEST_CASE(
    "link degraded: one that a node has alone slows that node's messages, in one direction or both",
    "[physics]") {
  const std::string calls =
      "ranks 0-1: MPI_Rsend peer=+2 bytes=1MB\nranks 2-3: MPI_Recv peer=-2 bytes=1MB";
  for (const auto network : kNetworks) {
    const auto node = simulate_calls(4, calls, star(4), with(slower("node:2", 0.5, {}), network));
    CHECK(finish(node, 2) == near(kStart + 2 * kBody + kReceiveOverhead));
    CHECK(finish(node, 3) == near(kStart + kBody + kReceiveOverhead));
    auto up = slower("node up", 0.5, {});
    up.cables = {{1, 2}};
    const auto sender = simulate_calls(4, calls, star(4), with(up, network));
    CHECK(finish(sender, 2) == near(kStart + kBody + kReceiveOverhead));
    CHECK(finish(sender, 3) == near(kStart + 2 * kBody + kReceiveOverhead));
  }
}

// System: two messages share the receiver's link, which halves when half of each is through.
// Expectation: flow shares what there is; the queue's first message is through by then, so that its second one meets it alone.
TEST_CASE("link degraded: messages that share it share what is left of it", "[physics]") {
  const std::string calls = R"(ranks 0-1: MPI_Rsend peer=2 bytes=1MB
      ranks 2: MPI_Recv peer=0 bytes=1MB
      ranks 2: MPI_Recv peer=1 bytes=1MB)";
  for (const auto network : {NetworkKind::flow, NetworkKind::fluid, NetworkKind::queue}) {
    const auto outcome =
        simulate_calls(3, calls, star(3), with(slower("node:2", 0.5, {kStart + kBody}), network));
    const bool is_flow = network != NetworkKind::queue;
    const double earlier = is_flow ? 0 : kLatency / 2;  // as above
    CHECK(finish(outcome, 2) == near(kStart + kBody + 2 * (kBody - earlier) + earlier +
                                     (is_flow ? 2 : 1) * kReceiveOverhead));
  }
}

// System: a wide link becomes the narrowest; the flows that a narrow link held back lose it as their bottleneck, and get it back.
TEST_CASE("link degraded: another link becomes the bottleneck and ceases to be it", "[physics]") {
  auto machine = fat_tree(2, 2);
  std::get<platforms::FatTree>(machine.network->topology).levels[1].link.bandwidth =
      BytesPerSecond{4 * kBandwidth};
  const double start = kSendOverhead + 2 * kLatency, from = start + 0.5 * kBody, to = from + kBody;
  const auto outcome = simulate_calls(
      4, "ranks 0-1: MPI_Rsend peer=+2 bytes=1MB\nranks 2-3: MPI_Recv peer=-2 bytes=1MB", machine,
      with(slower("spine", 0.125, {from, to})));
  // meanwhile each flow has a quarter of the bandwidth that it had
  CHECK(finish(outcome, 2) == near(to + 0.25 * kBody + kReceiveOverhead));
  CHECK(finish(outcome, 3) == near(to + 0.25 * kBody + kReceiveOverhead));
}

TEST_CASE("link degraded: uncontended links bound each flow by what they have at the time",
          "[physics]") {
  for (const auto network : kNetworks) {
    const auto outcome =
        simulate_calls(2, kMessage, uncontended_star(2),
                       with(slower("node link", 0.5, {kStart + 0.5 * kBody}), network));
    const double earlier = network == NetworkKind::queue ? kLatency / 2 : 0;  // as above
    CHECK(finish(outcome, 1) ==
          near(kStart + 0.5 * kBody + 2 * (0.5 * kBody - earlier) + earlier + kReceiveOverhead));
  }
}

// System: messages of half the bandwidth by the MPI library's own factor; a link that changes when all is over.
TEST_CASE("link degraded: what a message may have at most of its own holds on", "[physics]") {
  auto machine = star(2);
  machine.mpi.bandwidth_factors = {{Bytes{0}, 0.5}};
  machine.mpi.factors_apply_to = platforms::FactorsApplyTo::kMessages;
  for (const auto network : kNetworks)
    CHECK(finish(simulate_calls(2, kMessage, machine, with(slower("node", 0.5, {1}), network)),
                 1) == near(kStart + 2 * kBody + kReceiveOverhead));
}

// System: rank 0 computes while a synchronous send's request comes, at the old latency; clearance and payload go back and forth while
// latencies are thrice as long.
TEST_CASE("link degraded: latencies are those of the time of sending", "[physics]") {
  const std::string calls = R"(ranks 1: MPI_Ssend peer=0 bytes=8
      ranks 0: MPI_Recv peer=1 bytes=8 | compute 1ms)";
  for (const auto network : kNetworks) {
    const auto outcome =
        simulate_calls(2, calls, star(2), with(slower("node", 1, {0.9e-3}, 3), network));
    CHECK(finish(outcome, 0) == near(1e-3 + 2 * 3 * kLatency + 8 / kBandwidth + kReceiveOverhead));
    CHECK(outcome.no_effect.empty());
  }
}

TEST_CASE(
    "link degraded: a factor of one, and a time after the end, change nothing to the last bit",
    "[physics]") {
  for (const auto network : kNetworks) {
    auto plain = on(network);
    plain.fast_forward = false;
    const auto expected = simulate_calls(2, kLoop, star(2), plain);
    const auto one =
        simulate_calls(2, kLoop, star(2), with(slower("node", 1, {1e-3, 2e-3}), network));
    check_same(one, expected);
    CHECK(one.no_effect.empty());
    const auto late = simulate_calls(2, kLoop, star(2), with(slower("node", 0.1, {1.5}), network));
    check_same(late, expected);
    CHECK(late.no_effect == std::vector<std::string>{"s: the run is over before 1.5 s"});
    CHECK(late.forwarded.reason == "links change while the program runs");
  }
}

TEST_CASE(
    "link degraded for good: the same as a platform that has such links, and fast-forward goes on",
    "[physics]") {
  auto machine = star(2);
  machine.network->link.bandwidth.value *= 0.25;
  for (const auto network : kNetworks) {
    const auto outcome = simulate_calls(2, kLoop, star(2), with(slower("node", 0.25, {}), network));
    const auto expected = simulate_calls(2, kLoop, machine, on(network));
    CHECK(outcome.predicted_time.value == Approx(expected.predicted_time.value).epsilon(1e-9));
    CHECK(outcome.ranks[0].wait.value ==
          Approx(expected.ranks[0].wait.value).epsilon(1e-6).margin(1e-12));
    CHECK(outcome.forwarded.skipped_iterations > 0);
  }
}

TEST_CASE("link degraded: links that carry nothing are told of", "[physics]") {
  CHECK(simulate_calls(2, kMessage, star(4), with(slower("node:2-3", 0.1, {}))).no_effect ==
        std::vector<std::string>{"s: no message crossed the links node:2-3"});
  CHECK(simulate_calls(2, kMessage, star(2), with(slower("node", 0.1, {0, 1e-7}))).no_effect ==
        std::vector<std::string>{"s: no message crossed the links node during it"});
}

TEST_CASE("link degraded: links that there are not are refused, and so are some in SimGrid",
          "[physics]") {
  const std::string body = "thread 0 {\n" + kMessage + "\n}";
  auto beyond = slower("node", 0.5, {});
  beyond.cables = {{0, 2}};
  CHECK(error_of(2, body, star(2), with(slower("nodes", 0.5, {}))) ==
        "s/link: the platform has no links \"nodes\"\n  did you mean \"node\"?");
  CHECK(error_of(2, body, star(2), with(slower("node:2", 0.5, {}))) ==
        "s/link: node 2 is not among the platform's 2 nodes");
  CHECK(error_of(2, body, star(2), with(beyond)) ==
        "s/cables: number 2 is not among the 2 links \"node\"\n  they are numbered from 0");
  platforms::Platform weighted = uncontended_star(2);
  weighted.network->latency_weights.emplace();
  CHECK(error_of(2, body, weighted, with(slower("node", 0.5, {}), NetworkKind::simgrid)) ==
        "s: in SimGrid's solver messages of unequal latency hold one another back on uncontended "
        "links that change, and \"node link\" is one\n"
        "  the flow network is the same model without that (--network flow)");
}

TEST_CASE("slow node: computing over both ends of the time takes what each part of it takes",
          "[physics]") {
  sim::ReplaySettings settings;
  settings.conditions.nodes = {{"s", {{1, 1}}, {0.4e-3, 1.0e-3}, 3}};
  const std::string calls = "MPI_Send peer=null bytes=8 | compute 1ms";
  const auto outcome = simulate_calls(2, calls, star(2), settings);
  CHECK(finish(outcome, 0) == near(1e-3));
  CHECK(finish(outcome, 1) == near(1e-3 + 0.4e-3));  // 0.2 ms of work in 0.6 ms
  CHECK(outcome.ranks[1].compute.value == near(1.4e-3));
  CHECK(outcome.no_effect.empty());
  CHECK(outcome.forwarded.reason == "nodes change their speed while the program runs");
}

// System: two ranks share a core, so that each has half of it, and the core half of its speed for 1 ms of the run.
TEST_CASE("slow node: ranks that share its cores share what is left of them", "[physics]") {
  sim::ReplaySettings settings;
  settings.conditions.nodes = {{"s", {{0, 0}}, {0.5e-3, 1.5e-3}, 2}};
  const auto outcome =
      simulate_calls(2, "MPI_Send peer=null bytes=8 | compute 1ms", star(1), settings);
  CHECK(finish(outcome, 0) == near(2e-3 + 0.5e-3));
  CHECK(finish(outcome, 1) == near(2e-3 + 0.5e-3));
}

TEST_CASE(
    "slow node: a factor of one changes nothing; a time in which it does not compute is told of",
    "[physics]") {
  sim::ReplaySettings plain, one, idle, absent;
  plain.fast_forward = false;
  one.conditions.nodes = {{"s", {{0, 0}}, {1e-3, 2e-3}, 1}};
  idle.conditions.nodes = {{"s", {{0, 0}}, {1, 2}, 3}};
  absent.conditions.nodes = {{"s", {{2, 2}}, {1, 2}, 3}};
  check_same(simulate_calls(2, kLoop, star(2), one), simulate_calls(2, kLoop, star(2), plain));
  CHECK(simulate_calls(2, kLoop, star(2), idle).no_effect ==
        std::vector<std::string>{"s: the run is over before 1 s"});
  CHECK(error_of(2, "thread 0 {\n" + kLoop + "\n}", star(4), absent) ==
        "s: node 2 is not among the 2 nodes that have ranks");
}

namespace {
sim::ReplaySettings noisy(sim::NoiseChange::Arrivals arrivals, std::uint64_t seed = 1) {
  sim::ReplaySettings settings;
  settings.seed = seed;
  settings.conditions.noise = {{"s", {}, {}, 1e-3, 25e-6, arrivals}};
  return settings;
}
constexpr auto kPeriodic = sim::NoiseChange::Arrivals::periodic,
               kRandom = sim::NoiseChange::Arrivals::random;
const std::string kComputing = "loop 1000 { MPI_Send peer=null bytes=8 | compute 0.7ms\n}";
}  // namespace

// 0.7 s of computing with an interruption each millisecond: 700 of them, or one less where the first comes late.
TEST_CASE("noise: periodic interruptions come once a period of computing", "[physics]") {
  const auto outcome = simulate_calls(4, kComputing, star(4), noisy(kPeriodic));
  double sum = 0;
  for (const auto& rank : outcome.ranks) {
    const double noise = rank.compute.value - 0.7;
    CHECK(noise / 25e-6 == Approx(std::round(noise / 25e-6)).epsilon(1e-9));
    CHECK((noise == near(699 * 25e-6) || noise == near(700 * 25e-6)));
    CHECK(rank.finish.value == near(rank.compute.value));
    sum += noise;
  }
  CHECK(outcome.noise.value == near(sum));
  CHECK(outcome.forwarded.reason == "noise differs from iteration to iteration");
}

// 4 · 700 exponential intervals and durations: the sum's standard deviation is √2/√2800 of it, 2.7 %.
TEST_CASE("noise: random interruptions have the mean that was asked for", "[physics]") {
  const auto outcome = simulate_calls(4, kComputing, star(4), noisy(kRandom));
  CHECK(outcome.noise.value == Approx(4 * 700 * 25e-6).epsilon(0.08));
  CHECK(outcome.ranks[0].compute != outcome.ranks[1].compute);
}

TEST_CASE("noise: what a rank suffers depends on the seed, not on machine, network or placement",
          "[physics]") {
  for (const auto arrivals : {kPeriodic, kRandom}) {
    const auto first = simulate_calls(2, kLoop, star(2), noisy(arrivals));
    auto elsewhere = noisy(arrivals);
    elsewhere.network = NetworkKind::queue;
    elsewhere.placement = platforms::PlacementOrder::kCyclic;
    auto slow = fat_tree(2, 2);
    slow.network->link.latency = Seconds{1e-3};
    const auto again = simulate_calls(2, kLoop, slow, elsewhere);
    for (std::size_t rank = 0; rank < 2; ++rank)
      CHECK(first.ranks[rank].compute == again.ranks[rank].compute);
    check_same(simulate_calls(2, kLoop, star(2), noisy(arrivals)), first);
  }
  CHECK(simulate_calls(2, kComputing, star(2), noisy(kRandom, 7)).noise !=
        simulate_calls(2, kComputing, star(2), noisy(kRandom, 8)).noise);
}

TEST_CASE("noise: ranks and nodes that are not named are spared; noise that never comes is told of",
          "[physics]") {
  auto settings = noisy(kPeriodic);
  settings.conditions.noise[0].ranks = {{1, 2}};
  settings.conditions.noise[0].nodes = {{0, 1}};
  const auto outcome = simulate_calls(4, kComputing, star(4), settings);
  CHECK(outcome.ranks[0].compute.value == near(0.7));
  CHECK(outcome.ranks[1].compute.value > 0.71);
  CHECK(outcome.ranks[2].compute.value == near(0.7));
  auto rare = noisy(kPeriodic);
  rare.conditions.noise[0].every = 1e6;
  CHECK(simulate_calls(2, kLoop, star(2), rare).no_effect ==
        std::vector<std::string>{"s: no interruption hit a computing rank"});
  settings.conditions.noise[0].ranks = {{4, 4}};
  CHECK(error_of(4, "thread 0 {\n" + kComputing + "\n}", star(4), settings) ==
        "s: rank 4 is not among the 4 ranks");
}

}  // namespace reprise::test
