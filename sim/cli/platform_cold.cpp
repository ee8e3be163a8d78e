// SPDX-License-Identifier: MIT
// reprise platform show: what messages cost more after computing.
#include <array>
#include <string>
#include <vector>

#include "platforms/platform.hpp"
#include "sim/cli/platform_actions.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::cli {
namespace {

using platforms::Platform;

// What messages cost more after as much computing as the file knows: sent and received, both behind it.
constexpr std::array<std::uint64_t, 2> kColdSizes{8, 65536};

struct ColdPath {
  const char* where;
  const platforms::Mpi* mpi;
};
std::vector<ColdPath> cold_paths(const Platform& platform) {
  std::vector<ColdPath> paths;
  if (!platform.intra_node_mpi.cold_caches.empty())
    paths.push_back({"inside a node", &platform.intra_node_mpi});
  if (platform.network && !platform.mpi.cold_caches.empty())
    paths.push_back({"between nodes", &platform.mpi});
  return paths;
}

Seconds cold_time(const platforms::Mpi& mpi, Bytes bytes) {
  const Seconds after = mpi.cold_caches.back().after;
  return platforms::cold_cost(mpi.cold_caches, &platforms::ColdCosts::send_overhead, after, bytes) +
         platforms::cold_cost(mpi.cold_caches, &platforms::ColdCosts::recv_overhead, after, bytes);
}

}  // namespace

std::string cold_text(const Platform& platform) {
  std::string text;
  for (const ColdPath& path : cold_paths(platform)) {
    text += (text.empty() ? "\n" : "") + std::string("after ") +
            to_text(path.mpi->cold_caches.back().after) + " of computing, messages " + path.where +
            " take longer: ";
    for (const std::uint64_t size : kColdSizes)
      text +=
          (size == kColdSizes.front() ? "" : ", ") + to_text(Bytes{size}) + " by " +
          to_text(Seconds{std::stod(formatted("%.4g", cold_time(*path.mpi, Bytes{size}).value))});
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json cold_json(const Platform& platform) {
  auto answer = nlohmann::ordered_json::array();
  for (const ColdPath& path : cold_paths(platform)) {
    auto messages = nlohmann::ordered_json::array();
    for (const std::uint64_t size : kColdSizes)
      messages.push_back({{"bytes", size}, {"longer_s", cold_time(*path.mpi, Bytes{size}).value}});
    answer.push_back({{"path", path.where},
                      {"after_s", path.mpi->cold_caches.back().after.value},
                      {"messages", std::move(messages)}});
  }
  return answer;
}

}  // namespace reprise::cli
