// SPDX-License-Identifier: MIT
// Crowds of messages on the fluid network: solved as flow's are, from when they go over from link to link again and again, or links are behind.
#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/network/local_shares.hpp"
#include "sim/network/network_model.hpp"
#include "tests/physics/crowds.hpp"
#include "tests/physics/near.hpp"

namespace reprise::test {
namespace {

constexpr double kFluidTolerance = 1e-3;

sim::LinkChange slower_up() {
  sim::LinkChange slower;
  slower.links = "level 1 up";
  slower.when.from = 1e-4;
  slower.bandwidth = 0.25;
  return slower;
}

double mean_tail(const std::vector<double>& tails) {
  return std::accumulate(tails.begin(), tails.end(), 0.0) / static_cast<double>(tails.size());
}

double last_tail(const std::vector<double>& tails) {
  return *std::max_element(tails.begin(), tails.end());
}

// The last message, and all in the mean.
void check_near_flow(const CrowdedTails& fluid, const CrowdedTails& flow, double near) {
  CHECK(fluid.crowds > 0);
  CHECK(mean_tail(fluid.tails) == Approx(mean_tail(flow.tails)).epsilon(near));
  CHECK(last_tail(fluid.tails) == Approx(last_tail(flow.tails)).epsilon(near));
}

}  // namespace

// System: 160 nodes, 25 440 messages, over few cables.
// Expectation: links look at their messages as these come and go, but messages go over again and again; the crowd comes out as flow's does.
TEST_CASE("fluid: a crowd's messages come when flow's do", "[physics]") {
  for (const bool sizes_differ : {false, true}) {
    const auto fluid = all_to_all(sim::kFluidNetwork, kFluidTolerance, 10, 16, 4, sizes_differ),
               flow = all_to_all(sim::kFlowNetwork, kFluidTolerance, 10, 16, 4, sizes_differ);
    check_near_flow(fluid, flow, 1e-3);
  }
}

// System: 30 messages over two links, of which each in turn becomes the slower one, so that all go over to it 3000 times; beside none or 1000 free links.
// Expectation: that is a crowd, but where there are more links than messages: its solutions would visit them all.
TEST_CASE("fluid: fewer messages than links are no crowd", "[physics]") {
  for (const std::size_t free_links : {0U, 1000U}) {
    sim::LocalShares shares(2 + free_links);
    const std::vector<std::uint32_t> both{0, 1};
    for (const auto link : both) shares.set_capacity(link, 1e9);
    for (std::uint32_t flow = 0; flow < 30; ++flow) shares.enter(flow, both, 1e12, 0);
    for (int change = 1; change <= 3000; ++change) {
      shares.set_capacity(0, change % 2 == 0 ? 2e9 : 0.5e9);
      shares.settle(1e-6 * change, [](std::uint32_t, double) {});
    }
    CHECK(shares.are_crowd() == (free_links == 0));
  }
}

// System: links become slow while many messages are on each of them, and for long none of these ends.
// Expectation: all are slower at once. (Looking at a link's messages only as some come and go made the mean a third too early.)
TEST_CASE("fluid: links with many messages that change do so at once", "[physics]") {
  const auto slower = slower_up();
  for (const std::uint32_t leaves : {4U, 6U})
    for (const bool sizes_differ : {false, true}) {
      const auto fluid = all_to_all(sim::kFluidNetwork, 0, leaves, 12, 6, sizes_differ, &slower),
                 flow = all_to_all(sim::kFlowNetwork, 0, leaves, 12, 6, sizes_differ, &slower);
      check_near_flow(fluid, flow, 1e-3);
    }
}

// System: all messages begin at one instant, at the start or a minute later, and then there is nothing for long.
// Expectation: shares are right from the beginning. (Of single messages the mean was 8 % too early.)
TEST_CASE("fluid: very many messages that begin at one instant have their shares at once",
          "[physics]") {
  for (const double start : {0.0, 60.0})
    for (const bool sizes_differ : {false, true}) {
      const auto durations = [&](const sim::NetworkModel& model) {
        auto found = all_to_all(model, 0, 6, 12, 4, sizes_differ, nullptr, nullptr, start);
        for (double& tail : found.tails) tail -= start;
        return found;
      };
      check_near_flow(durations(sim::kFluidNetwork), durations(sim::kFlowNetwork), 1e-3);
    }
}

TEST_CASE("fluid: a crowd comes out alike each time", "[physics]") {
  const auto slower = slower_up();
  const auto once = all_to_all(sim::kFluidNetwork, 0, 4, 12, 6, true, &slower);
  CHECK(once.tails == all_to_all(sim::kFluidNetwork, 0, 4, 12, 6, true, &slower).tails);
}

}  // namespace reprise::test
