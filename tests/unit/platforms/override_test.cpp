// SPDX-License-Identifier: MIT
#include "platforms/override.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/platforms/corpus.hpp"

using namespace reprise;
using namespace reprise::platforms;

namespace {

Document star() { return corpus::document("accepted/star.json"); }

std::string set_problem(const std::string& argument) {
  return corpus::message_of([&] {
    Document document = star();
    apply_set(document, argument, "--set");
    parse_platform(document);
  });
}

std::string value_at(const Document& document, const std::string& pointer) {
  return document.value.at(nlohmann::json::json_pointer(pointer)).dump();
}

}  // namespace

TEST_CASE("override: a text is set with or without quotes", "[platforms]") {
  Document document = star();
  apply_set(document, "/network/link/latency=0.3 us", "--set");
  CHECK(value_at(document, "/network/link/latency") == "\"0.3 us\"");
  apply_set(document, "/network/link/latency=\"2 us\"", "--set");
  CHECK(parse_platform(document).network->link.latency == Seconds{2e-6});
}

TEST_CASE("override: the choice of collective algorithms may be added", "[platforms]") {
  Document document = star();
  apply_set(document, "/mpi/collectives/selection=mpich-4.0", "--set");
  apply_set(document, "/mpi/collectives/bcast=chain", "--set");
  apply_set(document, R"(/mpi/collectives/allreduce=[{"up_to": "8 KiB", "algorithm": "ring"}])",
            "--set");
  apply_set(document, "/mpi/reduction_bandwidth=5 GB/s", "--set");
  const Platform platform = parse_platform(document);
  CHECK(platform.collectives.selection == "mpich-4.0");
  CHECK(platform.collectives.rules.size() == 2);
  CHECK(platform.reduction_bandwidth == BytesPerSecond{5e9});
  CHECK(set_problem("/mpi/collectives/alreduce=ring") ==
        "accepted/star.json at /mpi/collectives: unknown key \"alreduce\"\n  did you mean "
        "\"allreduce\"?");
}

TEST_CASE("override: a count, a flag's place and a whole object are set as JSON", "[platforms]") {
  Document document = star();
  apply_set(document, "/nodes/count=16", "--set");
  apply_set(document,
            "/network/topology={\"kind\":\"fat_tree\",\"levels\":[{\"down\":16,\"up\":1}]}",
            "--set");
  const Platform platform = parse_platform(document);
  CHECK(platform.nodes.count == 16);
  CHECK(std::get<FatTree>(platform.network->topology).room() == 16);
}

TEST_CASE("override: a value may hold an equals sign", "[platforms]") {
  Document document = star();
  apply_set(document, "/name=a=b", "--set");
  CHECK(parse_platform(document).name == "a=b");
}

TEST_CASE("override: a setting that the file leaves out is added where the schema knows it",
          "[platforms]") {
  Document document = star();
  apply_set(document, "/mpi/copy_bandwidth=9 GB/s", "--set");
  apply_set(document, "/power/idle=0.2", "--set");
  apply_set(document, "/intra_node/mpi/eager_limit=4 KiB", "--set");
  apply_set(document,
            R"(/storage={"kind": "shared", "latency": "1 ms", "read_bandwidth": "1 GB/s",)"
            R"( "write_bandwidth": "2 GB/s"})",
            "--set");
  CHECK(value_at(document, "/mpi/copy_bandwidth") == "\"9 GB/s\"");
  CHECK(value_at(document, "/power/idle") == "0.2");  // "0.2 kW" is for the parser to ask for
  CHECK(value_at(document, "/intra_node/mpi/eager_limit") == "\"4 KiB\"");
  CHECK(value_at(document, "/storage/write_bandwidth") == "\"2 GB/s\"");
  // Keys of the schema at a place where it does not have them: the parser says so.
  CHECK(set_problem("/network/link/eager_limit=4 KiB") ==
        "accepted/star.json at /network/link: unknown key \"eager_limit\"\n"
        "  known here: bandwidth, latency, sharing, source");
}

TEST_CASE("override: a misspelt pointer is refused with each part put right", "[platforms]") {
  CHECK(set_problem("/network/link/bandwith=1 GB/s") ==
        "--set: accepted/star.json has no setting \"/network/link/bandwith\"\n"
        "  did you mean \"/network/link/bandwidth\"?");
  CHECK(set_problem("/netwrk/lnik/latncy=1 us") ==
        "--set: accepted/star.json has no setting \"/netwrk/lnik/latncy\"\n"
        "  did you mean \"/network/link/latency\"?");
}

TEST_CASE("override: the end of a pointer is refused with the whole", "[platforms]") {
  CHECK(set_problem("/link/latency=1 us") ==
        "--set: accepted/star.json has no setting \"/link/latency\"\n  did you mean "
        "\"/network/link/latency\"?");
}

TEST_CASE("override: any other pointer that leads nowhere is refused with what there is",
          "[platforms]") {
  CHECK(set_problem("/network/topology/levels/0/down=4") ==
        "--set: accepted/star.json has no setting \"/network/topology/levels/0/down\"\n"
        "  known in /network/topology: kind");
  CHECK(set_problem("/zz=1") ==
        "--set: accepted/star.json has no setting \"/zz\"\n"
        "  known in /: format, intra_node, mpi, name, network, nodes, source");
  CHECK(set_problem("/nodes/count/0=1") ==
        "--set: accepted/star.json has no setting \"/nodes/count/0\"\n  /nodes/count is the number "
        "4");
  Document document = corpus::document("accepted/fat_tree.json");
  CHECK(corpus::message_of(
            [&] { apply_set(document, "/network/topology/levels/00/up=1", "--set"); }) ==
        "--set: accepted/fat_tree.json has no setting \"/network/topology/levels/00/up\"\n"
        "  did you mean \"/network/topology/levels/0/up\"?");
  CHECK(corpus::message_of([&] { apply_set(document, "/network/topology/levels/-=1", "--set"); }) ==
        "--set: accepted/fat_tree.json has no setting \"/network/topology/levels/-\"\n"
        "  known in /network/topology/levels: 0, 1");
}

TEST_CASE("override: what is not POINTER=VALUE is refused", "[platforms]") {
  CHECK(set_problem("/nodes/count") ==
        "--set: \"/nodes/count\" sets nothing\n  write POINTER=VALUE such as "
        "\"/network/link/latency=0.3 us\"");
  CHECK(
      set_problem("nodes/count=3") ==
      "--set: \"nodes/count\" is not a setting\n  write a path such as \"/network/link/latency\"");
  CHECK(set_problem("=3") ==
        "--set: \"\" is not a setting\n  write a path such as \"/network/link/latency\"");
}

TEST_CASE("override: a value of another kind is refused, by the setter or by the parser",
          "[platforms]") {
  CHECK(set_problem("/nodes/count=many") ==
        "--set: \"many\" is not a value that can replace the number 4\n  write numbers, true and "
        "false as they are and texts in double quotes");
  CHECK(set_problem("/nodes/count=0") ==
        "accepted/star.json at /nodes/count: 0 is not between 1 and 1000000");
  CHECK(set_problem("/network/link/latency=3") ==
        "accepted/star.json at /network/link/latency: \"3\" has no unit\n"
        "  write a time such as \"0.6 us\" or \"20 ms\"");
}

TEST_CASE("override: a quantity is multiplied and keeps its unit", "[platforms]") {
  Document document = star();
  multiply_value(document, "/network/link/latency", 0.5, "");
  CHECK(value_at(document, "/network/link/latency") == "\"0.3 us\"");
  multiply_value(document, "/network/link/bandwidth", 2, "");
  CHECK(value_at(document, "/network/link/bandwidth") == "\"25 GB/s\"");
}

TEST_CASE("override: a count stays a count where the product is one", "[platforms]") {
  Document document = star();
  multiply_value(document, "/nodes/count", 1.5, "");
  CHECK(value_at(document, "/nodes/count") == "6");
  CHECK(parse_platform(document).nodes.count == 6);
  multiply_value(document, "/nodes/count", 0.25, "");
  CHECK(corpus::message_of([&] { parse_platform(document); }) ==
        "accepted/star.json at /nodes/count: expected a whole number, found the number 1.5");
}

TEST_CASE("override: what has no number cannot be multiplied", "[platforms]") {
  Document document = star();
  CHECK(corpus::message_of([&] { multiply_value(document, "/name", 2, "scenario"); }) ==
        "scenario: \"/name\" cannot be multiplied: it is the text \"m\"");
  CHECK(corpus::message_of([&] { multiply_value(document, "/network", 2, "scenario"); }) ==
        "scenario: \"/network\" cannot be multiplied: it is an object");
}

TEST_CASE("override: a relative change reaches every link of the network and no other",
          "[platforms]") {
  Document document = corpus::document("accepted/every_key.json");
  multiply_links(document, "latency", 2, "--latency");
  const Platform platform = parse_platform(document);
  CHECK(platform.network->link.latency == Seconds{1.2e-6});
  CHECK(std::get<FatTree>(platform.network->topology).levels[1].link.latency == Seconds{180e-9});
  CHECK(platform.intra_node.latency == Seconds{0.2e-6});
}

TEST_CASE("override: without a network a relative change reaches the node's own path",
          "[platforms]") {
  Document document = corpus::document("accepted/single_node.json");
  multiply_links(document, "bandwidth", 0.5, "--bandwidth");
  CHECK(parse_platform(document).intra_node.bandwidth == BytesPerSecond{5e9});
}

TEST_CASE("override: the document it is given must parse before a relative change", "[platforms]") {
  Document document = parse_document(R"({"network": 3})", "f");
  CHECK(corpus::message_of([&] { multiply_links(document, "latency", 2, "--latency"); }) ==
        "f: the keys \"format\", \"name\", \"source\", \"nodes\", \"intra_node\" and \"mpi\" are "
        "missing");
}

TEST_CASE("override: overheads include what computing before a call adds to them", "[platforms]") {
  Document document = corpus::document("accepted/every_key.json");
  multiply_overheads(document, 0.5, "--overhead");
  const Platform platform = parse_platform(document);
  CHECK(platform.mpi.send_overhead == Seconds{0.05e-6});
  const auto& levels = platform.mpi.cold_caches;
  CHECK(levels[0].send_overhead[1].time == Seconds{0.45e-6});
  CHECK(levels[0].recv_overhead[0].time == Seconds{0.3e-6});
  CHECK(levels[0].copy[0].time == Seconds{3e-6});
  CHECK(levels[1].send_overhead[0].time == Seconds{0.7e-6});
}
