// SPDX-License-Identifier: MIT
// Tables with a row for each point of the study.
#include <algorithm>

#include "sim/report/table_cells.hpp"
#include "sim/report/tables.hpp"

namespace reprise::sim::report {
namespace {

std::string badge(const char* text) {
  return std::string(" <span class=\"badge\">") + text + "</span>";
}

std::string badges(const StudyView& view, const PointView& point) {
  return (&point == view.fastest() && view.done() > 1 ? badge("fastest") : "") +
         (point.is_baseline ? badge("baseline") : "");
}

std::string name_cells(const StudyView& view, const PointView& point) {
  std::string row;
  for (std::size_t axis = 0; axis < point.labels.size(); ++axis) {
    const std::string tags = axis + 1 == point.labels.size() ? badges(view, point) : "";
    row += (axis == 0 ? "<th scope=\"row\">" : "<td>") + escaped(point.labels[axis]) + tags +
           (axis == 0 ? "</th>" : "</td>");
  }
  return row.empty() ? "<th scope=\"row\">" + escaped(point.name) + badges(view, point) + "</th>"
                     : row;
}

std::string axis_heads(const StudyView& view) {
  std::string row;
  for (const auto& axis : view.axes) row += head(axis);
  return row.empty() ? head("run") : row;
}

std::string done_row(const StudyView& view, const PointView& point, const TimeUnit& unit,
                     double best_speedup, bool has_bands) {
  const double whole = point.compute + point.communication + point.wait;
  std::string row =
      number_cell(digits(point.time / unit.seconds, 4), point.time, " data-key=\"time\"");
  if (has_bands)
    row += "<td class=\"n\" data-low=\"" + exact(point.low) + "\" data-high=\"" +
           exact(point.high) + "\">" +
           (point.seeds > 1
                ? digits(point.low / unit.seconds, 4) + " – " + digits(point.high / unit.seconds, 4)
                : "–") +
           "</td>";
  if (point.speedup > 0)
    row += number_cell(times(point.speedup), point.speedup,
                       " style=\"--w:" + digits(100 * point.speedup / best_speedup, 3) +
                           "%\" data-bar=\"speedup\" data-key=\"speedup\"");
  else
    row += empty_cell();
  for (const auto& [share, kind] : {std::pair(point.compute, "compute"),
                                    {point.communication, "communication"},
                                    {point.wait, "wait"}})
    row += whole > 0 ? share_cell(share / whole, kind) : empty_cell();
  return name_cells(view, point) + row + text_cell(limit_of(point));
}

}  // namespace

std::string points_table(const StudyView& view) {
  const auto* fastest = view.fastest();
  double longest = 0, best_speedup = 0;
  bool has_bands = false;
  for (const auto& point : view.points) {
    if (point.is_done) longest = std::max(longest, point.time);
    if (point.is_done) best_speedup = std::max(best_speedup, point.speedup);
    has_bands = has_bands || point.seeds > 1;
  }
  const TimeUnit unit = fastest == nullptr ? unit_for(longest) : unit_for(fastest->time);
  std::string rows;
  for (const auto& point : view.points) {
    rows += "<tr data-point=\"" + std::to_string(point.number) + "\"" +
            (point.is_done ? "" : " class=\"failed\"") + ">";
    if (point.is_done) {
      rows += done_row(view, point, unit, best_speedup, has_bands);
    } else {
      const auto status = point.json->value("status", ""), reason = point.json->value("reason", "");
      rows += name_cells(view, point) + "<td colspan=\"" + std::to_string(has_bands ? 7 : 6) +
              "\">no result: " + escaped(status.empty() ? "unknown" : status) +
              (reason.empty() ? "" : " – " + escaped(reason)) + "</td>";
    }
    rows += "</tr>\n";
  }
  return "<table id=\"points\" class=\"sortable\"><thead><tr>" + axis_heads(view) +
         head(std::string("run time (") + unit.name + ")", true,
              "predicted; the median over seeds") +
         (has_bands ? head("lowest – highest", true, "over the seeds") : "") +
         head("speed-up", true, "against the baseline") +
         head("computing", true, "share of the ranks' time, on average") +
         head("moving data", true, "overheads, latency, transfer") +
         head("waiting", true, "for others to do their part") + head("limited by") +
         "</tr></thead>\n<tbody>\n" + rows + "</tbody></table>";
}

std::string efficiencies_table(const StudyView& view) {
  static constexpr std::pair<const char*, const char*> kColumns[] = {
      {"parallel", "parallel efficiency"},
      {"load_balance", "load balance"},
      {"communication", "communication efficiency"},
      {"serialisation", "serialisation"},
      {"transfer", "transfer"}};
  std::string rows;
  for (const auto& point : view.points) {
    if (!point.is_done || point.efficiencies == nullptr) continue;
    const auto& e = *point.efficiencies;
    const double lowest = std::min(
        {e.value("load_balance", 1.0), e.value("serialisation", 1.0), e.value("transfer", 1.0)});
    rows += "<tr>" + name_cells(view, point);
    for (const auto& [key, title] : kColumns) {
      const double value = e.value(key, 0.0);
      const bool is_cause =
          std::string_view(key) != "parallel" && std::string_view(key) != "communication";
      const bool limits = is_cause && value == lowest && lowest < 0.95;
      rows += number_cell(
          percent(value) +
              (limits ? " <span class=\"mark\" title=\"the lowest of the three causes\">◀</span>"
                      : ""),
          value,
          std::string(" style=\"--w:") + digits(100 * std::clamp(value, 0.0, 1.0), 3) +
              "%\" data-bar=\"efficiency\"");
    }
    rows += "</tr>\n";
  }
  if (rows.empty()) return "";
  std::string heads = axis_heads(view);
  for (const auto& [key, title] : kColumns) heads += head(title, true);
  return "<table id=\"efficiencies\" class=\"sortable\"><thead><tr>" + heads +
         "</tr></thead>\n<tbody>\n" + rows + "</tbody></table>";
}

std::string sensitivities_table(const StudyView& view) {
  std::string rows;
  for (const auto& point : view.points) {
    if (!point.is_done || !point.json->contains("sensitivities")) continue;
    for (const auto& row : (*point.json)["sensitivities"]) {
      const auto& at =
          row.contains("costs_5_percent_at") ? row["costs_5_percent_at"] : nlohmann::ordered_json();
      const double elasticity = row.value("elasticity", 0.0);
      rows +=
          "<tr>" + name_cells(view, point) + text_cell(row.value("parameter", "")) +
          number_cell((elasticity > 0 ? "+" : "") + digits(elasticity, 3) + "\u202f%", elasticity) +
          (at.is_number() ? number_cell("× " + digits(at.get<double>(), 3), at.get<double>())
                          : "<td class=\"n\">never (up to × 1024)</td>") +
          "</tr>\n";
    }
  }
  if (rows.empty()) return "";
  return "<table id=\"sensitivities\"><thead><tr>" + axis_heads(view) + head("parameter") +
         head("change of the run time for 1 % more", true) +
         head("costs 5 % from", true,
              "the factor on the parameter at which the run takes 5 % longer") +
         "</tr></thead>\n<tbody>\n" + rows + "</tbody></table>";
}

}  // namespace reprise::sim::report
