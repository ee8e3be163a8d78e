// SPDX-License-Identifier: MIT
#include "sim/validation/program_name.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace reprise::sim::validation {
namespace {

namespace fs = std::filesystem;

// A folder with `solver.openmpi`, the link `solver` to it, and the file `other`.
class Programs {
 public:
  Programs() {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "solver.openmpi") << "1";
    std::ofstream(folder_ / "other") << "2";
    fs::create_symlink("solver.openmpi", folder_ / "solver");
  }
  ~Programs() { fs::remove_all(folder_); }
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;

  std::string at(const std::string& name) const { return (folder_ / name).string(); }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("program_name_" + std::to_string(::getpid()));
};

TEST_CASE("programs: names without folders are enough where they are equal", "[mpip]") {
  CHECK(base_name("/opt/site/solver") == "solver");
  CHECK(base_name("solver") == "solver");
  CHECK(are_one_program("solver", "solver"));
  CHECK(are_one_program("/not/here/solver", "/nor/here/solver"));
  CHECK_FALSE(are_one_program("/not/here/solver", "/not/here/other"));
  CHECK_FALSE(are_one_program("", "solver"));
}

TEST_CASE("programs: a link and the file that it leads to are one", "[mpip]") {
  const Programs programs;
  CHECK(are_one_program(programs.at("solver"), programs.at("solver.openmpi")));
  CHECK_FALSE(are_one_program(programs.at("solver"), programs.at("other")));
  // The word that started it is looked for beside the file that ran.
  CHECK(are_one_program(programs.at("solver.openmpi"), "solver"));
  CHECK(are_one_program("solver", programs.at("solver.openmpi")));
  CHECK_FALSE(are_one_program(programs.at("solver.openmpi"), "other"));
}

}  // namespace
}  // namespace reprise::sim::validation
