// SPDX-License-Identifier: MIT
// Rates of crowds of flows within a tolerance: closed forms, the exact solver's rates, and what the tolerance makes of times.
#include "sim/network/approximate_shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "sim/network/max_min_shares.hpp"
#include "sim/network/network_model.hpp"
#include "tests/physics/crowds.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/random_transfers.hpp"

namespace reprise::test {
namespace {

constexpr double kTolerance = 1e-3;
constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kCapacity = 1e9;

sim::ApproximateShares equal_links() {
  return {kTolerance, [](std::uint32_t) { return kCapacity; }};
}

// Plays all ends; by flow, when it ended.
std::map<std::uint32_t, double> ends_of(sim::ApproximateShares& shares, double now) {
  std::map<std::uint32_t, double> ends;
  while (shares.flows() > 0) {
    shares.settle(now);
    now = shares.next_end();
    while (shares.flows() > 0 && shares.next_end() <= now) ends[shares.take(now)] = now;
  }
  return ends;
}

using Route = std::vector<std::uint32_t>;

struct RandomFlow {
  Route route;
  double bound, bytes, start, weight;
};

// 2000, in the order of their starts: the first 400 at once. Weights from 1 to most_weight.
std::vector<RandomFlow> random_flows(unsigned seed, std::size_t most_weight = 1) {
  std::mt19937 random(seed);
  const auto below = [&random](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
  std::vector<RandomFlow> flows;
  double start = 0;
  for (std::uint32_t flow = 0; flow < 2000; ++flow) {
    Route route;
    for (std::uint32_t n = 1 + below(4); n > 0; --n)
      if (const auto link = below(24); std::find(route.begin(), route.end(), link) == route.end())
        route.push_back(link);
    if (flow >= 400) start += 1e-6 * below(1000);
    flows.push_back({route, below(4) == 0 ? 1e7 * (1 + below(10)) : kUnbounded,
                     1e6 + 1000 * below(8000), start,
                     1 + (most_weight > 1 ? below(most_weight) : 0.0)});
  }
  return flows;
}

// By flow. Every start and end solves all rates anew.
std::vector<double> ends_when_exact(const std::vector<RandomFlow>& flows,
                                    const std::vector<double>& capacities) {
  sim::MaxMinShares shares(capacities.size());
  for (std::uint32_t link = 0; link < capacities.size(); ++link)
    shares.set_capacity(link, capacities[link]);
  std::vector<double> left, ends(flows.size());
  std::vector<std::uint32_t> running;
  double now = 0;
  for (std::uint32_t next = 0; next < flows.size() || !running.empty();) {
    double until = next < flows.size() ? flows[next].start : kUnbounded;
    std::uint32_t ending = next;
    for (const auto flow : running)
      if (const double end = now + left[flow] / shares.rate(flow); end < until) {
        until = end;
        ending = flow;
      }
    for (const auto flow : running) left[flow] -= shares.rate(flow) * (until - now);
    now = until;
    if (ending == next) {
      left.push_back(flows[next].bytes);
      shares.enter(next, flows[next].route, flows[next].bound, flows[next].weight);
      running.push_back(next++);
    } else {
      ends[ending] = now;
      shares.leave(ending);
      std::erase(running, ending);
    }
    shares.settle([](std::uint32_t, double) {});
  }
  return ends;
}

// As the flow network calls it.
std::vector<double> ends_when_approximate(const std::vector<RandomFlow>& flows,
                                          const std::vector<double>& capacities) {
  sim::ApproximateShares shares(kTolerance, [&](std::uint32_t link) { return capacities[link]; });
  std::vector<double> ends(flows.size());
  double now = 0;
  for (std::uint32_t next = 0; next < flows.size() || shares.flows() > 0;) {
    const double start = next < flows.size() ? flows[next].start : kUnbounded;
    now = std::max(now, std::min({start, shares.next_end(), shares.next_due()}));
    while (shares.flows() > 0 && shares.next_end() <= now) ends[shares.take(now)] = now;
    for (; next < flows.size() && flows[next].start <= now; ++next)
      shares.enter(next, flows[next].route, flows[next].bound, flows[next].bytes, now,
                   flows[next].weight);
    shares.settle(now);
  }
  return ends;
}

// What the option promises: the last message within 0.1 %, every one within ten tolerances.
void compare_with_exact(std::uint32_t leaves, std::uint32_t per_leaf, std::uint32_t up,
                        bool sizes_differ, const sim::LinkChange* change = nullptr,
                        const platforms::LatencyWeights* weights = nullptr) {
  const auto [exact, no_crowds, none_reported] =
      all_to_all(sim::kFlowNetwork, 0, leaves, per_leaf, up, sizes_differ, change, weights);
  const auto [within, crowds, reported] = all_to_all(sim::kFlowNetwork, kTolerance, leaves,
                                                     per_leaf, up, sizes_differ, change, weights);
  CHECK(no_crowds == 0);
  CHECK(none_reported == 0);
  CHECK(crowds > 0);
  CHECK(reported == crowds);
  CHECK(exact != within);  // there is a crowd
  for (std::size_t i = 0; i < exact.size(); ++i)
    REQUIRE(within[i] == Approx(exact[i]).epsilon(10 * kTolerance));
  CHECK(*std::max_element(within.begin(), within.end()) ==
        Approx(*std::max_element(exact.begin(), exact.end())).epsilon(1e-3));
}

}  // namespace

// System: 1000 flows of 1, 2, 3 … kB over one link, all at once.
// Expectation: egalitarian processor sharing; the flow of k kB ends when (1 + 2 + … + k) + k (1000 − k) kB are through.
TEST_CASE("approximate shares: flows over one link share it equally, however many", "[physics]") {
  auto shares = equal_links();
  constexpr std::uint32_t kFlows = 1000;
  for (std::uint32_t k = 1; k <= kFlows; ++k) shares.enter(k, Route{7}, kUnbounded, 1000.0 * k, 0);
  const auto ends = ends_of(shares, 0);
  REQUIRE(ends.size() == kFlows);
  for (const auto& [flow, time] : ends) {
    const double k = flow;
    REQUIRE(time == near((k * (k + 1) / 2 + k * (kFlows - k)) * 1000 / kCapacity));
  }
}

// System: 1000 flows over one link, all at once, flow k of k kB and of weight k.
// Expectation: all end together, when all bytes are through.
TEST_CASE("approximate shares: flows over one link share it by their weights", "[physics]") {
  auto shares = equal_links();
  constexpr std::uint32_t kFlows = 1000;
  for (std::uint32_t k = 1; k <= kFlows; ++k)
    shares.enter(k, Route{7}, kUnbounded, 1000.0 * k, 0, k);
  shares.settle(0);
  CHECK(shares.rate(Route{7}, kUnbounded, 10) ==
        near(kCapacity * 10 / (0.5 * kFlows * (kFlows + 1))));
  const auto ends = ends_of(shares, 0);
  REQUIRE(ends.size() == kFlows);
  for (const auto& [flow, time] : ends)
    REQUIRE(time == near(0.5 * kFlows * (kFlows + 1) * 1000 / kCapacity));
}

// System: n nodes on a star, a flow between any two at once.
// Expectation: each of the 2n links is full with n − 1 flows until all end together.
TEST_CASE("approximate shares: an all-to-all at once gives every flow the same", "[physics]") {
  auto shares = equal_links();
  constexpr std::uint32_t kNodes = 40;
  for (std::uint32_t from = 0; from < kNodes; ++from)
    for (std::uint32_t to = 0; to < kNodes; ++to)
      if (from != to)
        shares.enter(from * kNodes + to, Route{2 * from, 2 * to + 1}, kUnbounded, 1e6, 0);
  const auto ends = ends_of(shares, 0);
  for (const auto& [flow, time] : ends) REQUIRE(time == near((kNodes - 1) * 1e6 / kCapacity));
}

// System: flows of random sizes that come at random times and cross one link, and with it a wide one each.
// Expectation: the link is never idle while there are flows: it is done when all bytes are through.
TEST_CASE("approximate shares: a full link carries its capacity all the time", "[physics]") {
  sim::ApproximateShares shares(
      kTolerance, [](std::uint32_t link) { return link == 0 ? kCapacity : 1e6 * kCapacity; });
  std::mt19937 random(5);
  double bytes = 0, now = 0;
  std::map<std::uint32_t, double> ends;
  for (std::uint32_t flow = 0; flow < 2000; ++flow) {
    const double size = 1e5 + static_cast<double>(random() % 100000);
    bytes += size;
    shares.enter(flow, Route{0, 1 + flow % 50}, kUnbounded, size, now);
    shares.settle(now);
    const double next = now + 1e-5;
    while (shares.flows() > 0 && shares.next_end() <= next) {
      now = shares.next_end();
      shares.take(now);
      shares.settle(now);
    }
    now = next;
  }
  double last = now;
  for (const auto& [flow, time] : ends_of(shares, now)) last = std::max(last, time);
  CHECK(last == near(bytes / kCapacity));
}

TEST_CASE("approximate shares: rates are the exact ones within ten tolerances", "[physics]") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&random](std::size_t n) {
      return static_cast<std::uint32_t>(random() % n);
    };
    std::vector<double> capacities(30);
    for (double& capacity : capacities) capacity = 1e8 * (1 + below(20));
    sim::MaxMinShares exact(capacities.size());
    for (std::uint32_t link = 0; link < capacities.size(); ++link)
      exact.set_capacity(link, capacities[link]);
    sim::ApproximateShares shares(kTolerance, [&](std::uint32_t link) { return capacities[link]; });
    std::vector<std::pair<Route, double>> flows;
    double sum = 0, of_exact = 0;
    for (std::uint32_t flow = 0; flow < 300; ++flow) {
      Route route;
      for (std::uint32_t n = 1 + below(4); n > 0; --n)
        if (const auto link = below(capacities.size());
            std::find(route.begin(), route.end(), link) == route.end())
          route.push_back(link);
      const double bound = below(4) == 0 ? 1e7 * (1 + below(10)) : kUnbounded;
      exact.enter(flow, route, bound);
      shares.enter(flow, route, bound, 1e9, 0);
      flows.emplace_back(route, bound);
      exact.settle([](std::uint32_t, double) {});
      shares.settle(0);
    }
    for (std::uint32_t flow = 0; flow < flows.size(); ++flow) {
      const double rate = shares.rate(flows[flow].first, flows[flow].second);
      REQUIRE(rate == Approx(exact.rate(flow)).epsilon(10 * kTolerance));
      sum += rate;
      of_exact += exact.rate(flow);
    }
    CHECK(sum == Approx(of_exact).epsilon(kTolerance));
  }
}

// System: 400 flows over random routes of 24 links, a quarter of them bounded, of sizes between 1 and 9 MB, one after the other; 1600
// more of them begin at random times while those before them end.
// Expectation: all end when they do if rates are solved exactly at every start and end, within ten tolerances of that time; the last of
// them, and the mean of all, within one.
// Where some weigh up to five times as much as others a single one may be further off, within thirty tolerances.
TEST_CASE("approximate shares: flows that come and go end within ten tolerances of the exact times",
          "[physics]") {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const bool is_weighted = seed > 5;
    const auto flows = random_flows(seed, is_weighted ? 5 : 1);
    std::vector<double> capacities(24);
    for (std::uint32_t link = 0; link < capacities.size(); ++link)
      capacities[link] = kCapacity * (1 + (link * seed) % 5);
    const auto exact = ends_when_exact(flows, capacities),
               within = ends_when_approximate(flows, capacities);
    double sum = 0, of_exact = 0;
    for (std::size_t flow = 0; flow < flows.size(); ++flow) {
      REQUIRE(within[flow] == Approx(exact[flow]).epsilon((is_weighted ? 30 : 10) * kTolerance));
      sum += within[flow];
      of_exact += exact[flow];
    }
    CHECK(sum == Approx(of_exact).epsilon(kTolerance));
    CHECK(*std::max_element(within.begin(), within.end()) ==
          Approx(*std::max_element(exact.begin(), exact.end())).epsilon(kTolerance));
  }
}

// System: two links. 1000 flows cross the first one, 500 of them also the second, which 100 flows have beside them and which is
// their bottleneck. One second after all have begun a flow of the second link comes, a microsecond later another one, and nothing else
// happens.
// Expectation: after so long the first one is solved at once. What the second one takes from the others of the first link is out of date
// for no more than five tolerances of a second; then all rates are the exact ones.
TEST_CASE("approximate shares: nothing is left out of date for long", "[physics]") {
  constexpr double kSecond = kCapacity / 3;
  const auto capacity = [](std::uint32_t link) { return link == 0 ? kCapacity : kSecond; };
  sim::ApproximateShares shares(kTolerance, capacity);
  for (std::uint32_t flow = 0; flow < 1000; ++flow)
    shares.enter(flow, flow < 500 ? Route{0, 1} : Route{0}, kUnbounded, 1e12, 0);
  for (std::uint32_t flow = 1000; flow < 1100; ++flow)
    shares.enter(flow, Route{1}, kUnbounded, 1e12, 0);
  shares.settle(0);
  const auto check_exact = [&shares](double of_second) {
    const double rate = kSecond / of_second;
    CHECK(shares.rate(Route{1}, kUnbounded) == near(rate));
    CHECK(shares.rate(Route{0, 1}, kUnbounded) == near(rate));
    CHECK(shares.rate(Route{0}, kUnbounded) == near((kCapacity - 500 * rate) / 500));
  };
  check_exact(600);
  CHECK(shares.next_due() == std::numeric_limits<double>::infinity());
  shares.enter(1100, Route{1}, kUnbounded, 1e12, 1);
  shares.settle(1);
  check_exact(601);
  const double on_first = shares.rate(Route{0}, kUnbounded);
  shares.enter(1101, Route{1}, kUnbounded, 1e12, 1 + 1e-6);
  shares.settle(1 + 1e-6);
  CHECK(shares.rate(Route{1}, kUnbounded) == near(kSecond / 602));
  CHECK(shares.rate(Route{0}, kUnbounded) == on_first);
  REQUIRE(shares.next_due() == near(1 + 5 * kTolerance));
  shares.settle(shares.next_due());
  check_exact(602);
  CHECK(shares.next_due() == std::numeric_limits<double>::infinity());
}

TEST_CASE("flow network: a crowd's messages come within the tolerance of the exact ones",
          "[physics]") {
  compare_with_exact(4, 12, 3, false);
  compare_with_exact(4, 12, 6, true);
  compare_with_exact(3, 16, 16, false);
}

TEST_CASE("flow network: links that change while there is a crowd change its rates", "[physics]") {
  sim::LinkChange slower;
  slower.links = "level 1 up";
  slower.when.from = 1e-4;
  slower.bandwidth = 0.25;
  compare_with_exact(4, 12, 6, false, &slower);
}

TEST_CASE("flow network: a crowd's messages may weigh by their routes' latency", "[physics]") {
  const platforms::LatencyWeights by_latency, with_bandwidth{Bytes{2000}, Bytes{100'000}};
  for (const auto* weights : {&by_latency, &with_bandwidth}) {
    compare_with_exact(4, 12, 3, false, nullptr, weights);
    compare_with_exact(4, 12, 6, true, nullptr, weights);
  }
  sim::LinkChange longer;
  longer.links = "level 1 up";
  longer.when.from = 1e-4;
  longer.bandwidth = 0.5;
  longer.latency = 3;
  compare_with_exact(4, 12, 6, false, &longer, &by_latency);
}

TEST_CASE("flow network: a crowd comes out alike each time", "[physics]") {
  const auto once = all_to_all(sim::kFlowNetwork, kTolerance, 3, 16, 8, true).tails;
  CHECK(once == all_to_all(sim::kFlowNetwork, kTolerance, 3, 16, 8, true).tails);
}

}  // namespace reprise::test
