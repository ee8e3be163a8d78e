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

// Of a line "NAME NUMBER".
std::optional<std::uint64_t> number_after(std::ifstream& in, const std::string& name) {
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
  const auto available = number_after(in, "MemAvailable:");
  if (!available) return std::nullopt;
  return Bytes{(*available + number_after(in, "SwapFree:").value_or(0)) * kKibi};
}

// "max" or no such file: no number.
std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream in(path);
  std::uint64_t number = 0;
  if (!(in >> number)) return std::nullopt;
  return number;
}

// The files of one version of control groups.
struct GroupFiles {
  const char* limit;
  const char* used;
  const char* reclaimable;  // this line of memory.stat, of the group and of those below it
};
constexpr GroupFiles kVersion1 = {"/memory.limit_in_bytes", "/memory.usage_in_bytes",
                                  "total_inactive_file"};
constexpr GroupFiles kVersion2 = {"/memory.max", "/memory.current", "inactive_file"};

// Version 1 has no word for it, but LONG_MAX rounded down to a page: 9223372036854771712 with
// pages of 4 KiB.
constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 62;

// What one group leaves. The kernel takes file pages not used of late back before it kills.
std::optional<Bytes> of_group(const std::string& folder, const GroupFiles& files) {
  const auto most = number_in(folder + files.limit), used = number_in(folder + files.used);
  if (!most || !used || *most >= kNoLimit) return std::nullopt;
  std::ifstream stat(folder + "/memory.stat");
  const auto reclaimable = number_after(stat, files.reclaimable).value_or(0);
  const auto held = *used - std::min(*used, reclaimable);
  return Bytes{*most - std::min(*most, held)};
}

std::optional<Bytes> lesser(std::optional<Bytes> a, std::optional<Bytes> b) {
  if (a && b) return std::min(*a, *b);
  return a ? a : b;
}

// The least of a group and those above it. A container may show its own group in place of the
// first one, under a path that is not there.
std::optional<Bytes> of_groups(const std::string& mount, std::string path,
                               const GroupFiles& files) {
  std::optional<Bytes> least;
  for (bool is_above = false;;) {
    while (path.ends_with('/')) path.pop_back();
    const std::string folder = mount + path;
    // 0 (version 1 only): a group that does not limit those below it
    if (!is_above || number_in(folder + "/memory.use_hierarchy") != 0)
      least = lesser(least, of_group(folder, files));
    is_above = is_above || number_in(folder + files.limit).has_value();
    if (path.find('/') == std::string::npos) return least;
    path.erase(path.find_last_of('/'));
  }
}

// Lines "NUMBER:CONTROLLERS:PATH" of version 1, of which one has the memory, and "0::PATH" of
// version 2. Where both are mounted, only one of them limits memory.
std::optional<Bytes> of_control_groups(const std::string& root) {
  const std::string mount = root + "/sys/fs/cgroup";
  std::ifstream in(root + "/proc/self/cgroup");
  std::optional<Bytes> least;
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':');
    if (first == std::string::npos) continue;
    const auto second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",",
                      path = line.substr(second + 1);
    if (controllers == ",,") least = lesser(least, of_groups(mount, path, kVersion2));
    if (controllers.find(",memory,") != std::string::npos)
      least = lesser(least, of_groups(mount + "/memory", path, kVersion1));
  }
  return least;
}

}  // namespace

std::optional<Bytes> available_memory(const std::string& root) {
  return lesser(of_machine(root), of_control_groups(root));
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
