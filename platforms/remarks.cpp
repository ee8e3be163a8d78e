// SPDX-License-Identifier: MIT
#include "platforms/remarks.hpp"

#include <cmath>
#include <utility>

#include "platforms/interfaces.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::platforms {
namespace {

constexpr std::uint32_t kTwoPairs = 4;  // of ranks, on so many cores

void tell_shared(const Platform& platform, std::vector<std::string>& remarks) {
  const std::uint32_t cores = platform.nodes.cores / platform.nodes.sockets;
  if (platform.intra_node.sharing != Sharing::kShared || platform.intra_node_per_receiver ||
      cores < kTwoPairs)
    return;
  remarks.push_back(
      "all messages inside a " + std::string(platform.nodes.sockets > 1 ? "socket" : "node") +
      " share " + to_text(platform.intra_node.bandwidth) +
      " (/intra_node/bandwidth). If that is what one pair of ranks reaches, write it as "
      "per_receiver_bandwidth, and as bandwidth what all pairs reach together "
      "(osu_mbw_mr)");
}

// Between the last size of eager messages and the next there may be a step.
void tell_steps(const std::string& pointer, const std::vector<SizePoint>& points, Bytes eager_limit,
                std::vector<std::string>& remarks) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    const SizePoint &low = points[i - 1], &high = points[i];
    const double most = kMostColdPerByte * static_cast<double>(high.bytes.value - low.bytes.value);
    if (low.bytes == eager_limit || std::abs((high.time - low.time).value) <= most) continue;
    remarks.push_back(pointer + ": " + to_text(low.time) + " at " + to_text(low.bytes) + " and " +
                      to_text(high.time) + " at " + to_text(high.bytes) +
                      ": more than the bytes between can cost, and not at the eager limit of " +
                      to_text(eager_limit) + ". Measure again, or take one of the two out");
  }
}

void tell_cold(const std::string& pointer, const Mpi& mpi, std::vector<std::string>& remarks) {
  for (std::size_t i = 0; i < mpi.cold_caches.size(); ++i) {
    const ColdCosts& level = mpi.cold_caches[i];
    const std::string place = pointer + "/cold_caches/" + std::to_string(i) + "/";
    for (const auto& [key, points] :
         {std::pair("send_overhead", &level.send_overhead),
          std::pair("recv_overhead", &level.recv_overhead), std::pair("copy", &level.copy)})
      tell_steps(place + key, *points, mpi.eager_limit, remarks);
  }
}

}  // namespace

std::vector<std::string> remarks_on(const Platform& platform) {
  std::vector<std::string> remarks;
  tell_shared(platform, remarks);
  for (std::string& remark : remarks_on_interfaces(platform)) remarks.push_back(std::move(remark));
  tell_cold("/mpi", platform.mpi, remarks);
  if (platform.intra_node_mpi.cold_caches != platform.mpi.cold_caches)
    tell_cold("/intra_node/mpi", platform.intra_node_mpi, remarks);
  return remarks;
}

}  // namespace reprise::platforms
