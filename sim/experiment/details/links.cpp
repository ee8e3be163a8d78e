// SPDX-License-Identifier: MIT
#include "sim/experiment/details/links.hpp"

#include <algorithm>

#include "sim/text/numbers.hpp"

namespace reprise::sim {

LinkUse link_use(const TrafficMeter& traffic, Seconds run_time) {
  LinkUse result;
  auto& classes = result.classes;
  const platforms::RouteTable& routes = traffic.routes();
  for (const auto& one : routes.link_classes())
    classes.push_back({.name = one.name, .is_shared = one.is_contended});
  const auto add = [&run_time](LinkClassUse& use, const TrafficMeter::LinkLoad& load) {
    const double share = run_time.value > 0 ? load.busy / run_time.value : 0;
    ++use.links;
    if (load.bytes > 0) ++use.used_links;
    use.bytes += load.bytes;
    use.busy_share = std::max(use.busy_share, share);
    use.mean_busy_share += share;
  };
  const auto bound = routes.receiver_bound();
  for (platforms::LinkIndex link = 0; link < routes.link_count(); ++link)
    if (link != bound) add(classes[routes.link_class_index(link)], traffic.links()[link]);
  if (bound) {
    LinkClassUse& use = classes[routes.link_class_index(*bound)];
    use.is_shared = true;
    for (std::size_t link = routes.link_count(); link < traffic.links().size(); ++link)
      add(use, traffic.links()[link]);
  }
  for (auto& use : classes)
    use.mean_busy_share /= static_cast<double>(std::max<std::uint64_t>(1, use.links));
  std::stable_sort(classes.begin(), classes.end(),
                   [](const auto& a, const auto& b) { return a.busy_share > b.busy_share; });
  return result;
}

nlohmann::ordered_json LinkUse::json() const {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& use : classes)
    rows.push_back({{"name", use.name},
                    {"busy_share", use.busy_share},
                    {"mean_busy_share", use.mean_busy_share},
                    {"bytes", static_cast<std::uint64_t>(use.bytes)},
                    {"links", use.links},
                    {"used_links", use.used_links}});
  return rows;
}

std::string LinkUse::text() const {
  std::string text =
      formatted("\n%24s  %10s  %10s  %14s  %s\n", "links", "busiest", "mean", "bytes", "used");
  for (const auto& use : classes)
    text += formatted("%24s  %9.2f%%  %9.2f%%  %14.0f  %llu of %llu\n", use.name.c_str(),
                      100 * use.busy_share, 100 * use.mean_busy_share, use.bytes,
                      static_cast<unsigned long long>(use.used_links),
                      static_cast<unsigned long long>(use.links));
  return text;
}

extern const Detail kLinks = {
    .name = "links",
    .key = "link_classes",
    .cost = "",
    .watched = {.traffic = true},
    .measure = [](const Replayed& replayed) -> std::unique_ptr<Figure> {
      return std::make_unique<LinkUse>(
          link_use(replayed.observation.traffic(), replayed.outcome.predicted_time));
    }};

}  // namespace reprise::sim
