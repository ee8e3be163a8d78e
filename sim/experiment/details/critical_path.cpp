// SPDX-License-Identifier: MIT
#include "sim/experiment/details/critical_path.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "platforms/link_name.hpp"
#include "sim/experiment/details/rank_blocks.hpp"
#include "sim/site_text.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

constexpr std::size_t kShownShares = 20, kShownRows = 8;

// What stands between the slopes and a gradient.
std::string why_not_exact(const Slopes& slopes, bool is_estimated) {
  const auto has = [&](std::uint8_t flaw) { return (slopes.flaws & flaw) != 0; };
  if (is_estimated) return "what fast-forward left out is estimated";
  if (has(SlopeFlaw::kTied)) return "two paths of different parts take the same time";
  if (has(SlopeFlaw::kUnsolved)) return "messages on the path share links";
  if (has(SlopeFlaw::kMoment)) return "messages on the path share links for a moment only";
  if (has(SlopeFlaw::kCores)) return "ranks on the path share cores";
  if (has(SlopeFlaw::kMemory)) return "ranks on the path share memory bandwidth";
  if (has(SlopeFlaw::kStorage)) return "accesses to files share a storage";
  if (has(SlopeFlaw::kUnexplained)) return "a part of the path is not explained";
  return "";
}

std::string where_of(const PathKey& key, const CriticalPath& path) {
  if (has_link_class(key.part))
    return path.routes().link_classes()[path.link_class_at(key.where)].name;
  if (has_place(key.part)) return key.where == 0 ? "between nodes" : "inside a node";
  return "";
}

std::string link_of(const PathKey& key, const CriticalPath& path) {
  const auto link = has_link_class(key.part) ? path.link_at(key.where) : std::nullopt;
  return link ? platforms::link_name(path.routes(), *link) : "";
}

std::string ranks_text(const std::vector<std::int32_t>& first, std::size_t row) {
  const std::int32_t last = first[row + 1] - 1;
  return first[row] == last ? formatted("rank %d", last)
                            : formatted("ranks %d-%d", first[row], last);
}

}  // namespace

PathGradients gradients_of(const CriticalPath& path, const Outcome& outcome) {
  const CriticalPath::Result result = path.result();
  const Slopes& slopes = result.slopes;
  const double estimated = outcome.forwarded.error_bound.value;
  PathGradients gradients;
  gradients.time = result.time;
  gradients.why_not = why_not_exact(slopes, estimated > 1e-6 * result.time);
  if (!gradients.why_not.empty())
    gradients.uncertainty = std::min(slopes.blur + estimated, result.time);
  for (std::size_t i = 0; i < kParameters; ++i) {
    const auto parameter = static_cast<Parameter>(i);
    if (parameter == Parameter::memory_bandwidth && !path.has_spent_on(parameter)) continue;
    const double seconds = slopes[parameter];
    gradients.of.push_back({parameter, is_rate(parameter) ? 0 - seconds : seconds,
                            path.has_spent_on(parameter) ? gradients.uncertainty : 0});
  }
  return gradients;
}

std::string not_exact_text(const std::string& why_not, double share) {
  if (why_not.empty()) return "";
  const std::string off = share < 1 ? formatted("within %.3f%%, not exact: ", share)
                                    : "estimates, how exact is not known: ";
  return "(" + off + why_not + "; --details tolerances replays the changed run)\n";
}

CriticalPathParts critical_path_of(const Replayed& replayed) {
  const CriticalPath& watched = *replayed.observation.path();
  const CriticalPath::Result result = watched.result();
  CriticalPathParts path;
  path.time = result.time;
  path.rank = result.rank;
  path.bin = result.bin;
  path.bins = result.bins;
  path.first_ranks = result.first_ranks;
  path.computing.resize(result.rows * path.bins);
  path.otherwise.resize(result.rows * path.bins);
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
    share.where = where_of(key, watched);
    share.link = link_of(key, watched);
    share.site = key.site;
    share.seconds = entry.seconds;
    if (key.site != trace_io::kNoSite) {
      share.procedure = procedure_text(replayed.trace, key.site);
      share.place = place_text(replayed.trace, key.site);
    }
  }
  std::set<trace_io::SiteId> all;
  for (const PathShare& share : path.shares) all.insert(share.site);
  const auto callers = callers_of(replayed.trace, all);
  for (PathShare& share : path.shares)
    if (const auto found = callers.find(share.site); found != callers.end())
      share.caller = found->second;
  PathGradients gradients = gradients_of(watched, replayed.outcome);
  path.why_not = gradients.why_not;
  path.uncertainty = gradients.uncertainty;
  path.rest = gradients.of.back().seconds;
  gradients.of.pop_back();
  path.gradient = std::move(gradients.of);
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

double CriticalPathParts::gradient_of(Parameter parameter) const {
  for (const PathGradient& one : gradient)
    if (one.parameter == parameter) return one.seconds;
  return 0;
}

nlohmann::ordered_json CriticalPathParts::rows() const {
  auto rows = nlohmann::ordered_json::array();
  for (const PathShare& share : shares) {
    rows.push_back({{"part", name_of(share.part)},
                    {"where", share.where},
                    {"link", share.link},
                    {"site", nullptr},
                    {"procedure", share.procedure},
                    {"place", share.place},
                    {"caller", share.caller},
                    {"seconds", share.seconds},
                    {"share", time > 0 ? share.seconds / time : 0}});
    if (share.site != trace_io::kNoSite) rows.back()["site"] = share.site;
  }
  return rows;
}

nlohmann::ordered_json CriticalPathParts::json() const {
  auto worth = nlohmann::ordered_json::array();
  for (const PathGradient& one : gradient)
    worth.push_back({{"parameter", name_of(one.parameter)},
                     {"seconds_per_factor", one.seconds},
                     {"elasticity", time > 0 ? one.seconds / time : 0},
                     {"uncertainty_s", one.uncertainty}});
  const auto same = [](double seconds) { return seconds; };
  return {{"time_s", time},
          {"rank", rank},
          {"exact", why_not.empty()},
          {"why_not_exact", why_not},
          {"uncertainty_s", uncertainty},
          {"parts", rows()},
          {"gradient", worth},
          {"rest_s", rest},
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
    if (!share.link.empty()) what += " (" + share.link + ")";
    if (!share.procedure.empty())
      what += (share.part == PathPart::compute || share.part == PathPart::memory ? " before "
                                                                                 : " of ") +
              call_text(share.procedure, share.place, share.caller);
    text +=
        formatted("%-58s  %12.6f  %5.1f%%\n", what.c_str(), share.seconds, percent(share.seconds));
  }
  if (shares.size() > kShownShares)
    text += formatted("(%zu more: --format json or csv)\n", shares.size() - kShownShares);
  text += formatted("\n%-26s  %22s\n", "1% more of", "changes the time by");
  for (const PathGradient& one : gradient)
    if (one.seconds != 0)
      text += formatted("%-26s  %+20.3f%%\n", std::string(name_of(one.parameter)).c_str(),
                        percent(one.seconds) / 100);
  text += not_exact_text(why_not, percent(uncertainty) / 100);
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
