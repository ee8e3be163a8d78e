// SPDX-License-Identifier: MIT
// One slow cable, in closed form: what messages on it take is their own transfer, not sharing, and the answer names it.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "platforms/link_name.hpp"
#include "sim/experiment/answer.hpp"
#include "sim/experiment/details/critical_path.hpp"
#include "sim/experiment/details/links.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

using sim::PathPart;

constexpr double kWholeMessage = 1e6, kSlow = 0.1;
constexpr double kSlowBody = kWholeMessage / (kSlow * kBandwidth);
const std::string kPairs = R"(ranks 0: MPI_Send peer=1 bytes=1000000
  ranks 1: MPI_Recv peer=0 bytes=1000000
  ranks 2: MPI_Send peer=3 bytes=1000000
  ranks 3: MPI_Recv peer=2 bytes=1000000)";
// Ranks 0 and 2 send to rank 1 at the same time.
const std::string kTwoAtOnce = R"(ranks 0: MPI_Send peer=1 bytes=1000000
  ranks 2: MPI_Send peer=1 bytes=1000000
  ranks 1: MPI_Irecv peer=0 bytes=1000000 request=0
  ranks 1: MPI_Irecv peer=2 bytes=1000000 request=1
  ranks 1: MPI_Waitall requests=[0, 1])";

trace_io::Trace program(const std::string& calls) {
  return trace_io::assemble("reprise-text 1\nranks 4\nthread 0 {\n" + calls + "\n}\n", "test");
}

sim::LinkChange slow(const sim::NumberRanges& cables, sim::TimeSpan when = {}) {
  return {"s", "node", cables, when, kSlow, 1};
}

sim::Answer answered(const trace_io::Trace& trace, sim::NetworkKind network,
                     const std::vector<sim::LinkChange>& links) {
  sim::ReplaySettings settings;
  settings.network = network;
  settings.conditions.links = links;
  sim::AnswerRequest request;
  request.details = sim::parse_details("critical-path,links");
  return sim::replayed(trace, star(4), settings, request);
}

sim::LinkClassUse use_of(const sim::Answer& answer, const std::string& name) {
  for (const auto& one : answer.figure<sim::LinkUse>()->classes)
    if (one.name == name) return one;
  FAIL("no such class of links");
  return {};
}

constexpr sim::NetworkKind kTimedByUs[] = {sim::NetworkKind::flow, sim::NetworkKind::fluid,
                                           sim::NetworkKind::queue, sim::NetworkKind::uncontended};

}  // namespace

TEST_CASE("slow links: a message on one is slow by itself, and the path names it", "[physics]") {
  for (const auto network : kTimedByUs) {
    INFO(name_of(network));
    const auto answer = answered(program(kPairs), network, {slow({{1, 1}})});
    const auto& path = *answer.figure<sim::CriticalPathParts>();
    CHECK(path.sum_of(PathPart::transfer) == near(kSlowBody));
    CHECK(path.sum_of(PathPart::sharing) == 0);
    CHECK(path.why_not.empty());
    CHECK(path.gradient_of(sim::Parameter::bandwidth) == near(-kSlowBody));
    CHECK(path.shares.front().where == "node down");
    CHECK(path.shares.front().link == "node 1");
    CHECK(path.rows()[0]["link"] == "node 1");
    CHECK(path.text().find("transfer, node down (node 1) of MPI_Send") != std::string::npos);
    for (const auto& share : path.shares)
      if (share.part != PathPart::transfer) CHECK(share.link.empty());
  }
}

TEST_CASE("slow links: all of a class are its bandwidth, and none is named", "[physics]") {
  const auto answer = answered(program(kPairs), sim::NetworkKind::flow, {slow({})});
  const auto& path = *answer.figure<sim::CriticalPathParts>();
  CHECK(path.sum_of(PathPart::transfer) == near(kSlowBody));
  CHECK(path.sum_of(PathPart::sharing) == 0);
  for (const auto& share : path.shares) CHECK(share.link.empty());
  CHECK(use_of(answer, "node down").busiest_link.empty());
}

TEST_CASE("slow links: what messages on one do to each other is sharing", "[physics]") {
  for (const auto network :
       {sim::NetworkKind::flow, sim::NetworkKind::fluid, sim::NetworkKind::queue}) {
    INFO(name_of(network));
    const auto answer = answered(program(kTwoAtOnce), network, {slow({{1, 1}})});
    const auto& path = *answer.figure<sim::CriticalPathParts>();
    CHECK(path.sum_of(PathPart::transfer) == near(kSlowBody));
    CHECK(path.sum_of(PathPart::sharing) == near(kSlowBody));
    CHECK(use_of(answer, "node down").busy_share ==
          near(2 * kSlowBody / answer.outcome.predicted_time.value));
  }
}

TEST_CASE("slow links: one that recovers meanwhile is the message's own time as well",
          "[physics]") {
  // 4 ms at a tenth leave 0.6 MB, sent at the full bandwidth: less the time before the body begins.
  constexpr double kUntil = 4e-3;
  for (const auto network : kTimedByUs) {
    INFO(name_of(network));
    const auto answer = answered(program(kPairs), network, {slow({{1, 1}}, {0, kUntil})});
    const auto& path = *answer.figure<sim::CriticalPathParts>();
    const double begin = kSendOverhead + 3 * kLatency;
    const double body =
        kUntil - begin + (kWholeMessage - (kUntil - begin) * kSlow * kBandwidth) / kBandwidth;
    CHECK(path.sum_of(PathPart::transfer) == near(body));
    // The queue's links take a message one after the other, so it is at this one one link's latency later than at the first.
    const double shifted = network == sim::NetworkKind::queue ? (1 - kSlow) * kLatency / 2 : 0;
    CHECK(path.sum_of(PathPart::sharing) == near(shifted));
    CHECK(path.shares.front().link == "node 1");
  }
}

TEST_CASE("slow links: latencies are those of the links as they are", "[physics]") {
  for (const auto network : kTimedByUs) {
    INFO(name_of(network));
    sim::LinkChange far = slow({{1, 1}});
    far.bandwidth = 1;
    far.latency = 100;
    const auto answer = answered(program(kPairs), network, {far});
    const auto& path = *answer.figure<sim::CriticalPathParts>();
    CHECK(path.sum_of(PathPart::transfer) == near(kWholeMessage / kBandwidth));
    CHECK(path.sum_of(PathPart::sharing) == 0);
    CHECK(path.sum_of(PathPart::latency) == near(kLatency / 2 * 101));
  }
}

TEST_CASE("slow links: a link is busy by its own bandwidth, and the busiest is named",
          "[physics]") {
  for (const auto network : kTimedByUs) {
    INFO(name_of(network));
    const auto answer = answered(program(kPairs), network, {slow({{1, 1}})});
    const double run = answer.outcome.predicted_time.value;
    const auto down = use_of(answer, "node down");
    CHECK(down.busy_share == near(kSlowBody / run));
    CHECK(down.next_busy_share == near(kWholeMessage / kBandwidth / run));
    CHECK(down.busiest_link == "node 1");
    CHECK(down.busiest_bandwidth == kSlow);
    CHECK(down.mean_busy_share == near((down.busy_share + down.next_busy_share) / 4));
    CHECK(use_of(answer, "node up").busiest_link.empty());  // two nodes send as much
    const auto& links = *answer.figure<sim::LinkUse>();
    CHECK(links.text().find("busiest of node down: node 1, at 10% of the platform's bandwidth; "
                            "the next is busy for ") != std::string::npos);
    CHECK(links.json()[0]["busiest_link"] == "node 1");
    CHECK(links.json()[0]["busiest_bandwidth"] == kSlow);
  }
}

TEST_CASE("slow links: one that carries most is named at the platform's bandwidth, too",
          "[physics]") {
  const auto down = use_of(answered(program(kTwoAtOnce), sim::NetworkKind::flow, {}), "node down");
  CHECK(down.busiest_link == "node 1");
  CHECK(down.busiest_bandwidth == 1);
  CHECK(down.next_busy_share == 0);
}

TEST_CASE("slow links: a link is called by its node, else by its number", "[physics]") {
  const auto star_routes = platforms::make_route_table(star(3, 2));
  platforms::Route route;
  star_routes->find_route(2, 1, route);
  REQUIRE(route.links.size() == 2);
  CHECK(platforms::link_name(*star_routes, route.links[0]) == "node 2");
  CHECK(platforms::link_name(*star_routes, route.links[1]) == "node 1");
  CHECK(platforms::link_name(*star_routes, 2) == "node 2");  // the path inside it
  const auto tree_routes = platforms::make_route_table(fat_tree(2, 2));
  tree_routes->find_route(3, 0, route);
  REQUIRE(route.links.size() == 4);
  CHECK(platforms::link_name(*tree_routes, route.links[0]) == "node 3");
  CHECK(platforms::link_name(*tree_routes, route.links[1]) == "number 1");
  CHECK(platforms::link_name(*tree_routes, route.links[2]) == "number 0");
  CHECK(platforms::link_name(*tree_routes, route.links[3]) == "node 0");
}

}  // namespace reprise::test
