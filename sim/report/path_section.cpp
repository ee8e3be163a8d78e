// SPDX-License-Identifier: MIT
// The section on the baseline's critical path: what it is spent on, what each parameter is worth, and which ranks are on it when.
#include <algorithm>
#include <cmath>

#include "sim/report/call_text.hpp"
#include "sim/report/number_text.hpp"
#include "sim/report/sections.hpp"

namespace reprise::sim::report {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kPathShown = 12;
constexpr double kPathWidth = 960, kPathLeft = 90, kPathTop = 6, kPathBottom = 24;

std::string what(const ordered_json& part) {
  std::string text = part.value("part", "");
  if (const std::string where = part.value("where", ""); !where.empty()) text += ", " + where;
  return text;
}

std::string site(const ordered_json& part) {
  return part.value("procedure", "").empty() ? "–" : call_of(part);
}

Markup parts_table(const ordered_json& parts) {
  Markup rows;
  for (std::size_t i = 0; i < std::min(kPathShown, parts.size()); ++i) {
    const double time = parts[i].value("seconds", 0.0);
    rows +=
        row(head_cell(what(parts[i])) + text_cell(site(parts[i])) +
            number_cell(seconds(time), time) + share_cell(parts[i].value("share", 0.0), "share"));
  }
  const auto note = "The " + whole(static_cast<double>(kPathShown)) + " largest of " +
                    counted(parts.size(), "part") + ", which add up to the run time.";
  return scrolling(table("table#path-parts",
                         {{"spent on"}, {"before or in"}, {"time", true}, {"of the run", true}},
                         rows) +
                   (parts.size() > kPathShown ? element("p.note", note) : Markup()));
}

Markup gradient_table(const ordered_json& path) {
  Markup rows;
  for (const auto& one : part_of(path, "gradient")) {
    const double elasticity = one.value("elasticity", 0.0);
    if (elasticity == 0) continue;
    const std::string sign = elasticity > 0 ? "+" : "−";
    rows += row(head_cell(one.value("parameter", "")) +
                number_cell(sign + digits(std::abs(elasticity), 3) + "\u202f%", elasticity));
  }
  const std::string reason = path.value("why_not_exact", "");
  return table(
      "table#path-gradient", {{"1\u202f% more of"}, {"changes the run time by", true}}, rows,
      reason.empty() ? "Exact, until another path takes over." : "Not exact: " + reason + ".");
}

// Rows of ranks, time from left to right; the darker a cell, the more of its time the path is there. END: of the run, in its last bin: the
// axis ends there.
Markup map_svg(const ordered_json& map, double end) {
  const auto &first = part_of(map, "first_ranks"), &computing = part_of(map, "computing_s"),
             &otherwise = part_of(map, "otherwise_s");
  const double bin = map.value("bin_s", 0.0);
  if (computing.empty() || bin <= 0) return {};
  const std::size_t rows = computing.size(), bins = computing[0].size();
  const double height = std::clamp(320.0 / static_cast<double>(rows), 5.0, 18.0),
               all = end > 0 ? std::min(end, bin * static_cast<double>(bins))
                             : bin * static_cast<double>(bins),
               scale = (kPathWidth - kPathLeft) / all;
  Markup cells;
  for (std::size_t r = 0; r < rows; ++r) {
    const double y = kPathTop + height * static_cast<double>(r);
    const auto begin = first[r].get<std::int64_t>(), last = first[r + 1].get<std::int64_t>() - 1;
    const std::string name =
        begin == last ? std::to_string(begin) : std::to_string(begin) + "–" + std::to_string(last);
    if (rows <= 16 || r % 8 == 0)
      cells += markup::words(kPathLeft - 8, y + height - 2, "end", "rank " + name,
                             attr("font-size", 11) + attr("fill", "currentColor"));
    for (std::size_t b = 0; b < bins; ++b) {
      const double on = computing[r][b].get<double>(), off = otherwise[r][b].get<double>();
      if (on + off <= 0) continue;
      const double from = bin * static_cast<double>(b), length = std::min(bin, all - from);
      if (length <= 0) continue;
      const Attributes look = attr("class", on >= off ? "on-computing" : "on-otherwise") +
                              attr("fill", on >= off ? "#2468b4" : "#e08a1e") +
                              attr("fill-opacity", std::clamp((on + off) / length, 0.15, 1.0));
      cells += markup::rect(kPathLeft + scale * from, y, scale * length, height - 1, look);
    }
  }
  const double bottom = kPathTop + height * static_cast<double>(rows);
  for (const double part : {0.0, 0.5, 1.0})
    cells +=
        markup::words(kPathLeft + (kPathWidth - kPathLeft) * part, bottom + 15,
                      part == 0   ? "start"
                      : part == 1 ? "end"
                                  : "middle",
                      seconds(all * part), attr("font-size", 11) + attr("fill", "currentColor"));
  return element("svg#path-map", attr("xmlns", "http://www.w3.org/2000/svg"),
                 attr("viewBox", "0 0 960 " + markup::number(bottom + kPathBottom)),
                 attr("role", "img"), attr("width", "100%"),
                 attr("aria-label", "Which ranks the critical path is on, over time."), cells);
}

}  // namespace

Markup critical_path(const StudyView& view) {
  const auto& path = part_of(part_of(*view.json, "baseline_details"), "critical_path");
  const auto& parts = part_of(path, "parts");
  if (parts.empty()) return {};
  const std::string baseline = view.baseline() == nullptr ? "" : " (" + view.baseline()->name + ")";
  return card({"critical-path", "Why it takes as long as it does",
               "The parts of the path that determines the run time" + baseline +
                   ", and the ranks it runs over: computing is blue, everything else orange.",
               scrolling(map_svg(part_of(path, "map"), path.value("time_s", 0.0)),
                         "map of the critical path") +
                   parts_table(parts) + gradient_table(path),
               true});
}

}  // namespace reprise::sim::report
