// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "platforms/catalogue.hpp"
#include "platforms/routes.hpp"
#include "tests/unit/platforms/corpus.hpp"

using namespace reprise;
using namespace reprise::platforms;

namespace {

const std::vector<std::string> kMachines{REPRISE_PLATFORMS "/machines"};

// A folder with empty files of these names, removed at the end.
class Folder {
 public:
  explicit Folder(const std::vector<std::string>& files)
      : path_(std::filesystem::temp_directory_path() /
              ("reprise-catalogue-" + std::to_string(getpid()) + "-" + std::to_string(++count_))) {
    std::filesystem::create_directory(path_);
    for (const std::string& file : files) std::ofstream(path_ / file);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string path() const { return path_.string(); }

 private:
  static inline int count_ = 0;
  std::filesystem::path path_;
};

// Overheads and latency between two nodes, without payload.
double one_way_us(const Platform& platform, NodeIndex from, NodeIndex to) {
  Route route;
  make_route_table(platform)->find_route(from, to, route);
  const Mpi& mpi = platform.mpi_between(from, to);
  return (mpi.send_overhead + route.latency + mpi.recv_overhead).value * 1e6;
}

}  // namespace

TEST_CASE("machines: every shipped machine loads, routes and is named as its file", "[platforms]") {
  const auto machines = list_platforms(kMachines);
  CHECK(machines.size() == 11);
  for (const CatalogueEntry& machine : machines) {
    const Platform platform = load_platform(machine.path);
    CHECK(platform.name == machine.name);
    CHECK(make_route_table(platform)->node_count() == platform.nodes.count);
  }
}

TEST_CASE("machines: one-way times are the published ones that the files name", "[platforms]") {
  const auto load = [](const std::string& name) {
    return load_platform(find_platform(name, kMachines, ""));
  };
  CHECK(one_way_us(load("laptop"), 0, 0) == Approx(0.2));
  CHECK(one_way_us(load("ethernet-10g"), 0, 1) == Approx(7.52));
  CHECK(one_way_us(load("infiniband-edr"), 0, 17) == Approx(1.1));   // one switch
  CHECK(one_way_us(load("infiniband-edr"), 0, 18) == Approx(1.28));  // two more
  CHECK(one_way_us(load("infiniband-edr"), 0, 0) == Approx(0.4));
  CHECK(one_way_us(load("infiniband-hdr"), 0, 19) == Approx(0.73));
  CHECK(one_way_us(load("infiniband-hdr"), 0, 20) == Approx(0.99));
  CHECK(one_way_us(load("bluegene-q"), 0, 1) == Approx(1.44));
  CHECK(one_way_us(load("ethernet-25g"), 0, 1) == Approx(7.3));
}

TEST_CASE("catalogue: a name with a slash or a suffix is a path", "[platforms]") {
  CHECK(find_platform("./mine", {}, "--platform") == "./mine");
  CHECK(find_platform("mine.json", {}, "--platform") == "mine.json");
}

TEST_CASE("catalogue: of equal names the first folder's is taken", "[platforms]") {
  const Folder first({"b.json", "notes.txt"}), second({"a.json", "b.json"});
  const std::vector<std::string> folders{first.path(), "/nonexistent", second.path()};
  CHECK(find_platform("b", folders, "") == first.path() + "/b.json");
  CHECK(find_platform("a", folders, "") == second.path() + "/a.json");
  std::string names;
  for (const CatalogueEntry& entry : list_platforms(folders)) names += entry.name + ' ';
  CHECK(names == "a b ");
}

TEST_CASE("catalogue: an unknown name is refused with the nearest one", "[platforms]") {
  CHECK(corpus::message_of([] { find_platform("ethernet-10", kMachines, "--platform"); }) ==
        "--platform: no platform is called \"ethernet-10\"\n  did you mean \"ethernet-10g\"?");
  CHECK(corpus::message_of([] { find_platform("cray", kMachines, "--platform"); }) ==
        "--platform: no platform is called \"cray\"\n"
        "  known: bluegene-q, ethernet-100g, ethernet-10g, ethernet-25g, fat-tree-32, "
        "infiniband-edr, infiniband-hdr, "
        "infiniband-ndr, laptop, shared-memory-node, slingshot-dragonfly; or give the path of a "
        "platform file");
  CHECK(corpus::message_of([] { find_platform("cray", {}, "--platform"); }) ==
        "--platform: no platform is called \"cray\"\n  give the path of a platform file");
}

TEST_CASE("catalogue: the user's folders come before the shipped ones", "[platforms]") {
  setenv("REPRISE_PLATFORM_PATH", ":/one::/two", 1);
  const auto folders = platform_folders();
  unsetenv("REPRISE_PLATFORM_PATH");
  REQUIRE(folders.size() == 5);
  CHECK(folders[0] == "/one");
  CHECK(folders[1] == "/two");
  CHECK(folders[4] == REPRISE_PLATFORMS "/machines");
  CHECK(platform_folders().size() == 3);
}
