// SPDX-License-Identifier: MIT
// Ranks placed by a file.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "platforms/placement.hpp"
#include "tests/unit/platforms/corpus.hpp"

using namespace reprise::platforms;

namespace {

Platform machine() {
  Platform platform = corpus::platform("accepted/star.json");
  platform.nodes.count = 4;
  platform.nodes.cores = 2;
  platform.nodes.names = {"n0", "n1", "n2", "n3"};
  return platform;
}

// The file's path is written FILE in messages.
std::string message_or_nodes(const std::string& text, std::uint32_t ranks) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("reprise-hosts-" + std::to_string(getpid())))
          .string();
  std::ofstream(path) << text;
  std::string result;
  try {
    const Platform platform = machine();
    for (const RankLocation place :
         place_ranks(ranks, platform, load_placement(path, platform, "--placement")))
      result += (result.empty() ? "" : " ") + std::to_string(place.node) + "." +
                std::to_string(place.core);
  } catch (const std::exception& error) {
    result = error.what();
    if (const auto at = result.find(path); at != std::string::npos)
      result.replace(at, path.size(), "FILE");
  }
  std::filesystem::remove(path);
  return result;
}

}  // namespace

TEST_CASE("placement_file: a line places a rank, by name or number, on the node's next core",
          "[platforms]") {
  CHECK(message_or_nodes("# hosts\nn3\nn0\n\n3\nn1:2 and more\n", 5) == "3.0 0.0 3.1 1.0 1.1");
}

TEST_CASE("placement_file: mpirun's and smpirun's host files are such", "[platforms]") {
  CHECK(message_or_nodes("n3 slots=2 max_slots=4 # two\nn0 slots = 1\n  n1 max-slots=8\nn3\n", 5) ==
        "3.0 3.1 0.0 1.0 3.0");
  CHECK(message_or_nodes("n2:2\nn1:1\nn2:1\r\n", 4) == "2.0 2.1 1.0 2.0");
  CHECK(message_or_nodes("n0 slots=0\nn1 cpus=2\n", 2) == "1.0 1.1");
  CHECK(message_or_nodes("n0 slots=many\n", 1) == "FILE:1: \"many\" is not a number of ranks");
  CHECK(message_or_nodes("n0 slots=\n", 1) == "FILE:1: \"\" is not a number of ranks");
}

TEST_CASE("placement_file: more places than ranks do no harm", "[platforms]") {
  CHECK(message_or_nodes("n0\nn1\nn2\n", 2) == "0.0 1.0");
}

TEST_CASE("placement_file: a node takes more ranks than it has cores", "[platforms]") {
  CHECK(message_or_nodes("n0:3\n", 3) == "0.0 0.1 0.0");
}

TEST_CASE("placement_file: what cannot be is refused with its line", "[platforms]") {
  CHECK(message_or_nodes("n0\nn7\n", 2) == "FILE:2: no node \"n7\"\n  did you mean \"n0\"?");
  CHECK(message_or_nodes("4\n", 1) == "FILE:1: no node \"4\"\n  nodes have the numbers 0 to 3");
  CHECK(message_or_nodes("n0:x\n", 1) == "FILE:1: \"x\" is not a number of ranks");
  CHECK(message_or_nodes("n0:99999999999\n", 1) ==
        "FILE:1: \"99999999999\" is not a number of ranks");
  CHECK(message_or_nodes("# none\n", 1) == "FILE: names no node");
  CHECK(message_or_nodes("n0\n", 2) ==
        "FILE: names places for 1 rank, but there are 2\n  a trace has the ranks of its recording; "
        "for another number of them, record again");
}
