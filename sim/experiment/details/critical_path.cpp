// SPDX-License-Identifier: MIT
#include "sim/experiment/details/critical_path.hpp"

#include <algorithm>
#include <cmath>

#include "sim/experiment/details/platform_variants.hpp"
#include "sim/experiment/details/rank_blocks.hpp"
#include "sim/site_text.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

constexpr std::size_t kShownShares = 20, kShownRows = 8;
constexpr double kNothingOf = 1e-9;  // of the time: less is rounding

// What stands between the path's parts and a gradient.
std::string why_not_exact(const CriticalPathParts& path, bool is_tied, const Outcome& outcome) {
  const auto matters = [&](PathPart part) { return path.sum_of(part) > kNothingOf * path.time; };
  if (outcome.forwarded.error_bound.value > 1e-6 * path.time)
    return "what fast-forward left out is estimated";
  if (is_tied) return "two paths of different parts take the same time";
  if (matters(PathPart::sharing)) return "messages on the path share links";
  if (matters(PathPart::core)) return "ranks on the path share cores";
  if (matters(PathPart::storage)) return "accesses to files share a storage";
  if (matters(PathPart::other)) return "a part of the path is not explained";
  return "";
}

// By class of links: whether it is inside nodes.
std::vector<bool> inside_nodes(const platforms::Platform& platform,
                               const platforms::RouteTable& routes) {
  platforms::Platform copy = platform;
  std::vector<bool> inside;
  for (const auto& link_class : routes.link_classes()) {
    const auto links = node_links(copy);
    inside.push_back(std::any_of(links.begin(), links.end(), [&](const platforms::Cable& cable) {
      return cable.name == link_class.cable;
    }));
  }
  return inside;
}

std::string where_of(const PathKey& key, const platforms::RouteTable& routes) {
  if (has_link_class(key.part)) return routes.link_classes()[key.where].name;
  if (has_place(key.part)) return key.where == 0 ? "between nodes" : "inside a node";
  return "";
}

struct Sums {
  double compute = 0, latency[2] = {}, transfer[2] = {}, overhead[2][2] = {}, copy[2] = {},
         combine = 0;
  void add(const PathKey& key, bool is_inside, double seconds) {
    const std::size_t place = key.where == 1 ? 1 : 0, links = is_inside ? 1 : 0;
    switch (key.part) {
      case PathPart::compute:
        compute += seconds;
        return;
      case PathPart::latency:
      case PathPart::handshake:
        latency[links] += seconds;
        return;
      case PathPart::transfer:
        transfer[links] += seconds;
        return;
      case PathPart::send_overhead:
        overhead[0][place] += seconds;
        return;
      case PathPart::receive_overhead:
        overhead[1][place] += seconds;
        return;
      case PathPart::copy:
        copy[place] += seconds;
        return;
      case PathPart::combine:
        combine += seconds;
        return;
      default:
        return;
    }
  }
  std::vector<PathGradient> gradient() const {
    return {{"compute", compute},
            {"latency", latency[0]},
            {"bandwidth", -transfer[0]},
            {"send_overhead", overhead[0][0]},
            {"recv_overhead", overhead[1][0]},
            {"copy_bandwidth", -copy[0]},
            {"intra_node/latency", latency[1]},
            {"intra_node/bandwidth", -transfer[1]},
            {"intra_node/send_overhead", overhead[0][1]},
            {"intra_node/recv_overhead", overhead[1][1]},
            {"intra_node/copy_bandwidth", -copy[1]},
            {"reduction", combine}};
  }
};

std::string ranks_text(const std::vector<std::int32_t>& first, std::size_t row) {
  const std::int32_t last = first[row + 1] - 1;
  return first[row] == last ? formatted("rank %d", last)
                            : formatted("ranks %d-%d", first[row], last);
}

}  // namespace

CriticalPathParts critical_path_of(const Replayed& replayed) {
  const CriticalPath& watched = *replayed.observation.path();
  const CriticalPath::Result result = watched.result();
  const auto inside = inside_nodes(replayed.platform, watched.routes());
  CriticalPathParts path;
  path.time = result.time;
  path.rank = result.rank;
  path.bin = result.bin;
  path.bins = result.bins;
  path.first_ranks = result.first_ranks;
  path.computing.resize(result.rows * path.bins);
  path.otherwise.resize(result.rows * path.bins);
  Sums sums;
  for (const auto& entry : result.entries) {
    if (PathCell::is_one(entry.key)) {
      const PathCell cell = PathCell::unpacked(entry.key);
      auto& cells = cell.is_computing ? path.computing : path.otherwise;
      cells[cell.row * path.bins + std::min<std::size_t>(cell.bin, path.bins - 1)] += entry.seconds;
      continue;
    }
    const PathKey key = PathKey::unpacked(entry.key);
    PathShare& share = path.shares.emplace_back();
    share.part = key.part;
    share.where = where_of(key, watched.routes());
    share.site = key.site;
    share.seconds = entry.seconds;
    if (key.site != trace_io::kNoSite) {
      share.procedure = procedure_text(replayed.trace, key.site);
      share.place = place_text(replayed.trace, key.site);
    }
    sums.add(key, has_link_class(key.part) && inside[key.where], entry.seconds);
  }
  path.gradient = sums.gradient();
  path.why_not = why_not_exact(path, result.is_tied, replayed.outcome);
  std::stable_sort(path.shares.begin(), path.shares.end(),
                   [](const PathShare& a, const PathShare& b) { return a.seconds > b.seconds; });
  return path;
}

double CriticalPathParts::sum_of(PathPart part) const {
  double sum = 0;
  for (const PathShare& share : shares)
    if (share.part == part) sum += share.seconds;
  return sum;
}

double CriticalPathParts::gradient_of(std::string_view parameter) const {
  for (const PathGradient& one : gradient)
    if (one.parameter == parameter) return one.seconds;
  return 0;
}

nlohmann::ordered_json CriticalPathParts::rows() const {
  auto rows = nlohmann::ordered_json::array();
  for (const PathShare& share : shares) {
    rows.push_back({{"part", name_of(share.part)},
                    {"where", share.where},
                    {"site", nullptr},
                    {"procedure", share.procedure},
                    {"place", share.place},
                    {"seconds", share.seconds},
                    {"share", time > 0 ? share.seconds / time : 0}});
    if (share.site != trace_io::kNoSite) rows.back()["site"] = share.site;
  }
  return rows;
}

nlohmann::ordered_json CriticalPathParts::json() const {
  auto worth = nlohmann::ordered_json::array();
  for (const PathGradient& one : gradient)
    worth.push_back({{"parameter", one.parameter},
                     {"seconds_per_factor", one.seconds},
                     {"elasticity", time > 0 ? one.seconds / time : 0}});
  const auto same = [](double seconds) { return seconds; };
  return {{"time_s", time},
          {"rank", rank},
          {"exact", why_not.empty()},
          {"why_not_exact", why_not},
          {"parts", rows()},
          {"gradient", worth},
          {"map",
           {{"bin_s", bin},
            {"first_ranks", first_ranks},
            {"computing_s", rows_of(computing, bins, same)},
            {"otherwise_s", rows_of(otherwise, bins, same)}}}};
}

std::string CriticalPathParts::text() const {
  const auto percent = [&](double seconds) { return time > 0 ? 100 * seconds / time : 0; };
  std::string text = formatted("\n%-58s  %12s  %6s\n", "critical path", "s", "share");
  for (std::size_t i = 0; i < std::min(shares.size(), kShownShares); ++i) {
    const PathShare& share = shares[i];
    std::string what(name_of(share.part));
    if (!share.where.empty()) what += ", " + share.where;
    if (!share.procedure.empty())
      what += (share.part == PathPart::compute ? " before " : " of ") + share.procedure +
              (share.place.empty() ? "" : " (" + share.place + ")");
    text +=
        formatted("%-58s  %12.6f  %5.1f%%\n", what.c_str(), share.seconds, percent(share.seconds));
  }
  if (shares.size() > kShownShares)
    text += formatted("(%zu more: --format json or csv)\n", shares.size() - kShownShares);
  text += formatted("\n%-26s  %22s\n", "1% more of", "changes the time by");
  for (const PathGradient& one : gradient)
    if (one.seconds != 0)
      text += formatted("%-26s  %+20.3f%%\n", one.parameter.c_str(), percent(one.seconds) / 100);
  if (!why_not.empty()) text += "(not exact: " + why_not + ")\n";
  struct Row {
    std::size_t row;
    double computing, all;
  };
  std::vector<Row> on_path;
  for (std::size_t row = 0; row + 1 < first_ranks.size(); ++row) {
    Row sum{row, 0, 0};
    for (std::size_t i = row * bins; i < (row + 1) * bins; ++i) {
      sum.computing += computing[i];
      sum.all += computing[i] + otherwise[i];
    }
    if (sum.all > 0) on_path.push_back(sum);
  }
  std::stable_sort(on_path.begin(), on_path.end(),
                   [](const Row& a, const Row& b) { return a.all > b.all; });
  text += formatted("\n%-26s  %12s  %12s\n", "on the path", "of the time", "computing");
  for (std::size_t i = 0; i < std::min(on_path.size(), kShownRows); ++i)
    text +=
        formatted("%-26s  %11.1f%%  %11.1f%%\n", ranks_text(first_ranks, on_path[i].row).c_str(),
                  percent(on_path[i].all), percent(on_path[i].computing));
  if (on_path.size() > kShownRows)
    text += formatted("(%zu more: --format json)\n", on_path.size() - kShownRows);
  return text;
}

extern const Detail kCriticalPath = {
    .name = "critical-path",
    .key = "critical_path",
    .cost = "",
    .scope = DetailScope::baseline,
    .watched = {.path = true},
    .measure = [](const Replayed& replayed) -> std::unique_ptr<Figure> {
      return std::make_unique<CriticalPathParts>(critical_path_of(replayed));
    }};

}  // namespace reprise::sim
