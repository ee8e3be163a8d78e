// SPDX-License-Identifier: MIT
// What a command may take of a machine's memory, by the files of machines that are not this one.
#include "sim/cli/memory_limit.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/cli/scratch.hpp"

using namespace reprise;
using namespace reprise::cli;

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

}  // namespace

TEST_CASE("memory limit: what is available and swap, or what a control group leaves", "[memory]") {
  const Scratch scratch;
  const std::filesystem::path& root = scratch.folder();
  CHECK(available_memory(root) == std::nullopt);

  write(root / "proc/meminfo",
        "MemTotal:       16000 kB\nMemFree:        1000 kB\nMemAvailable:   12000 kB\nSwapFree:  "
        "500 kB\n");
  CHECK(available_memory(root) == Bytes{12500 * 1024});

  write(root / "proc/self/cgroup", "0::/job/step\n");
  CHECK(available_memory(root) == Bytes{12500 * 1024});
  write(root / "sys/fs/cgroup/job/step/memory.max", "max\n");
  write(root / "sys/fs/cgroup/job/step/memory.current", "5000\n");
  CHECK(available_memory(root) == Bytes{12500 * 1024});
  write(root / "sys/fs/cgroup/job/memory.max", "9000000\n");  // the group above it counts as well
  write(root / "sys/fs/cgroup/job/memory.current", "1000000\n");
  CHECK(available_memory(root) == Bytes{8000000});
  write(root / "sys/fs/cgroup/job/step/memory.max", "4000\n");  // lowered below what it uses
  CHECK(available_memory(root) == Bytes{0});
}

TEST_CASE("memory limit: the error says how much there was and what helps", "[memory]") {
  CHECK(out_of_memory(Bytes{12'345'678'901}) ==
        "out of memory: more than the 12.3 GB that are available would be needed\n"
        "  replay fewer ranks or a shorter part of the run, or use a machine with more memory");
  CHECK(out_of_memory({}) ==
        "out of memory\n"
        "  replay fewer ranks or a shorter part of the run, or use a machine with more memory");
}
