// SPDX-License-Identifier: MIT
// What the networks are built of: events in order, routes remembered, matching queues.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/collectives/node_map.hpp"
#include "sim/engine/point_to_point/matching.hpp"
#include "sim/network/event_heap.hpp"
#include "sim/network/network_model.hpp"
#include "sim/network/route_cache.hpp"
#include "sim/network/solo_flows.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {

TEST_CASE("event heap: events come by time, at one time in the order of their making",
          "[physics]") {
  std::mt19937_64 random(7);
  sim::EventHeap heap;
  using Expected = std::tuple<double, std::uint64_t, std::uint8_t>;
  std::vector<Expected> waiting;
  std::uint64_t made = 0;
  for (int step = 0; step < 20000; ++step) {
    if (waiting.empty() || random() % 5 < 3) {
      const double time = static_cast<double>(random() % 50) / 8;
      const auto kind = static_cast<std::uint8_t>(random() % 8);
      heap.push(time, kind, made);
      waiting.emplace_back(time, made++, kind);
      continue;
    }
    const auto first = std::min_element(waiting.begin(), waiting.end());
    const auto event = heap.top();
    REQUIRE(std::tuple(event.time(), event.id, event.kind()) == *first);
    waiting.erase(first);
    heap.pop();
    REQUIRE(heap.size() == waiting.size());
  }
}

TEST_CASE("event heap: the event that is next was announced as next, or made or left last",
          "[physics]") {
  sim::EventHeap heap;
  for (std::uint64_t i = 0; i < 1000; ++i) heap.push(static_cast<double>(i * 7919 % 1000), 0, i);
  std::uint64_t announced = ~std::uint64_t{0};
  std::size_t right = 0;
  while (heap.size() > 1) {
    heap.pop([&](unsigned steps, const sim::EventHeap::Event& risen) {
      if (steps == 0) announced = risen.id;
    });
    if (heap.top().id == announced) ++right;
  }
  CHECK(right >= 990);
}

TEST_CASE("event heap: where it is indexed, events move, and go, wherever they are", "[physics]") {
  std::mt19937_64 random(9);
  sim::IndexedEventHeap heap;
  std::map<std::uint64_t, sim::TimedEvent> waiting;  // by id
  for (int step = 0; step < 20000; ++step) {
    const std::uint64_t id = random() % 200;
    if (random() % 4 != 0) {
      const auto event = heap.made_now(static_cast<double>(random() % 50) / 8, 1, id);
      heap.set(event);
      waiting.insert_or_assign(id, event);
    } else {
      heap.remove(id);
      waiting.erase(id);
    }
    REQUIRE(heap.size() == waiting.size());
    if (waiting.empty()) continue;
    const auto first = std::min_element(
        waiting.begin(), waiting.end(),
        [](const auto& a, const auto& b) { return a.second.key() < b.second.key(); });
    REQUIRE(heap.top().id == first->first);
    REQUIRE(heap.top().key() == first->second.key());
    if (step % 5 == 0) {
      heap.pop();
      waiting.erase(first);
    }
  }
}

TEST_CASE("event heap: many events set at once come in the order in which they would one by one",
          "[physics]") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    sim::IndexedEventHeap one_by_one, at_once;
    const std::uint64_t ids = 1 + random() % 60;
    const auto event = [&](std::uint64_t id) {
      return one_by_one.made_now(static_cast<double>(random() % 20), 1, id);
    };
    for (std::uint64_t id = 0; id < ids; ++id)
      if (random() % 3 != 0) {
        const auto first = event(id);
        one_by_one.set(first);
        at_once.set(first);
      }
    for (std::uint64_t id = 0; id < ids; ++id)
      if (random() % 4 != 0) {
        const auto second = event(id);
        one_by_one.set(second);
        at_once.set_among(round % 2 == 0 ? ids : 1, second);
      }
    at_once.order();
    at_once.remove(ids / 2);
    one_by_one.remove(ids / 2);
    REQUIRE(at_once.size() == one_by_one.size());
    for (; !at_once.empty(); at_once.pop(), one_by_one.pop()) {
      REQUIRE(at_once.top().id == one_by_one.top().id);
      REQUIRE(at_once.top().key() == one_by_one.top().key());
    }
  }
}

namespace {

// All pairs, near ones more often, so that partners are learned, crowded out and learned again; and others in their order, again and again, few of them
// and so many that each has been crowded out before it comes again.
void compare_with_table(const platforms::Platform& machine) {
  const auto table = platforms::make_route_table(machine);
  sim::RouteCache routes(*table);
  sim::RouteCostCache ways(*table);
  std::mt19937_64 random(3);
  platforms::Route expected;
  for (int i = 0; i < 20000; ++i) {
    const auto from = static_cast<platforms::NodeIndex>(random() % 3);
    const std::uint64_t many = i % 2 == 0 ? 9 : table->end_count();
    const bool is_in_order = i / 1000 % 2 == 1;
    const auto to = static_cast<platforms::NodeIndex>(
        is_in_order ? static_cast<std::uint64_t>(i) % (i / 2000 % 2 == 0 ? 11 : 150)
                    : random() % many);
    if (is_in_order) routes.prepare(from);
    table->find_route(from, to, expected);
    routes.prepare(from, to);  // of one that is not known, too
    const auto route = routes.find(from, to);
    REQUIRE(std::vector<platforms::LinkIndex>(route.links.begin(), route.links.end()) ==
            expected.links);
    REQUIRE((route.latency == expected.latency && route.bandwidth == expected.bandwidth));
    const auto& way = ways.find(from, to);
    REQUIRE((way.latency == expected.latency.value && way.bandwidth == expected.bandwidth.value));
  }
}

}  // namespace

TEST_CASE("route cache: what is remembered is what the route table says", "[physics]") {
  compare_with_table(fat_tree(16, 16));
  platforms::Platform torus = star(900);
  torus.network->topology = platforms::Torus{
      {{30, torus.network->link},
       {30, torus.network->link}}};  // routes of up to 30 links, outside the places
  compare_with_table(torus);
}

// Routes of a star: node 0's link and another's; the contended ones are what flows meet on.
TEST_CASE("solo flows: a flow is alone where nobody else is on its contended links", "[physics]") {
  for (const auto sharing : {platforms::Sharing::kShared, platforms::Sharing::kUncontended}) {
    const auto machine = star(4, 1, sharing);
    const auto routes = platforms::make_route_table(machine);
    sim::SoloFlows flows(*routes);
    const auto links = [&](platforms::NodeIndex from, platforms::NodeIndex to) {
      platforms::Route route;
      routes->find_route(from, to, route);
      return std::vector<platforms::LinkIndex>(route.links.begin(), route.links.end());
    };
    std::vector<std::uint32_t> disturbed;
    const auto enter = [&](std::uint32_t flow, const std::vector<platforms::LinkIndex>& route) {
      return flows.enter(flow, route, [&](std::uint32_t other) { disturbed.push_back(other); });
    };
    const bool meet = sharing == platforms::Sharing::kShared;
    CHECK(flows.is_free(links(0, 1)));
    CHECK(enter(7, links(0, 1)));
    CHECK(flows.is_free(links(0, 2)) == !meet);
    CHECK(flows.is_free(links(2, 3)));
    CHECK(enter(8, links(0, 2)) == !meet);
    CHECK(disturbed == (meet ? std::vector<std::uint32_t>{7} : std::vector<std::uint32_t>{}));
    flows.leave(links(0, 1));
    flows.leave(links(0, 2));
    CHECK(flows.is_free(links(0, 1)));
  }
}

// System: two ranks on the two sockets of one node; the network's factors stretch latency and bandwidth, the node's own do not.
// Expectation: the node's: o_s + (latencies of socket, middle, socket) + n / (narrowest) + o_r.
TEST_CASE("network: between the sockets of a node the node's own factors hold", "[physics]") {
  platforms::Platform machine = star(2, 2);
  machine.nodes.sockets = 2;
  machine.inter_socket = {BytesPerSecond{kNodeBandwidth / 2}, Seconds{1e-7},
                          platforms::Sharing::kShared};
  machine.mpi.latency_factors = {{Bytes{0}, 3.0}};
  machine.mpi.bandwidth_factors = {{Bytes{0}, 0.25}};
  for (const auto network :
       {sim::NetworkKind::flow, sim::NetworkKind::fluid, sim::NetworkKind::queue,
        sim::NetworkKind::uncontended, sim::NetworkKind::simgrid}) {
    sim::ReplaySettings settings;
    settings.network = network;
    const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Send peer=1 bytes=8000
        ranks 1: MPI_Recv peer=0 bytes=8000)",
                                        machine, settings);
    CHECK(finish(outcome, 1) == near(kSendOverhead + 2 * kNodeLatency + 1e-7 +
                                     8000 / (kNodeBandwidth / 2) + kReceiveOverhead));
  }
}

// System: delays that end within one instant as a network counts it, the last double before each other.
TEST_CASE("network: events of one instant are each delivered with their own time", "[physics]") {
  struct Ends : sim::NetworkListener {
    explicit Ends(const sim::Network& net) : network(net) {}
    void on_head(sim::EventId) override {}
    void on_tail(sim::EventId) override {}
    void on_delay_end(sim::EventId id) override { times.emplace_back(id, network.now().value); }
    const sim::Network& network;
    std::vector<std::pair<sim::EventId, double>> times;
  };
  const double first = 1.5, second = std::nextafter(first, 2), third = std::nextafter(second, 2);
  for (const auto kind : {sim::NetworkKind::flow, sim::NetworkKind::fluid, sim::NetworkKind::queue,
                          sim::NetworkKind::uncontended}) {
    const auto network = sim::model_of(kind).make(star(2), {});
    network->start_delay(Seconds{third}, 3);
    network->start_delay(Seconds{first}, 1);
    network->start_delay(Seconds{second}, 2);
    Ends ends(*network);
    network->run(ends);
    CHECK(ends.times ==
          std::vector<std::pair<sim::EventId, double>>{{1, first}, {2, second}, {3, third}});
  }
}

TEST_CASE("node map: members by node, nodes in the order of their leaders", "[collectives]") {
  const std::vector<std::uint32_t> nodes{7, 3, 7, 7, 3};
  const sim::NodeMap map(nodes);
  const auto members = [&](std::int32_t node) {
    const auto span = map.members(node);
    return std::vector<std::int32_t>(span.begin(), span.end());
  };
  CHECK(map.node_count() == 2);
  CHECK(std::vector<std::int32_t>(map.leaders().begin(), map.leaders().end()) ==
        std::vector<std::int32_t>{0, 1});
  CHECK(members(0) == std::vector<std::int32_t>{0, 2, 3});
  CHECK(members(1) == std::vector<std::int32_t>{1, 4});
  CHECK(map.node(4) == 1);
  CHECK(map.place(3) == 2);
  CHECK(map.place(4) == 1);
  CHECK(map.has_levels());
  const std::vector<std::uint32_t> one_node{5, 5, 5}, one_each{5, 6, 7}, alone{5};
  CHECK_FALSE(sim::NodeMap(one_node).has_levels());
  CHECK_FALSE(sim::NodeMap(one_each).has_levels());
  CHECK_FALSE(sim::NodeMap(alone).has_levels());
}

}  // namespace reprise::test
