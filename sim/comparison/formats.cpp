// SPDX-License-Identifier: MIT
// A comparison as JSON, CSV and text.
#include <algorithm>

#include "sim/comparison/comparison.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"

namespace reprise::sim {
namespace {

constexpr std::size_t kShown = 15;

}  // namespace

using nlohmann::ordered_json;

ordered_json to_json(const Comparison& comparison) {
  ordered_json json = {{"format", 1},
                       {"names", {comparison.names[0], comparison.names[1]}},
                       {"predicted_time_s", {comparison.times[0], comparison.times[1]}},
                       {"change_s", comparison.times[1] - comparison.times[0]},
                       {"recordings", name_of(comparison.recordings)},
                       {"how_sure", comparison.how_sure}};
  for (const ChangeTable& table : comparison.tables) {
    auto rows = ordered_json::array();
    for (const PartChange& one : table.changes) {
      rows.push_back({{"what", one.what},
                      {"before_s", one.before},
                      {"after_s", one.after},
                      {"change_s", one.change()}});
      if (!one.range) continue;
      rows.back()["low_s"] = one.range->low;
      rows.back()["high_s"] = one.range->high;
    }
    json[table.key] = std::move(rows);
  }
  auto unchanged = ordered_json::object();
  for (const ChangeTable& table : comparison.tables)
    if (table.unchanged > 0)
      unchanged[table.key] = {{"rows", table.unchanged}, {"seconds", table.unchanged_s}};
  if (!unchanged.empty()) json["unchanged"] = std::move(unchanged);
  if (!comparison.notes.empty()) json["notes"] = comparison.notes;
  return json;
}

std::string csv_of(const Comparison& comparison) {
  auto rows = ordered_json::array();
  const auto add = [&rows](const std::string& table, const PartChange& one) {
    rows.push_back({{"table", table},
                    {"what", one.what},
                    {"before_s", one.before},
                    {"after_s", one.after},
                    {"change_s", one.change()}});
  };
  add("run", {"predicted run time", comparison.times[0], comparison.times[1], {}});
  for (const ChangeTable& table : comparison.tables)
    for (const PartChange& one : table.changes) add(table.key, one);
  return csv_text(rows);
}

std::string text_of(const Comparison& comparison) {
  const double change = comparison.times[1] - comparison.times[0];
  const auto percent = [&](double seconds) {
    return comparison.times[0] > 0 ? 100 * seconds / comparison.times[0] : 0;
  };
  std::string text;
  for (const int i : {0, 1})
    text += formatted("%-6s  %12.6f s  %s\n", i == 0 ? "before" : "after", comparison.times[i],
                      comparison.names[i].c_str());
  text += formatted("change  %+12.6f s  %+.1f%%\n\n", change, percent(change));
  text += "how sure: " + comparison.how_sure + "\n";
  for (const ChangeTable& table : comparison.tables) {
    text += formatted("\n%-58s  %12s  %12s  %12s%s", table.name.c_str(), "before s", "after s",
                      "change s", table.is_sum ? "" : "   of run");
    text += (table.range_from.empty() ? "" : "   95% of the change s, " + table.range_from) + "\n";
    const std::size_t shown = std::min(table.changes.size(), kShown);
    for (std::size_t i = 0; i < shown; ++i) {
      const PartChange& one = table.changes[i];
      text += padded(one.what, 58) +
              formatted("  %12.6f  %12.6f  %+12.6f", one.before, one.after, one.change()) +
              (table.is_sum ? "" : formatted("  %+6.1f%%", percent(one.change()))) +
              (one.range ? formatted("   %+.6f to %+.6f", one.range->low, one.range->high) : "") +
              "\n";
    }
    // So that columns add up.
    if (table.changes.size() > shown) {
      PartChange rest;
      for (std::size_t i = shown; i < table.changes.size(); ++i) {
        rest.before += table.changes[i].before;
        rest.after += table.changes[i].after;
      }
      text +=
          padded(formatted("(%zu more: --format json or csv)", table.changes.size() - shown), 58) +
          formatted("  %12.6f  %12.6f  %+12.6f\n", rest.before, rest.after, rest.change());
    }
    if (table.changes.empty())
      text += "(no change)\n";
    else if (table.unchanged > 0)
      text += padded("(" + counted(table.unchanged, "row") + " without change)", 58) +
              formatted("  %12.6f  %12.6f\n", table.unchanged_s, table.unchanged_s);
  }
  for (const std::string& one : comparison.notes) text += "\nnote: " + one + "\n";
  return text;
}

}  // namespace reprise::sim
