// SPDX-License-Identifier: MIT
#include "sim/cli/memory_limit.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <fstream>

#include "trace-io/base/units.hpp"

namespace reprise::cli {
namespace {

constexpr std::uint64_t kKibi = 1024;

// Of a line "NAME: NUMBER kB".
std::optional<std::uint64_t> kibibytes(std::ifstream& in, const std::string& name) {
  in.clear();
  in.seekg(0);
  std::string word;
  while (in >> word) {
    std::uint64_t number = 0;
    if (word == name && in >> number) return number;
    in.clear();
  }
  return std::nullopt;
}

std::optional<Bytes> of_machine(const std::string& root) {
  std::ifstream in(root + "/proc/meminfo");
  const auto available = kibibytes(in, "MemAvailable:");
  if (!available) return std::nullopt;
  return Bytes{(*available + kibibytes(in, "SwapFree:").value_or(0)) * kKibi};
}

// "max" or no such file: no limit.
std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream in(path);
  std::uint64_t number = 0;
  if (!(in >> number)) return std::nullopt;
  return number;
}

// The group of a line "0::/PATH", and those above it.
std::optional<Bytes> of_control_groups(const std::string& root) {
  std::ifstream in(root + "/proc/self/cgroup");
  std::string line, path;
  while (std::getline(in, line))
    if (line.starts_with("0::")) path = line.substr(3);
  std::optional<Bytes> least;
  for (; !path.empty(); path.erase(path.find_last_of('/'))) {
    const std::string folder = root + "/sys/fs/cgroup" + (path == "/" ? "" : path);
    const auto most = number_in(folder + "/memory.max"),
               used = number_in(folder + "/memory.current");
    if (most && used) {
      const Bytes left{*most - std::min(*most, *used)};
      least = least ? std::min(*least, left) : left;
    }
    if (path.find('/') == std::string::npos) break;
  }
  return least;
}

}  // namespace

std::optional<Bytes> available_memory(const std::string& root) {
  const auto machine = of_machine(root), groups = of_control_groups(root);
  if (machine && groups) return std::min(*machine, *groups);
  return machine ? machine : groups;
}

std::optional<Bytes> limit_memory() {
#ifdef __SANITIZE_ADDRESS__
  return std::nullopt;
#else
  auto available = available_memory("");
  rlimit space{}, data{};
  if (!available || available->value == 0 || getrlimit(RLIMIT_AS, &space) != 0 ||
      getrlimit(RLIMIT_DATA, &data) != 0)
    return std::nullopt;
  for (const rlimit& limit : {space, data})
    if (limit.rlim_cur != RLIM_INFINITY) available = std::min(*available, Bytes{limit.rlim_cur});
  if (data.rlim_cur != RLIM_INFINITY && data.rlim_cur <= available->value) return available;
  data.rlim_cur = available->value;
  if (setrlimit(RLIMIT_DATA, &data) != 0) return std::nullopt;
  return available;
#endif
}

std::string out_of_memory(std::optional<Bytes> limit) {
  constexpr std::uint64_t kDigits =
      1000;  // that tell something: the rest changes from moment to moment
  std::string there_was;
  if (limit) {
    std::uint64_t unit = 1;
    while (limit->value / unit >= kDigits) unit *= 10;
    there_was = ": more than the " + to_text(Bytes{limit->value / unit * unit}) +
                " that are available would be needed";
  }
  return "out of memory" + there_was +
         "\n  replay fewer ranks or a shorter part of the run, or use a machine with more memory";
}

}  // namespace reprise::cli
