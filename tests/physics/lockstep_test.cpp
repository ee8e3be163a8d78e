// SPDX-License-Identifier: MIT
// Many flows that one link alone holds back: what is not looked at any more must change no rate.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "sim/network/max_min_shares.hpp"

namespace reprise::test {
namespace {

using LinksOfFlow = std::vector<std::uint32_t>;
constexpr double kFree = std::numeric_limits<double>::infinity();

// A receiver behind two links that nobody else uses, as a node's and its rank's; four switches of eight senders with a cable each, one of them the
// receiver's own. LinksOfFlow: 0 and 1 the receiver's, 2 … 5 cables, 6 … 37 the senders', 38 another receiver's.
constexpr std::uint32_t kSwitches = 4, kSenders = 32, kOtherReceiver = 38, kAllLinks = 39;
constexpr double kNodeRate = 1e9;

// Sums of a hundred rates are off by some roundings.
Approx exactly(double value) { return Approx(value).epsilon(1e-10); }

LinksOfFlow to_receiver(std::uint32_t sender) {
  if (sender % kSwitches == 0) return {6 + sender, 0, 1};
  return {6 + sender, 2 + sender % kSwitches, 0, 1};
}
LinksOfFlow to_other(std::uint32_t sender) {
  return {6 + sender, 2 + sender % kSwitches, kOtherReceiver};
}

// Flows that come and go, all rates compared with those of a solution from scratch.
class Compared {
 public:
  explicit Compared(double cable) : cable_(cable), shares_(kAllLinks) { give_capacities(shares_); }

  std::uint32_t enter(const LinksOfFlow& links, double bound = kFree) {
    shares_.enter(next_, links, bound);
    flows_[next_] = {links, bound};
    return next_++;
  }
  void leave(std::uint32_t flow) {
    shares_.leave(flow);
    flows_.erase(flow);
  }
  void settle() {
    shares_.settle([](std::uint32_t, double) {});
    sim::MaxMinShares scratch(kAllLinks);
    give_capacities(scratch);
    for (const auto& [flow, what] : flows_) scratch.enter(flow, what.first, what.second);
    scratch.settle([](std::uint32_t, double) {});
    for (const auto& [flow, what] : flows_) {
      REQUIRE(shares_.rate(flow) == exactly(scratch.rate(flow)));
      check_bottleneck(flow, what.first, what.second);
    }
    in_lockstep_ += shares_.lockstep() != sim::MaxMinShares::kOwnBound ? 1 : 0;
    ++settled_;
  }
  const auto& flows() const { return flows_; }
  sim::MaxMinShares& shares() { return shares_; }
  double share_in_lockstep() const { return in_lockstep_ / settled_; }

 private:
  void give_capacities(sim::MaxMinShares& shares) const {
    for (std::uint32_t link = 0; link < kAllLinks; ++link)
      shares.set_capacity(link, link >= 2 && link < 6 ? cable_ : kNodeRate);
  }
  // A link that is full, or the flow's own bound.
  void check_bottleneck(std::uint32_t flow, const LinksOfFlow& links, double bound) const {
    const auto link = shares_.bottleneck(flow);
    if (link == sim::MaxMinShares::kOwnBound) {
      REQUIRE(shares_.rate(flow) == exactly(bound));
      return;
    }
    REQUIRE(std::count(links.begin(), links.end(), link) == 1);
    double sum = 0;
    for (const auto& [other, what] : flows_)
      if (std::count(what.first.begin(), what.first.end(), link) > 0) sum += shares_.rate(other);
    REQUIRE(sum == exactly(shares_.capacity(link)));
  }

  double cable_;
  sim::MaxMinShares shares_;
  std::map<std::uint32_t, std::pair<LinksOfFlow, double>> flows_;
  std::uint32_t next_ = 0;
  double in_lockstep_ = 0, settled_ = 0;
};

}  // namespace

// System: up to 100 flows to one receiver over cables that are as fast as its link, or slower; at each of 3000 instants some come and some go, now
// and then one with a bound, and one to another receiver, which shares cables and its sender's link with them.
// Expectation: the rates of a solution from scratch, and a bottleneck for each flow, whether the flows are in lockstep or not; with fast cables
// they are two fifths of the time.
TEST_CASE("max-min shares: flows in lockstep have the rates of a full solution", "[physics]") {
  for (const double cable : {10 * kNodeRate, kNodeRate, 0.3 * kNodeRate, 0.02 * kNodeRate}) {
    std::mt19937 random(3);
    const auto below = [&random](std::size_t n) {
      return static_cast<std::uint32_t>(random() % n);
    };
    Compared compared(cable);
    for (int instant = 0; instant < 3000; ++instant) {
      for (std::uint32_t n = below(3); n > 0 && compared.flows().size() < 100; --n)
        compared.enter(to_receiver(below(kSenders)),
                       below(40) == 0 ? 1e6 * (1 + below(40)) : kFree);
      if (below(10) == 0) compared.enter(to_other(below(kSenders)));
      for (std::uint32_t n = below(3); n > 0 && compared.flows().size() > 30; --n) {
        auto flow = compared.flows().begin();
        std::advance(flow, below(compared.flows().size()));
        compared.leave(flow->first);
      }
      compared.settle();
    }
    if (cable >= kNodeRate) CHECK(compared.share_in_lockstep() > 0.4);
  }
}

// System: 20 flows in lockstep. Then (1) nothing but a change of the link's capacity; (2) of a flow's bound; (3) one comes that weighs twice as much.
// Expectation: (1) all have a twentieth of the new capacity; (2) the others share what it leaves; (3) it has two parts of 22.
TEST_CASE("max-min shares: what changes for flows in lockstep counts", "[physics]") {
  Compared compared(10 * kNodeRate);
  for (std::uint32_t sender = 0; sender < 20; ++sender) compared.enter(to_receiver(sender));
  compared.settle();
  auto& shares = compared.shares();
  REQUIRE(shares.lockstep() <= 1);
  const auto settle = [&shares] { shares.settle([](std::uint32_t, double) {}); };

  shares.change_capacity(shares.lockstep(), kNodeRate / 2);
  settle();
  for (std::uint32_t flow = 0; flow < 20; ++flow)
    CHECK(shares.rate(flow) == exactly(kNodeRate / 40));
  shares.change_limits(3, kNodeRate / 100, 1);
  settle();
  CHECK(shares.rate(3) == exactly(kNodeRate / 100));
  for (std::uint32_t flow = 4; flow < 20; ++flow)
    CHECK(shares.rate(flow) == exactly(kNodeRate * (0.5 - 0.01) / 19));
  shares.change_limits(3, kFree, 1);
  settle();
  shares.enter(20, to_receiver(20), kFree, 2);
  settle();
  CHECK(shares.rate(20) == exactly(kNodeRate / 22));
  CHECK(shares.rate(0) == exactly(kNodeRate / 44));
}

// System: 20 flows over one cable of 0.6 of the receiver's rate, 20 over another one; those of the second one end one by one.
// Expectation: all have the same until the first cable is full, with 13 left; then its flows have 0.03 of the rate each, the others what they leave.
TEST_CASE("max-min shares: a level that rises in lockstep stops at another link", "[physics]") {
  Compared compared(0.6 * kNodeRate);
  std::vector<std::uint32_t> first, second;
  for (std::uint32_t n = 0; n < 20; ++n) {
    first.push_back(compared.enter(to_receiver(1 + 4 * (n % 8))));
    second.push_back(compared.enter(to_receiver(2 + 4 * (n % 8))));
  }
  compared.settle();
  REQUIRE(compared.shares().lockstep() <= 1);
  for (; !second.empty(); second.pop_back()) {
    const auto left = static_cast<double>(second.size());
    const double of_first = std::min(1 / (20 + left), 0.03);
    CHECK(compared.shares().rate(first.front()) == exactly(kNodeRate * of_first));
    CHECK(compared.shares().rate(second.front()) ==
          exactly(kNodeRate * (1 - 20 * of_first) / left));
    compared.leave(second.back());
    compared.settle();
  }
  CHECK(compared.shares().rate(first.front()) == exactly(0.03 * kNodeRate));
}

// System: the same, with a flow to another receiver that takes all that the first cable has left; and 20 flows beside the cables, when
// such a flow has all of the first cable and then a 21st comes over that.
// Expectation: that flow gives way to those in lockstep, down to an equal part: when 15 of the second cable are left; and at once.
TEST_CASE("max-min shares: flows in lockstep take from others what these cannot keep",
          "[physics]") {
  for (const bool is_there_before : {true, false}) {
    Compared compared(0.6 * kNodeRate);
    std::vector<std::uint32_t> second;
    for (std::uint32_t n = 0; n < 20; ++n) {
      if (is_there_before) compared.enter(to_receiver(1 + 4 * (n % 8)));
      second.push_back(compared.enter(to_receiver((is_there_before ? 2 : 0) + 4 * (n % 8))));
    }
    compared.settle();
    const auto other = compared.enter(to_other(5));
    compared.settle();
    CHECK(compared.shares().rate(other) == exactly((is_there_before ? 0.1 : 0.6) * kNodeRate));
    if (!is_there_before) {
      const auto late = compared.enter(to_receiver(9));
      compared.settle();
      CHECK(compared.shares().rate(late) == exactly(kNodeRate / 21));
      CHECK(compared.shares().rate(other) == exactly((0.6 - 1 / 21.0) * kNodeRate));
    }
    for (; is_there_before && second.size() > 10; second.pop_back()) {
      const double part = std::min(1 / (20 + static_cast<double>(second.size())), 0.6 / 21);
      CHECK(compared.shares().rate(other) == exactly(kNodeRate * (0.6 - 20 * part)));
      compared.leave(second.back());
      compared.settle();
    }
  }
}

// System: 20 flows in lockstep, of which one is left, over a cable that it shares with a flow to another receiver; then 20 come at once.
// Expectation: what is known of the first ones is forgotten: the two share the cable, and the other flow gets what the last one gives up.
TEST_CASE("max-min shares: flows that are few are not in lockstep any more", "[physics]") {
  Compared compared(0.6 * kNodeRate);
  const auto last = compared.enter(to_other(1));
  std::vector<std::uint32_t> others;
  for (std::uint32_t n = 0; n < 19; ++n)
    others.push_back(compared.enter({6 + 4 * (n % 8), kOtherReceiver}));
  compared.settle();
  REQUIRE(compared.shares().lockstep() == kOtherReceiver);
  for (const auto flow : others) compared.leave(flow);
  compared.settle();
  const auto beside = compared.enter(to_receiver(5));
  compared.settle();
  CHECK(compared.shares().rate(last) == exactly(0.3 * kNodeRate));
  for (std::uint32_t n = 0; n < 20; ++n) compared.enter({6 + 4 * (n % 8), kOtherReceiver});
  compared.settle();
  CHECK(compared.shares().rate(beside) == exactly((0.6 - 1 / 21.0) * kNodeRate));
}

}  // namespace reprise::test
