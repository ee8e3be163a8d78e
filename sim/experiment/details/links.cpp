// SPDX-License-Identifier: MIT
#include "sim/experiment/details/links.hpp"

#include <algorithm>

#include "platforms/link_name.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

// BUSIEST: of the class, by its place in TrafficMeter::links().
void add(const TrafficMeter& traffic, std::size_t link, Seconds run_time, LinkClassUse& use,
         std::size_t& busiest) {
  const TrafficMeter::LinkLoad& load = traffic.links()[link];
  const double factor = traffic.mean_bandwidth(link, run_time);
  const double share = run_time.value > 0 ? load.busy / (factor * run_time.value) : 0;
  ++use.links;
  if (load.bytes > 0) ++use.used_links;
  use.bytes += load.bytes;
  use.mean_busy_share += share;
  if (use.links > 1 && share <= use.busy_share) {
    use.next_busy_share = std::max(use.next_busy_share, share);
    return;
  }
  if (use.links > 1) use.next_busy_share = use.busy_share;
  use.busy_share = share;
  use.busiest_bandwidth = factor;
  busiest = link;
}

std::string text_of(const TrafficMeter& traffic, std::size_t link) {
  const std::size_t links = traffic.routes().link_count();
  return link < links
             ? platforms::link_name(traffic.routes(), static_cast<platforms::LinkIndex>(link))
             : "rank " + std::to_string(link - links);
}

}  // namespace

LinkUse link_use(const TrafficMeter& traffic, Seconds run_time) {
  LinkUse result;
  auto& classes = result.classes;
  const platforms::RouteTable& routes = traffic.routes();
  for (const auto& one : routes.link_classes())
    classes.push_back({.name = one.name, .is_shared = one.is_contended});
  std::vector<std::size_t> busiest(classes.size());
  const auto bound = routes.receiver_bound();
  for (platforms::LinkIndex link = 0; link < routes.link_count(); ++link)
    if (const auto number = routes.link_class_index(link); link != bound)
      add(traffic, link, run_time, classes[number], busiest[number]);
  if (bound) {
    const auto number = routes.link_class_index(*bound);
    classes[number].is_shared = true;
    for (std::size_t link = routes.link_count(); link < traffic.links().size(); ++link)
      add(traffic, link, run_time, classes[number], busiest[number]);
  }
  const std::vector<bool> stand_out = traffic.stand_out();
  for (std::size_t number = 0; number < classes.size(); ++number) {
    LinkClassUse& use = classes[number];
    use.mean_busy_share /= static_cast<double>(std::max<std::uint64_t>(1, use.links));
    const std::size_t link = busiest[number];
    const bool is_its_own = link < stand_out.size() && stand_out[link];
    if (use.used_links > 0 && use.links > 1 &&
        (is_its_own ||
         (use.busy_share >= LinkClassUse::kBusy && use.busy_share >= 2 * use.next_busy_share)))
      use.busiest_link = text_of(traffic, link);
  }
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
                    {"used_links", use.used_links},
                    {"busiest_link", use.busiest_link},
                    {"busiest_bandwidth", use.busiest_bandwidth},
                    {"next_busy_share", use.next_busy_share}});
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
  for (const auto& use : classes) {
    if (use.busiest_link.empty()) continue;
    text += "busiest of " + use.name + ": " + use.busiest_link;
    if (use.busiest_bandwidth != 1)
      text += formatted(", at %.3g%% of the platform's bandwidth", 100 * use.busiest_bandwidth);
    text += formatted("; the next is busy for %.2f%%\n", 100 * use.next_busy_share);
  }
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
