// SPDX-License-Identifier: MIT
#include "sim/answers/link_use.hpp"

#include <algorithm>

namespace reprise::sim {

std::vector<LinkClassUse> link_use(const TrafficMeter& traffic, Seconds run_time) {
  std::vector<LinkClassUse> classes;
  for (const auto& one : traffic.routes().link_classes()) classes.push_back({.name = one.name});
  for (platforms::LinkIndex link = 0; link < traffic.links().size(); ++link) {
    LinkClassUse& use = classes[traffic.routes().link_class_index(link)];
    const auto& load = traffic.links()[link];
    const double share = run_time.value > 0 ? load.busy / run_time.value : 0;
    ++use.links;
    if (load.bytes > 0) ++use.used_links;
    use.bytes += load.bytes;
    use.busy_share = std::max(use.busy_share, share);
    use.mean_busy_share += share;
  }
  for (auto& use : classes)
    use.mean_busy_share /= static_cast<double>(std::max<std::uint64_t>(1, use.links));
  std::stable_sort(classes.begin(), classes.end(),
                   [](const auto& a, const auto& b) { return a.busy_share > b.busy_share; });
  return classes;
}

}  // namespace reprise::sim
