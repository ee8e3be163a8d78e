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

TEST_CASE("memory limit: file pages that a control group can reclaim are available", "[memory]") {
  const Scratch scratch;
  const std::filesystem::path& root = scratch.folder();
  write(root / "proc/self/cgroup", "0::/job\n");
  write(root / "sys/fs/cgroup/job/memory.max", "9000000\n");
  write(root / "sys/fs/cgroup/job/memory.current", "8000000\n");
  CHECK(available_memory(root) == Bytes{1000000});
  write(root / "sys/fs/cgroup/job/memory.stat",
        "anon 900000\nfile 7000000\ninactive_anon 400000\ninactive_file 6000000\nactive_file "
        "1000000\n");
  CHECK(available_memory(root) == Bytes{7000000});
  write(root / "sys/fs/cgroup/job/memory.stat", "inactive_file 8500000\n");  // read later than used
  CHECK(available_memory(root) == Bytes{9000000});
}

TEST_CASE("memory limit: control groups of version 1", "[memory]") {
  const Scratch scratch;
  const std::filesystem::path& root = scratch.folder();
  const auto memory = root / "sys/fs/cgroup/memory", job = memory / "slurm/job_1";
  write(root / "proc/self/cgroup",
        "12:cpuset:/other\n7:hugetlb,memory:/slurm/job_1/step_0\n1:name=systemd:/\n0::/\n");
  for (const auto& folder : {memory, memory / "slurm", job, job / "step_0"}) {
    write(folder / "memory.limit_in_bytes", "9223372036854771712\n");  // none
    write(folder / "memory.usage_in_bytes", "5000000\n");
    write(folder / "memory.use_hierarchy", "1\n");
  }
  CHECK(available_memory(root) == std::nullopt);

  write(job / "memory.limit_in_bytes", "8000000\n");
  CHECK(available_memory(root) == Bytes{3000000});
  write(job / "memory.stat", "inactive_file 1000\ntotal_inactive_file 2000000\n");
  CHECK(available_memory(root) == Bytes{5000000});
  write(job / "step_0/memory.limit_in_bytes", "6000000\n");
  CHECK(available_memory(root) == Bytes{1000000});
  write(job / "memory.limit_in_bytes", "5500000\n");  // 500 000, and 2 000 000 reclaimed
  write(job / "step_0/memory.limit_in_bytes", "9000000\n");
  CHECK(available_memory(root) == Bytes{2500000});
  write(job / "memory.use_hierarchy", "0\n");  // limits the processes in it alone
  CHECK(available_memory(root) == Bytes{4000000});

  write(root / "proc/meminfo", "MemAvailable:   1000 kB\n");
  CHECK(available_memory(root) == Bytes{1000 * 1024});
}

TEST_CASE("memory limit: a container shows its group as the first one", "[memory]") {
  const Scratch scratch;
  const std::filesystem::path& root = scratch.folder();
  write(root / "proc/self/cgroup", "4:memory:/docker/1f2e\n");
  write(root / "sys/fs/cgroup/memory/memory.limit_in_bytes", "7000000\n");
  write(root / "sys/fs/cgroup/memory/memory.usage_in_bytes", "1000000\n");
  CHECK(available_memory(root) == Bytes{6000000});
}

TEST_CASE("memory limit: the error says how much there was and what helps", "[memory]") {
  CHECK(out_of_memory(Bytes{12'345'678'901}) ==
        "out of memory: more than the 12.3 GB that are available would be needed\n"
        "  replay fewer ranks or a shorter part of the run, or use a machine with more memory");
  CHECK(out_of_memory({}) ==
        "out of memory\n"
        "  replay fewer ranks or a shorter part of the run, or use a machine with more memory");
}
