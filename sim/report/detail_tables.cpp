// SPDX-License-Identifier: MIT
// Tables of one point: its links, its call sites, its traffic, its time line; and what the simulations could not represent.
#include <algorithm>
#include <map>
#include <vector>

#include "sim/report/table_cells.hpp"
#include "sim/report/tables.hpp"

namespace reprise::sim::report {
namespace {

using nlohmann::ordered_json;

const ordered_json* detail(const StudyView& view, const char* key) {
  if (!view.json->contains("baseline_details")) return nullptr;
  const auto& details = (*view.json)["baseline_details"];
  return details.is_object() && details.contains(key) && !details[key].empty() ? &details[key]
                                                                               : nullptr;
}

std::string ranks_text(const ordered_json& first, std::size_t at) {
  const auto begin = first[at].get<std::int64_t>(), last = first[at + 1].get<std::int64_t>() - 1;
  return begin == last ? std::to_string(begin) : std::to_string(begin) + "–" + std::to_string(last);
}

std::string links_rows(const PointView& point) {
  std::string rows;
  if (!point.json->contains("link_classes")) return rows;
  for (const auto& use : (*point.json)["link_classes"]) {
    if (use.value("bytes", 0.0) <= 0) continue;
    rows += "<tr><th scope=\"row\">" + escaped(point.name) + "</th>" +
            text_cell(use.value("name", "")) + share_cell(use.value("busy_share", 0.0), "busy") +
            number_cell(bytes_text(use.value("bytes", 0.0)), use.value("bytes", 0.0)) + "</tr>\n";
  }
  return rows;
}

}  // namespace

std::string links_table(const StudyView& view) {
  std::string rows;
  if (view.baseline() != nullptr) rows += links_rows(*view.baseline());
  if (view.fastest() != nullptr && view.fastest() != view.baseline())
    rows += links_rows(*view.fastest());
  if (rows.empty()) return "";
  return "<table id=\"links\"><thead><tr>" + head("point") + head("links") +
         head("busiest link is busy", true,
              "time that its bytes need at its whole bandwidth, of the run time") +
         head("bytes carried", true) + "</tr></thead>\n<tbody>\n" + rows + "</tbody></table>";
}

std::string call_sites_table(const StudyView& view) {
  const auto* sites = detail(view, "call_sites");
  if (sites == nullptr) return "";
  double all = 0;
  for (const auto& site : *sites)
    all += site.value("compute_s", 0.0) + site.value("communication_s", 0.0) +
           site.value("wait_s", 0.0);
  std::string rows;
  std::size_t shown = 0;
  for (const auto& site : *sites) {
    if (++shown > 15) break;
    const double compute = site.value("compute_s", 0.0),
                 communication = site.value("communication_s", 0.0),
                 wait = site.value("wait_s", 0.0);
    const std::string place = site.value("place", "");
    rows += "<tr><th scope=\"row\">" + escaped(site.value("procedure", "")) + "</th>" +
            text_cell(place.empty() ? "–" : place) +
            number_cell(whole(site.value("calls", 0.0)), site.value("calls", 0.0)) +
            number_cell(seconds(compute), compute) +
            number_cell(seconds(communication), communication) + number_cell(seconds(wait), wait) +
            share_cell(all > 0 ? (compute + communication + wait) / all : 0, "share") + "</tr>\n";
  }
  return "<table id=\"call-sites\"><thead><tr>" + head("call") + head("place") +
         head("calls", true) +
         head("computing before", true, "between the call before and this one, over all ranks") +
         head("moving data", true) + head("waiting", true) + head("share of all time", true) +
         "</tr></thead>\n<tbody>\n" + rows + "</tbody></table>" +
         (sites->size() > 15 ? "<p class=\"note\">The 15 largest of " +
                                   counted(sites->size(), "call site") + ".</p>"
                             : "");
}

std::string pairs_table(const StudyView& view) {
  const auto* matrix = detail(view, "matrix");
  if (matrix == nullptr || !matrix->contains("first_ranks") || !matrix->contains("bytes"))
    return "";
  const auto& first = (*matrix)["first_ranks"];
  struct Pair {
    double bytes;
    std::size_t from, to;
  };
  std::vector<Pair> pairs;
  double all = 0;
  for (std::size_t from = 0; from < (*matrix)["bytes"].size(); ++from)
    for (std::size_t to = 0; to < (*matrix)["bytes"][from].size(); ++to) {
      const double bytes = (*matrix)["bytes"][from][to].get<double>();
      all += bytes;
      if (bytes > 0) pairs.push_back({bytes, from, to});
    }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.bytes > b.bytes; });
  const std::size_t shown = std::min<std::size_t>(pairs.size(), 12);
  std::string rows;
  for (std::size_t i = 0; i < shown; ++i)
    rows += "<tr>" + text_cell(ranks_text(first, pairs[i].from)) +
            text_cell(ranks_text(first, pairs[i].to)) +
            number_cell(bytes_text(pairs[i].bytes), pairs[i].bytes) +
            share_cell(pairs[i].bytes / all, "share") + "</tr>\n";
  return "<table id=\"pairs\"><caption>" +
         std::string(shown < pairs.size() ? "The largest of " : "All ") +
         counted(pairs.size(), "pair") + " that exchange anything; " + bytes_text(all) +
         " in all</caption><thead><tr>" + head("from rank") + head("to rank") +
         head("bytes", true) + head("of all bytes", true) + "</tr></thead>\n<tbody>\n" + rows +
         "</tbody></table>";
}

std::string slices_table(const StudyView& view) {
  const auto* line = detail(view, "timeline");
  if (line == nullptr || !line->contains("compute") || (*line)["compute"].empty()) return "";
  const auto& first = (*line)["first_ranks"];
  const std::size_t bins = (*line)["compute"][0].size(), parts = std::min<std::size_t>(10, bins);
  const double bin = line->value("bin_s", 0.0);
  const TimeUnit unit = unit_for(bin * static_cast<double>(bins));
  const auto mean = [&](const char* kind, std::size_t begin, std::size_t end) {
    double sum = 0, weight = 0;
    for (std::size_t row = 0; row < (*line)[kind].size(); ++row) {
      const double ranks = first[row + 1].get<double>() - first[row].get<double>();
      for (std::size_t i = begin; i < end; ++i) sum += ranks * (*line)[kind][row][i].get<double>();
      weight += ranks * static_cast<double>(end - begin);
    }
    return weight > 0 ? sum / weight : 0;
  };
  std::string rows;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t begin = part * bins / parts, end = (part + 1) * bins / parts;
    rows += "<tr><th scope=\"row\">" + digits(bin * static_cast<double>(begin) / unit.seconds, 3) +
            " – " + digits(bin * static_cast<double>(end) / unit.seconds, 3) + "</th>" +
            share_cell(mean("compute", begin, end), "compute") +
            share_cell(mean("communication", begin, end), "communication") +
            share_cell(mean("wait", begin, end), "wait") + "</tr>\n";
  }
  return "<table id=\"slices\"><thead><tr>" + head(std::string("time (") + unit.name + ")") +
         head("computing", true) + head("moving data", true) + head("waiting", true) +
         "</tr></thead>\n<tbody>\n" + rows + "</tbody></table>";
}

std::string losses_list(const StudyView& view) {
  struct Seen {
    std::uint64_t most = 0;
    std::size_t points = 0;
  };
  std::map<std::string, Seen> losses;
  for (const auto& point : view.points)
    if (point.json->contains("losses"))
      for (const auto& loss : (*point.json)["losses"]) {
        Seen& seen = losses[loss.value("severity", "") + ": " + loss.value("name", "")];
        seen.most = std::max(seen.most, loss.value("count", std::uint64_t{0}));
        ++seen.points;
      }
  std::string list;
  for (const auto& [name, seen] : losses)
    list += "<li>" + escaped(name) + ", up to " + counted(seen.most, "time") + " (" +
            counted(seen.points, "point") + ")</li>";
  return list.empty() ? "<p>Nothing: everything that was recorded was simulated.</p>"
                      : "<ul>" + list + "</ul>";
}

}  // namespace reprise::sim::report
