// SPDX-License-Identifier: MIT
// Crowds of flows of which most links have room: what is left out of a filling must change no rate.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "sim/network/approximate_shares.hpp"
#include "sim/network/max_min_shares.hpp"
#include "sim/network/network_model.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/random_transfers.hpp"

namespace reprise::test {
namespace {

constexpr double kWithin = 1e-3, kLinkRate = 1e9;
constexpr double kNoBound = std::numeric_limits<double>::infinity();

using TreeWay = std::vector<std::uint32_t>;

// A tree of kLeaves switches with kPerLeaf nodes each, kCables up from each, which the receiver's number chooses. Four links a way: the
// sender's, the cables up and down, the receiver's; two inside a leaf.
struct Tree {
  static constexpr std::uint32_t kLeaves = 6, kPerLeaf = 8, kCables = 4,
                                 kNodes = kLeaves * kPerLeaf;
  static constexpr std::uint32_t kLinks = 2 * (kNodes + kLeaves * kCables);
  static TreeWay way(std::uint32_t from, std::uint32_t to) {
    const std::uint32_t a = from / kPerLeaf, b = to / kPerLeaf, cable = to % kCables;
    if (a == b) return {from, kNodes + to};
    const std::uint32_t up = 2 * kNodes + a * kCables + cable,
                        down = 2 * kNodes + (kLeaves + b) * kCables + cable;
    return {from, up, down, kNodes + to};
  }
};

// Flows that come and go, in both solvers.
class Both {
 public:
  Both()
      : shares_(
            kWithin, [](std::uint32_t) { return kLinkRate; }, 100),
        exact_(Tree::kLinks) {
    for (std::uint32_t link = 0; link < Tree::kLinks; ++link) exact_.set_capacity(link, kLinkRate);
  }
  void send(std::uint32_t from, std::uint32_t to, double bytes) {
    const auto flow = static_cast<std::uint32_t>(ways_.size());
    ways_.push_back(Tree::way(from, to));
    running_.push_back(flow);
    shares_.enter(flow, ways_.back(), kNoBound, bytes, now_);
    exact_.enter(flow, ways_.back(), kNoBound);
  }
  // Until the time, or all have ended: whenever all has just been filled, or need not be, rates are the exact ones.
  void run(double until) {
    settle();
    while (shares_.flows() > 0) {
      const double next = std::min(shares_.next_end(), shares_.next_due());
      if (next > until) break;
      now_ = std::max(now_, next);
      while (shares_.flows() > 0 && shares_.next_end() <= now_) {
        const auto flow = shares_.take(now_);
        exact_.leave(flow);
        std::erase(running_, flow);
      }
      settle();
    }
    now_ = until;
  }
  double now() const { return now_; }
  std::size_t compared() const { return compared_; }
  std::size_t fewest_classes() const { return fewest_classes_; }

 private:
  void settle() {
    shares_.settle(now_);
    if (shares_.next_due() < kNoBound) return;
    exact_.settle([](std::uint32_t, double) {});
    for (const auto flow : running_)
      REQUIRE(shares_.rate(ways_[flow], kNoBound) == Approx(exact_.rate(flow)).epsilon(1e-9));
    ++compared_;
    if (running_.size() > Tree::kNodes * Tree::kNodes / 2)
      fewest_classes_ = std::min(fewest_classes_, shares_.classes());
  }

  sim::ApproximateShares shares_;
  sim::MaxMinShares exact_;
  std::vector<TreeWay> ways_;
  std::vector<std::uint32_t> running_;
  double now_ = 0;
  std::size_t compared_ = 0, fewest_classes_ = ~std::size_t{0};
};

// Messages of an all-to-all as a case has them: bytes, 0 for none.
using BytesOf = double (*)(std::uint32_t from, std::uint32_t to, std::mt19937&);

// By message, when it has come.
std::map<sim::EventId, double> arrivals(double tolerance, BytesOf bytes_of) {
  constexpr std::uint32_t kLeaves = 6, kPerLeaf = 16;
  platforms::Platform machine = star(kLeaves * kPerLeaf);
  const platforms::LinkSpec link = machine.network->link;
  machine.network->topology = platforms::FatTree{{{kPerLeaf, 1, 1, link}, {kLeaves, 8, 1, link}}};
  sim::NetworkSettings settings;
  settings.flow_tolerance = tolerance;
  const auto network = sim::kFlowNetwork.make(machine, settings);
  std::mt19937 random(1);
  sim::EventId id = 0;
  for (std::uint32_t from = 0; from < kLeaves * kPerLeaf; ++from) {
    const double start = 1e-8 * static_cast<double>(random() % 10000);
    for (std::uint32_t to = 0; to < kLeaves * kPerLeaf; ++to)
      if (const double bytes = bytes_of(from, to, random); to != from && bytes > 0)
        network->start_transfer({from, to, Bytes{static_cast<std::uint64_t>(bytes)}, Seconds{start},
                                 sim::Network::Head::kTravels, id++});
  }
  Arrival arrival(*network);
  network->run(arrival);
  CHECK((network->crowds() > 0) == (tolerance > 0));
  return arrival.tails;
}

}  // namespace

// System: an all-to-all over a tree whose cables between switches are the bottlenecks, of random sizes, in which one receiver gets eight times as many
// messages; a third of the nodes begins late; when half of all is over, two nodes send 200 messages at once over links that had room.
// Expectation: rates are the exact ones at each filling, however links get and lose room, and most of the time far fewer classes than flows are filled.
TEST_CASE("slack links: leaving them out of fillings changes no rate", "[physics]") {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    std::mt19937 random(seed);
    const auto size = [&random] { return 1e4 + static_cast<double>(random() % 100'000); };
    Both both;
    for (const bool is_late : {false, true}) {
      for (std::uint32_t from = 0; from < Tree::kNodes; ++from) {
        if ((from % 3 == 0) != is_late) continue;
        for (std::uint32_t to = 0; to < Tree::kNodes; ++to)
          for (int n = to == 7 ? 8 : 1; n > 0 && to != from; --n) both.send(from, to, size());
        both.run(both.now() + 1e-6);
      }
      both.run(both.now() + 2e-4);
    }
    both.run(3e-3);
    for (const std::uint32_t from : {5U, 20U}) {
      for (std::uint32_t n = 0; n < 200; ++n)
        if (const std::uint32_t to = (from + 1 + n % 40) % Tree::kNodes; to != from)
          both.send(from, to, size());
      both.run(both.now() + 1e-5);
    }
    both.run(kNoBound);
    CHECK(both.compared() > 200);
    CHECK(both.fewest_classes() < Tree::kNodes * Tree::kNodes / 4);
  }
}

// System: 1000 flows to one receiver, each over a link of its own, of 1, 2, 3 … kB.
// Expectation: egalitarian processor sharing, and nothing is filled but once: the receiver's link is exact by itself.
TEST_CASE("slack links: many flows to one receiver need no filling", "[physics]") {
  sim::ApproximateShares shares(kWithin, [](std::uint32_t) { return kLinkRate; });
  constexpr std::uint32_t kFlows = 1000;
  for (std::uint32_t k = 1; k <= kFlows; ++k)
    shares.enter(k, TreeWay{k, 0}, kNoBound, 1000.0 * k, 0);
  double now = 0;
  for (std::uint32_t k = 1; k <= kFlows; ++k) {
    shares.settle(now);
    now = shares.next_end();
    REQUIRE(shares.take(now) == k);
    REQUIRE(now == near((0.5 * k * (k + 1) + k * (kFlows - k)) * 1000 / kLinkRate));
  }
  CHECK(shares.fillings() <= 1);
}

// System: 1000 flows over one link, of which one may have a 900th of it at most and 1 MB is left, all others 1 kB.
// Expectation: when 100 others have ended, the bound holds it back; it ends when it has had its bytes at that rate.
TEST_CASE("slack links: a level that passes a flow's bound is seen", "[physics]") {
  sim::ApproximateShares shares(kWithin, [](std::uint32_t) { return kLinkRate; });
  constexpr double kMost = kLinkRate / 900;
  shares.enter(0, TreeWay{0}, kMost, 1e6, 0);
  // Two at a time, each after the same time.
  for (std::uint32_t flow = 1; flow < 1000; ++flow)
    shares.enter(flow, TreeWay{0}, kNoBound, 1000.0 * std::floor(1 + 0.5 * flow), 0);
  double now = 0;
  while (shares.flows() > 800) {
    shares.settle(now);
    now = std::min(shares.next_end(), shares.next_due());
    while (shares.next_end() <= now) shares.take(now);
  }
  shares.settle(now);
  CHECK(shares.rate(TreeWay{0}, kMost) == near(kMost));
}

// System: 20 narrow links with two flows each, which cross two wide links, and 80 with one flow over a wide link, which end one by one; and two flows
// on links of which one has others, so that each second end makes a filling.
// Expectation: without the wide links there are 102 classes of 122 flows, which is hardly worth it: at the next filling each flow is a class
// again. When nearly all of the 80 have ended it is worth it, and flows of one narrow link are one class. Rates are the exact ones all the time.
TEST_CASE("slack links: left out in vain, they count again, and later they do not", "[physics]") {
  constexpr double kThin = kLinkRate / 200;
  constexpr std::uint32_t kTwofold = 20, kAlone = 80, kFirstThin = 10;
  sim::ApproximateShares shares(
      kWithin, [](std::uint32_t link) { return link < 2 ? kLinkRate : kThin; }, 0);
  std::uint32_t flow = 0;
  for (std::uint32_t n = 0; n < kTwofold; ++n)
    for (const std::uint32_t wide : {0U, 1U})
      shares.enter(flow++, TreeWay{wide, kFirstThin + n}, kNoBound, 1e15, 0);
  for (std::uint32_t n = 0; n < kAlone; ++n)
    shares.enter(flow++, TreeWay{0, kFirstThin + kTwofold + n}, kNoBound, 1e6 * (1 + n), 0);
  shares.enter(flow++, TreeWay{2, 3}, 0.1 * kThin, 1e15, 0);
  shares.enter(flow++, TreeWay{3}, kNoBound, 1e15, 0);
  shares.settle(0);
  CHECK(shares.classes() == kTwofold + kAlone + 2);
  for (std::uint32_t ended = 1; ended <= kAlone; ++ended) {
    const double now = shares.next_end();
    REQUIRE(now == near(1e6 * ended / kThin));
    shares.take(now);
    shares.settle(now);
    REQUIRE(shares.fillings() >= ended / 2);
    if (ended == 4) CHECK(shares.classes() >= shares.flows());
    REQUIRE(shares.rate(TreeWay{0, kFirstThin}, kNoBound) == near(kThin / 2));
    REQUIRE(shares.rate(TreeWay{3}, kNoBound) == near(0.9 * kThin));
  }
  CHECK(shares.flows() == 2 * kTwofold + 2);
  CHECK(shares.classes() < shares.flows());
}

TEST_CASE("slack links: a crowd after another one is as if it were the first", "[physics]") {
  const auto ends = [](sim::ApproximateShares& shares) {
    std::map<std::uint32_t, double> found;
    for (std::uint32_t from = 0; from < Tree::kNodes; ++from)
      for (std::uint32_t to = 0; to < Tree::kNodes; ++to)
        if (from != to)
          shares.enter(from * Tree::kNodes + to, Tree::way(from, to), kNoBound,
                       1e4 * (1 + (3 * from + to) % 7), 1);
    double now = 1;
    while (shares.flows() > 100) {
      shares.settle(now);
      now = std::min(shares.next_end(), shares.next_due());
      while (shares.next_end() <= now) found[shares.take(now)] = now;
    }
    return found;
  };
  const auto capacity = [](std::uint32_t) { return kLinkRate; };
  sim::ApproximateShares first(kWithin, capacity, 100), again(kWithin, capacity, 100);
  for (std::uint32_t flow = 0; flow < 500; ++flow)
    again.enter(flow, TreeWay{99 - flow % 50, 3}, 1e8, 1e5, 0.5, 2);
  again.settle(0.5);
  again.clear();
  CHECK(again.flows() == 0);
  const auto expected = ends(first);
  CHECK(ends(again) == expected);
  again.clear();
  CHECK(ends(again) == expected);
}

// System: an all-to-all of different sizes over the tree.
// Expectation: whoever ends is announced before, as one that is the next of all or follows it in its group, but for the first few; a flow that
// is announced is there.
TEST_CASE("slack links: flows are announced before they end", "[physics]") {
  sim::ApproximateShares shares(
      kWithin, [](std::uint32_t) { return kLinkRate; }, 100);
  std::vector<int> announced(Tree::kNodes * Tree::kNodes, 0);
  std::vector<bool> is_there(announced.size());
  for (std::uint32_t from = 0; from < Tree::kNodes; ++from)
    for (std::uint32_t to = 0; to < Tree::kNodes; ++to)
      if (from != to) {
        const std::uint32_t flow = from * Tree::kNodes + to;
        shares.enter(flow, Tree::way(from, to), kNoBound, 1e4 * (1 + (3 * from + 7 * to) % 97), 0);
        is_there[flow] = true;
      }
  double now = 0;
  std::size_t ended = 0, unannounced = 0;
  while (shares.flows() > 0) {
    shares.settle(now);
    now = std::min(shares.next_end(), shares.next_due());
    while (shares.flows() > 0 && shares.next_end() <= now) {
      const auto flow = shares.take(now, [&](unsigned steps, std::uint32_t soon) {
        REQUIRE(steps <= 2);
        REQUIRE(is_there[soon]);
        if (steps < 2) announced[soon] = 1;
      });
      is_there[flow] = false;
      ++ended;
      if (announced[flow] == 0) ++unannounced;
    }
  }
  CHECK(ended == Tree::kNodes * (Tree::kNodes - 1));
  CHECK(unannounced < ended / 4);
}

// System: an all-to-all of 96 nodes in which (1) node 0 gets 40 kB from everyone, all others 20 kB; (2) every second message is a tenth of the others,
// so that half of the crowd ends at nearly one time; (3) the first half of the nodes sends a tenth.
// Expectation: the times of exact solving, their sum and the last within one tolerance, each within ten, beside a hot receiver within thirty.
TEST_CASE("slack links: crowds that change quickly come within the tolerance", "[physics]") {
  const BytesOf cases[] = {
      [](std::uint32_t, std::uint32_t to, std::mt19937&) { return to == 0 ? 40e3 : 20e3; },
      [](std::uint32_t from, std::uint32_t to, std::mt19937&) {
        return (from + to) % 2 == 0 ? 2e3 : 20e3;
      },
      [](std::uint32_t from, std::uint32_t, std::mt19937&) { return from < 48 ? 1e3 : 10e3; }};
  double within_single = 30;
  for (const BytesOf bytes_of : cases) {
    const auto exact = arrivals(0, bytes_of), within = arrivals(kWithin, bytes_of);
    REQUIRE(exact.size() == within.size());
    double sum = 0, of_exact = 0, last = 0, last_exact = 0;
    for (const auto& [message, time] : exact) {
      const double found = within.at(message);
      REQUIRE(found == Approx(time).epsilon(within_single * kWithin));
      sum += found;
      of_exact += time;
      last = std::max(last, found);
      last_exact = std::max(last_exact, time);
    }
    CHECK(sum == Approx(of_exact).epsilon(kWithin));
    CHECK(last == Approx(last_exact).epsilon(kWithin));
    within_single = 10;
  }
}

// System: 200 flows begin on one link one by one, each of which moves the rates of all before it.
// Expectation: that is no crowd yet, 512 entries of links a flow being allowed, and one after a crowd, at 64, as beside 70 000 other flows, if there
// are fewer links than flows.
TEST_CASE("max-min shares: crowds that are expected are seen earlier", "[physics]") {
  constexpr std::uint32_t kFlows = 200;
  const auto is_seen = [](std::uint32_t others, std::uint32_t free_links, bool is_expected) {
    const std::uint32_t links = 1 + others + free_links;
    sim::MaxMinShares shares(links);
    for (std::uint32_t link = 0; link < links; ++link) shares.set_capacity(link, kLinkRate);
    if (is_expected) shares.clear();
    for (std::uint32_t other = 1; other <= others; ++other)
      shares.enter(kFlows + other, TreeWay{other}, kNoBound);
    shares.settle([](std::uint32_t, double) {});
    for (std::uint32_t flow = 0; flow < kFlows; ++flow) {
      shares.enter(flow, TreeWay{0}, kNoBound);
      shares.settle([](std::uint32_t, double) {});
    }
    return shares.excess() > 0;
  };
  for (const std::uint32_t others : {0U, 60'000U}) {
    CHECK_FALSE(is_seen(others, 0, false));
    CHECK(is_seen(others, 0, true));
  }
  CHECK(is_seen(70'000, 0, false));
  CHECK_FALSE(is_seen(70'000, 1000, false));
  CHECK(is_seen(70'000, 1000, true));
}

}  // namespace reprise::test
