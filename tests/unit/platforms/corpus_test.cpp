// SPDX-License-Identifier: MIT
#include "tests/unit/platforms/corpus.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

using namespace reprise;
using namespace reprise::platforms;

namespace {
std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(REPRISE_CORPUS "/" + folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}
}  // namespace

TEST_CASE("load: every file of accepted/ is accepted", "[platforms]") {
  const auto names = files_in("accepted");
  CHECK(names.size() == 12);
  for (const std::string& name : names)
    CHECK_NOTHROW(load_platform(REPRISE_CORPUS "/accepted/" + name));
}

TEST_CASE("load: nodes in groups, their interfaces and every collective's algorithm are read",
          "[platforms]") {
  const Platform platform = corpus::platform("accepted/mixed_nodes.json");
  CHECK(platform.nodes.count == 3);
  CHECK(platform.nodes.relative_speed_of(1) == 1.5);
  CHECK(platform.nodes.relative_speed_of(2) == 1);
  CHECK(platform.nodes.core_speed_of(0) == FlopPerSecond{8.9e9});
  CHECK_FALSE(platform.nodes.core_speed_of(2));
  REQUIRE(platform.network->interface);
  CHECK(platform.network->interface->count == 2);
  CHECK(platform.network->interface->use == InterfaceUse::kStriped);
  CHECK(platform.network->interface->link.sharing == Sharing::kShared);
  CHECK(platform.collectives.rules.size() == 17);
}

TEST_CASE("load: what MPI costs inside a node is read beside what it costs between nodes",
          "[platforms]") {
  const Platform platform = corpus::platform("accepted/intra_node_mpi.json");
  const Mpi &inside = platform.intra_node_mpi, &between = platform.mpi;
  CHECK(platform.nodes.relative_speed == 0.5);
  CHECK(inside.eager_limit == Bytes{4096});
  CHECK(between.eager_limit == Bytes{65536});
  CHECK_FALSE(inside.rendezvous_handshake);
  CHECK(inside.progress == Progress::kInCalls);
  CHECK(inside.latency_factor(Bytes{2048}) == 1.5);
  CHECK(between.latency_factor(Bytes{2048}) == 1);
  CHECK(inside.bandwidth_factor(Bytes{2048}) == 0.8);
  CHECK(inside.copy_time(Bytes{8'000'000}).value == Approx(2e-3));
  CHECK(inside.acknowledgement(Bytes{4096}) == Seconds{0.1e-6});
  REQUIRE(inside.uncertainty);
  CHECK(inside.uncertainty->largest == 0.1);
}

TEST_CASE("load: a file that gives every key is read into every field", "[platforms]") {
  const Platform platform = corpus::platform("accepted/every_key.json");
  CHECK(platform.file == "accepted/every_key.json");
  CHECK(platform.name == "m");
  CHECK(platform.nodes.count == 3);
  CHECK(platform.nodes.cores == 2);
  CHECK(platform.nodes.core_speed == FlopPerSecond{8.9e9});
  CHECK(platform.intra_node.bandwidth == BytesPerSecond{10e9});
  CHECK(platform.intra_node.latency == Seconds{0.2e-6});
  CHECK(platform.intra_node.sharing == Sharing::kUncontended);
  REQUIRE(platform.network);
  CHECK(platform.network->link.bandwidth == BytesPerSecond{12.5e9});
  CHECK(platform.network->link.latency == Seconds{0.6e-6});
  CHECK(platform.network->link.sharing == Sharing::kShared);
  REQUIRE(platform.latency_weights() != nullptr);
  CHECK(*platform.latency_weights() == LatencyWeights{Bytes{8775}, Bytes{4 << 20}});
  const auto& levels = std::get<FatTree>(platform.network->topology).levels;
  REQUIRE(levels.size() == 2);
  CHECK(levels[0].down == 2);
  CHECK(levels[0].up == 1);
  CHECK(levels[0].parallel == 1);
  CHECK(levels[0].link.bandwidth == BytesPerSecond{12.5e9});  // the network's
  CHECK(levels[1].up == 2);
  CHECK(levels[1].parallel == 2);
  CHECK(levels[1].link.bandwidth == BytesPerSecond{25e9});
  CHECK(levels[1].link.latency == Seconds{90e-9});
  CHECK(levels[1].link.sharing == Sharing::kShared);
  CHECK(platform.mpi.eager_limit == Bytes{65536});
  CHECK(platform.mpi.send_overhead == Seconds{0.1e-6});
  CHECK(platform.mpi.recv_overhead == Seconds{0.1e-6});
  CHECK(platform.mpi.rendezvous_handshake);
  REQUIRE(platform.mpi.cold_caches.size() == 2);
  CHECK(platform.mpi.cold_caches[0] ==
        ColdCosts{Seconds{200e-6},
                  {{Bytes{0}, Seconds{0.4e-6}}, {Bytes{4096}, Seconds{0.9e-6}}},
                  {{Bytes{0}, Seconds{0.6e-6}}},
                  {{Bytes{65536}, Seconds{3e-6}}}});
  CHECK(platform.mpi.cold_caches[1].after == Seconds{1e-3});
  REQUIRE(platform.storage);
  CHECK(platform.storage->kind == Storage::Kind::kPerNode);
  CHECK(platform.storage->read_bandwidth == BytesPerSecond{3e9});
  CHECK(platform.storage->write_bandwidth == BytesPerSecond{2e9});
  CHECK(platform.storage->latency == Seconds{80e-6});
  CHECK(platform.storage->metadata_latency == Seconds{1e-3});
  CHECK(platform.storage->operation_cost == Seconds{2e-6});
  CHECK(platform.storage->per_client_bandwidth == BytesPerSecond{1.5e9});
}

TEST_CASE("load: one word goes over from shares by latency to even ones", "[platforms]") {
  Document document = corpus::document("accepted/every_key.json");
  document.value["network"]["sharing"] = "max_min";
  CHECK(parse_platform(document).latency_weights() == nullptr);
}

TEST_CASE("load: messages inside a node cost what MPI costs but for what the node's path says",
          "[platforms]") {
  const Platform platform = corpus::platform("accepted/every_key.json");
  CHECK(platform.intra_node_mpi.eager_limit == Bytes{4096});
  CHECK_FALSE(platform.intra_node_mpi.rendezvous_handshake);
  CHECK(platform.mpi.progress == Progress::kInCalls);
  CHECK(platform.intra_node_mpi.progress == Progress::kAsynchronous);
  CHECK(platform.intra_node_mpi.copy_bandwidth->value == 8e9);
  CHECK(platform.intra_node_mpi.send_overhead == platform.mpi.send_overhead);
  CHECK(&platform.mpi_between(1, 1) == &platform.intra_node_mpi);
  CHECK(&platform.mpi_between(1, 2) == &platform.mpi);
}

TEST_CASE("load: algorithms of collectives are kept as the file names them", "[platforms]") {
  const Platform platform = corpus::platform("accepted/every_key.json");
  CHECK(platform.reduction_bandwidth == BytesPerSecond{8e9});
  CHECK(platform.collectives.selection == "mpich-4.0");
  const auto& rules = platform.collectives.rules;
  REQUIRE(rules.size() == 3);
  CHECK(rules[0].operation == "bcast");
  CHECK(rules[0].algorithm == "knomial");
  CHECK(rules[0].pointer == "/mpi/collectives/bcast");
  CHECK_FALSE(rules[0].up_to);
  CHECK(rules[1].up_to == Bytes{8192});
  CHECK(rules[1].pointer == "/mpi/collectives/allreduce/0/algorithm");
  CHECK(rules[2].algorithm == "segmented_ring");
  CHECK(rules[2].segment == Bytes{1 << 20});
  CHECK(rules[2].fanout == 2);
}

TEST_CASE("load: a size factor holds from its size up to the next one's", "[platforms]") {
  const Platform platform = corpus::platform("accepted/every_key.json");
  CHECK(platform.mpi.latency_factor(Bytes{1023}) == 1.0);
  CHECK(platform.mpi.latency_factor(Bytes{1024}) == 1.5);
  CHECK(platform.mpi.bandwidth_factor(Bytes{0}) == 0.9);
  CHECK(platform.mpi.bandwidth_factor(Bytes{65535}) == 0.9);
  CHECK(platform.mpi.bandwidth_factor(Bytes{65536}) == 0.95);
}

TEST_CASE("load: what is said of the sources is kept with its place", "[platforms]") {
  std::vector<std::string> notes;
  for (const SourceNote& note : corpus::platform("accepted/every_key.json").sources)
    notes.push_back(note.pointer + ": " + note.text);
  CHECK(notes == std::vector<std::string>{
                     ": a test", "/nodes/core_speed: measured", "/nodes/count: counted",
                     "/mpi/eager_limit: documented", "/mpi/collectives: a guess",
                     "/intra_node: memory", "/intra_node/mpi: vader", "/network/link: cable",
                     "/network/topology/levels/1/link: spine", "/network/topology/levels/1: level",
                     "/network/topology: topology", "/network: network", "/storage: disk",
                     "/price: an offer", "/power: measured"});
}

TEST_CASE("load: what is left out has its documented default", "[platforms]") {
  const Platform platform = corpus::platform("accepted/star.json");
  CHECK_FALSE(platform.nodes.core_speed);
  CHECK(platform.intra_node.sharing == Sharing::kShared);
  CHECK(platform.network->link.sharing == Sharing::kFullDuplex);
  CHECK(platform.latency_weights() == nullptr);
  CHECK(platform.mpi.rendezvous_handshake);
  CHECK(platform.mpi.bandwidth_factor(Bytes{1 << 20}) == 1.0);
  CHECK(platform.collectives.selection == "recorded");
  CHECK(platform.collectives.rules.empty());
  CHECK_FALSE(platform.reduction_bandwidth);
  CHECK_FALSE(corpus::platform("accepted/single_node.json").network);
  CHECK_FALSE(platform.storage);
  const Platform stores = corpus::platform("accepted/storage.json");
  CHECK(stores.storage->kind == Storage::Kind::kShared);
  CHECK(stores.storage->metadata_latency == Seconds{200e-6});
  CHECK(stores.storage->operation_cost == Seconds{0});
  CHECK_FALSE(stores.storage->per_client_bandwidth);
}
