// SPDX-License-Identifier: MIT
#include "sim/report/comparison_page.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "sim/report/number_text.hpp"
#include "sim/report/page.hpp"
#include "sim/report/sentences.hpp"
#include "sim/report/time_ratio.hpp"
#include "sim/report/waterfall.hpp"

namespace reprise::sim {
namespace {

using namespace report;
using nlohmann::ordered_json;

constexpr std::size_t kShown = 20;

struct Table {
  const char *key, *title, *lead, *first;
  bool is_sum = false;  // over ranks: no share of the run time
};
constexpr Table kPath = {
    "critical_path", "Causes of the change",
    "The parts of the critical path: these changes add up to the change of the run time.",
    "spent on"};
constexpr Table kTables[] = {
    {"critical_path_calls", "The same by call",
     "The critical path, by call: the time in the call, and the computing before it.", "call"},
    {"functions", "Functions", "The critical path's computing, by function.", "function"},
    {"wait_states", "What ranks wait for", "Scalasca's wait states, summed over ranks.",
     "wait state", true},
    {"call_sites", "Where the program spends it",
     "MPI call sites, summed over ranks; computing is the time before their calls.", "call site",
     true},
    {"ranks", "What ranks do", "The mean of the ranks' times.", "time"}};

std::string signed_text(const std::string& text, double value) {
  return (value < 0 ? "−" : value > 0 ? "+" : "") + text;
}
std::string signed_seconds(double value) { return signed_text(seconds(std::abs(value)), value); }

double number_at(const ordered_json& json, const char* key) { return json.value(key, 0.0); }

Markup share_of_run(double change, double run) {
  constexpr double kNothing = 0.00005;  // less is 0.00 %
  if (run <= 0) return no_number();
  const double share = change / run;
  return number_cell(
      std::abs(share) < kNothing ? "≈ 0" : signed_text(percent(std::abs(share)), change), share);
}

// Rows without change are left out, which their sum tells.
Markup unchanged_note(const ordered_json& comparison, const char* key) {
  const auto all = comparison.find("unchanged");
  if (all == comparison.end() || !all->contains(key)) return {};
  const ordered_json& own = (*all)[key];
  return element("p.note", counted(own.value("rows", std::uint64_t{0}), "row") +
                               " without change: " + seconds(number_at(own, "seconds")) +
                               " in A and in B.");
}

Markup changes_table(const Table& table, const ordered_json& rows, double run) {
  if (rows.empty()) return element("p.note", "No change.");
  double most = 0;
  for (const auto& row : rows) most = std::max(most, std::abs(number_at(row, "change_s")));
  Markup cells;
  for (std::size_t i = 0; i < std::min(kShown, rows.size()); ++i) {
    const double before = number_at(rows[i], "before_s"), after = number_at(rows[i], "after_s"),
                 change = number_at(rows[i], "change_s");
    cells += row(head_cell(rows[i].value("what", "")) + number_cell(seconds(before), before) +
                 number_cell(seconds(after), after) +
                 bar_cell(signed_seconds(change), change, std::abs(change) / most, "change") +
                 (table.is_sum ? Markup() : share_of_run(change, run)));
  }
  std::vector<Column> columns = {{table.first}, {"in A", true}, {"in B", true}, {"change", true}};
  if (!table.is_sum) columns.push_back({"of A's run time", true});
  const std::string id = "table#" + std::string(table.key) + "-changes.sortable";
  return scrolling(report::table(id.c_str(), columns, cells), table.title) +
         (rows.size() > kShown
              ? element("p.note", "The " + whole(static_cast<double>(kShown)) + " largest of " +
                                      counted(rows.size(), "change") + ".")
              : Markup());
}

Markup notes_of(const ordered_json& comparison) {
  Markup notes;
  if (const auto found = comparison.find("notes"); found != comparison.end())
    for (const auto& note : *found) notes += element("p.note", note.get<std::string>());
  return notes;
}

Markup how_sure_of(const ordered_json& comparison) {
  const std::string text = comparison.value("how_sure", "");
  return text.empty() ? Markup() : element("p", marked_up(bold("How sure") + ": " + text + "."));
}

// "B takes 7.0 % less time than A, 434 µs instead of 467 µs. Most of it is …".
Markup sentence(double before, double after, const ordered_json& path) {
  const double change = after - before;
  const std::string times = seconds(after) + " instead of " + seconds(before);
  Markup text;
  if (before <= 0 || std::abs(change) < 0.0005 * before)
    text = "A and B take the same time, " + seconds(after) + ".";
  else
    text = marked_up(bold("B") + " takes " + time_ratio(after / before) +
                     (is_told_as_factor(after / before) ? " as " : " than ") + bold("A") + ": " +
                     times + ".");
  if (path.empty()) return element("p.sentence", text);
  const auto& first = path.front();
  const double most = number_at(first, "change_s");
  const std::string what = first.value("what", "");
  return element("p.sentence", text) +
         element("p", marked_up("The largest change on the critical path is " + bold(what) + ", " +
                                signed_seconds(most) + ": " + seconds(number_at(first, "after_s")) +
                                " instead of " + seconds(number_at(first, "before_s")) + "."));
}

Markup waterfall_card(const ordered_json& comparison, double before, double after) {
  const auto path = comparison.find(kPath.key);
  if (path == comparison.end())
    return card({"waterfall", kPath.title, "",
                 element("p.warning",
                         "At least one answer has no critical path: write both with `--details "
                         "critical-path,wait-states,call-sites`."),
                 true});
  std::vector<WaterfallPart> parts;
  for (const auto& row : *path)
    parts.push_back({row.value("what", ""), number_at(row, "change_s")});
  return card(
      {"waterfall", kPath.title, kPath.lead,
       (parts.empty() ? Markup() : scrolling(waterfall_svg(before, after, parts), "waterfall")) +
           changes_table(kPath, *path, before) + unchanged_note(comparison, kPath.key),
       true});
}

}  // namespace

std::string comparison_page(const ordered_json& comparison) {
  const auto &names = comparison["names"], &times = comparison["predicted_time_s"];
  const auto before = times[0].get<double>(), after = times[1].get<double>();
  const std::string title = "What changes from A to B";
  const auto theme = element("button#theme.needs-script", attr("type", "button"), "Colours");
  const auto sides = element("dl", element("dt", "A"), element("dd", names[0].get<std::string>()),
                             element("dt", "B"), element("dd", names[1].get<std::string>()));
  const auto header = element("header", element("div.top", element("h1", title), "\n", theme));
  const auto path = comparison.find(kPath.key);
  Markup cards = waterfall_card(comparison, before, after);
  for (const Table& table : kTables)
    if (const auto rows = comparison.find(table.key); rows != comparison.end())
      cards +=
          card({table.key, table.title, table.lead,
                changes_table(table, *rows, before) + unchanged_note(comparison, table.key), true});
  if (const Markup notes = notes_of(comparison); comparison.contains("notes"))
    cards += card({"notes", "Notes", "", notes, true});
  const auto answer =
      element("section", attr("class", "card answer"), attr("id", "answer"),
              attr("aria-label", "the answer"),
              sentence(before, after, path == comparison.end() ? ordered_json::array() : *path),
              how_sure_of(comparison), sides);
  return page_text(title, header + "\n" + element("main", "\n", answer, "\n", cards) + "\n" +
                              scripts(comparison, false));
}

}  // namespace reprise::sim
