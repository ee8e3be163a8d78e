// SPDX-License-Identifier: MIT
// What a calibration keeps of its base: the costs inside a node, and the shape of the network.
#include "platforms/calibration/known_costs.hpp"

#include <catch2/catch.hpp>

#include "platforms/calibration/calibrated_platform.hpp"
#include "platforms/load.hpp"
#include "platforms/routes.hpp"

using namespace reprise;
using namespace reprise::platforms;
using nlohmann::ordered_json;

namespace {

// One way: 2 us and 1 GB/s.
Measurements measured_between() {
  std::vector<Sample> one_way;
  for (std::uint64_t bytes = 1; bytes <= 4 << 20; bytes *= 4)
    one_way.push_back({Bytes{bytes}, Seconds{2e-6 + static_cast<double>(bytes) * 1e-9}});
  Measurements measured;
  measured.series = {{Series::What::kOneWay, MeasuredPath::kInterNode, 1, "pingpong", "nodes.txt",
                      std::move(one_way)}};
  return measured;
}

Platform calibrated_on(const ordered_json& base) {
  const Calibration made =
      calibrate(measured_between(), {"made", 4, {}, Document{base, "base.json"}});
  return parse_platform({made.platform, "made.json"});
}

ordered_json node() {
  return {{"format", 1U},
          {"name", "node"},
          {"source", "measured inside a node"},
          {"nodes", {{"count", 1U}, {"cores", 8U}}},
          {"intra_node", {{"bandwidth", "9 GB/s"}, {"latency", "0.2 us"}}},
          {"mpi",
           {{"eager_limit", "4 KiB"},
            {"send_overhead", "0.1 us"},
            {"recv_overhead", "0.1 us"},
            {"collectives", {{"selection", "smpi"}}},
            {"source", "the probe"}}}};
}

ordered_json tree() {
  ordered_json made = node();
  made["nodes"]["count"] = 4U;
  made["network"] = {{"topology",
                      {{"kind", "fat_tree"},
                       {"levels",
                        {{{"down", 2U}, {"up", 1U}, {"link", {{"latency", "0.4 us"}}}},
                         {{"down", 2U},
                          {"up", 1U},
                          {"link", {{"bandwidth", "8 GB/s"}, {"latency", "1.2 us"}}}}}}}},
                     {"link", {{"bandwidth", "4 GB/s"}, {"latency", "0.1 us"}}}};
  return made;
}

}  // namespace

TEST_CASE("calibrate: costs inside a node stay the base's when others are measured between nodes",
          "[platforms]") {
  const Platform base = parse_platform({node(), "base.json"}), made = calibrated_on(node());
  CHECK(made.intra_node_mpi.eager_limit == base.mpi.eager_limit);
  CHECK(made.intra_node_mpi.send_overhead == base.mpi.send_overhead);
  CHECK(made.intra_node_mpi.recv_overhead == base.mpi.recv_overhead);
  CHECK(made.intra_node_mpi.latency_factor(Bytes{64}) == 1);
  CHECK(made.intra_node_mpi.bandwidth_factor(Bytes{64}) == 1);
  CHECK(made.intra_node_mpi.rendezvous_handshake == base.mpi.rendezvous_handshake);
  CHECK(made.mpi.send_overhead.value == Approx(0.25 * 2e-6).epsilon(0.01));
  CHECK(made.collectives.selection == "smpi");
}

TEST_CASE("calibrate: what the base overrides inside a node stays beside what it says of both",
          "[platforms]") {
  ordered_json base = node();
  base["mpi"]["cold_caches"] = {
      {{"after", "1 ms"}, {"send_overhead", {{{"bytes", "8 B"}, {"time", "1 us"}}}}}};
  base["mpi"]["acknowledgements"] = {{{"from", "1 B"}, {"time", "0.1 us"}}};
  base["intra_node"]["mpi"] = {{"send_overhead", "0.05 us"}, {"source", "by hand"}};
  const Platform before = parse_platform({base, "base.json"}), made = calibrated_on(base);
  CHECK(made.intra_node_mpi.send_overhead == Seconds{0.05e-6});
  CHECK(made.intra_node_mpi.recv_overhead == Seconds{0.1e-6});
  CHECK(made.intra_node_mpi.cold_caches == before.intra_node_mpi.cold_caches);
  CHECK(made.intra_node_mpi.acknowledgement(Bytes{1}) == Seconds{0.1e-6});
  // The base has no network: nothing tells that messages between nodes are cold or acknowledged.
  CHECK(made.mpi.cold_caches.empty());
  CHECK(made.mpi.acknowledgements.empty());
}

TEST_CASE("known costs: what is absent inside a node is not taken from between nodes",
          "[platforms]") {
  const ordered_json between = {{"eager_limit", "64 KiB"},
                                {"progress", "in_calls"},
                                {"acknowledgements", {{{"from", "1 B"}, {"time", "1 us"}}}},
                                {"cold_caches", {{{"after", "1 ms"}}}},
                                {"uncertainty", {{"typical", 0.1}, {"largest", 0.2}}}};
  const ordered_json inside = apart_from({{"eager_limit", "4 KiB"}, {"source", "S"}}, between);
  CHECK(inside == ordered_json{{"eager_limit", "4 KiB"},
                               {"progress", "asynchronous"},
                               {"acknowledgements", ordered_json::array()},
                               {"cold_caches", ordered_json::array()},
                               {"uncertainty", {{"typical", 0}, {"largest", 0}}},
                               {"source",
                                {{"eager_limit", "S"},
                                 {"progress", "none inside a node"},
                                 {"acknowledgements", "none inside a node"},
                                 {"cold_caches", "none inside a node"}}}});
  CHECK(apart_from(inside, between) == inside);
}

TEST_CASE("known costs: sources go with their keys", "[platforms]") {
  CHECK(overlaid({{"a", 1}, {"b", 2}, {"source", "old"}}, {{"b", 3}, {"source", {{"b", "new"}}}}) ==
        ordered_json{{"a", 1}, {"b", 3}, {"source", {{"a", "old"}, {"b", "new"}}}});
  CHECK(overlaid({{"a", 1}, {"source", {{"a", "old"}, {"gone", "left over"}}}}, {{"a", 2}}) ==
        ordered_json{{"a", 2}});
}

TEST_CASE("calibrate: a base's tree has the measured time between neighbours, and keeps its shape",
          "[platforms]") {
  const Platform made = calibrated_on(tree());
  const auto routes = make_route_table(made);
  Route neighbours, far;
  routes->find_route(0, 1, neighbours);
  routes->find_route(0, 3, far);
  // 2 us, of which a quarter each is assumed to be overhead; the upper cables have three times the latency and twice the bandwidth.
  CHECK(neighbours.latency.value == Approx(1e-6).epsilon(0.01));
  CHECK(neighbours.bandwidth.value == Approx(1e9).epsilon(0.01));
  CHECK(far.latency.value == Approx(4e-6).epsilon(0.01));
  CHECK(std::get<FatTree>(made.network->topology).levels[1].link.bandwidth.value ==
        Approx(2e9).epsilon(0.01));
}
