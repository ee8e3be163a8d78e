// SPDX-License-Identifier: MIT
#include "sim/report/validation_page.hpp"

#include <algorithm>
#include <map>

#include "sim/report/number_text.hpp"
#include "sim/report/page.hpp"

namespace reprise::sim {
namespace {

using namespace report;
using validation::Check;

bool is_time(const Check& check) {
  return check.what == "time" || check.what == "application time" || check.what == "MPI time";
}

std::string name_of(const Check& check) {
  return check.key.empty() ? check.what : check.what + " of " + check.key;
}

Markup check_row(const Check& check, const Markup& cells, const Markup& verdict) {
  return row(head_cell(name_of(check)) + cells + text_cell(verdict),
             check.ok ? Attributes() : attr("class", "failed"));
}

Markup verdict_sentence(const validation::Validation& result, const validation::Profile& ours,
                        const validation::Profile& theirs) {
  const auto failed = static_cast<std::uint64_t>(std::count_if(
      result.checks.begin(), result.checks.end(), [](const Check& c) { return !c.ok; }));
  const auto compared = counted(result.checks.size(), "number");
  const Markup sides = element("b", ours.source) + " against " + element("b", theirs.source) + ": ";
  if (failed == 0) return sides + "all " + compared + " that were compared agree.";
  return sides + whole(static_cast<double>(failed)) + " of " + compared +
         (failed == 1 ? " does" : " do") + " not agree.";
}

// Two bars for each time, the longer of all of them as wide as the column.
Markup times_table(const validation::Validation& result) {
  double longest = 0;
  for (const auto& check : result.checks)
    if (is_time(check)) longest = std::max({longest, check.ours, check.theirs});
  if (longest <= 0) return {};
  const auto bar = [&](double value) {
    return bar_cell(seconds(value), value, value / longest, "time");
  };
  Markup rows;
  for (const auto& check : result.checks) {
    if (!is_time(check)) continue;
    const double error = check.theirs > 0 ? check.ours / check.theirs - 1 : 0;
    const std::string apart = check.theirs > 0 ? (error > 0 ? "+" : "") + percent(error) : "–";
    rows += check_row(check, bar(check.ours) + bar(check.theirs) + element("td.n", apart),
                      check.ok ? "within the tolerance" : "✗ beyond the tolerance");
  }
  const std::vector<Column> columns = {
      {"what"}, {"ours", true}, {"mpiP", true}, {"apart", true}, {"verdict"}};
  return element("h3", "Times") + "\n" + scrolling(table("table#times", columns, rows), "times");
}

Markup counts_table(const validation::Validation& result) {
  std::vector<const Check*> checks;
  for (const auto& check : result.checks)
    if (!is_time(check)) checks.push_back(&check);
  std::stable_partition(checks.begin(), checks.end(),
                        [](const Check* check) { return !check->ok; });
  Markup rows;
  for (const auto* check : checks) {
    const auto number = [&](double value) {
      return check->what == "program" ? text_cell("") : number_cell(whole(value), value);
    };
    const auto difference = "✗ " + (check->reason.empty() ? "different" : check->reason);
    rows += check_row(*check, number(check->ours) + number(check->theirs),
                      !check->ok          ? difference
                      : check->within > 0 ? "equal as far as mpiP's digits tell"
                                          : "equal");
  }
  const std::vector<Column> columns = {{"what"}, {"ours", true}, {"mpiP", true}, {"verdict"}};
  return element("h3", "Calls and bytes") + "\n" +
         scrolling(table("table#counts", columns, rows), "calls and bytes");
}

Markup not_compared(const validation::Validation& result) {
  if (result.skipped.empty()) return {};
  std::map<std::pair<std::string, std::string>, std::string> keys;  // (what, reason) → keys
  for (const auto& skipped : result.skipped) {
    auto& list = keys[{skipped.what, skipped.reason}];
    if (!skipped.key.empty()) list += (list.empty() ? "" : ", ") + skipped.key;
  }
  Markup items;
  for (const auto& [key, list] : keys)
    items += element("li", key.first, list.empty() ? "" : " of " + list, ": ", key.second) + "\n";
  return element("h3", "Not compared") + "\n" + element("ul", "\n", items) + "\n";
}

Markup notes_list(const validation::Validation& result) {
  Markup text;
  for (const std::string& note : result.notes)
    text += element("p.note", "Note: " + note + ".") + "\n";
  return text;
}

}  // namespace

std::string validation_page(const validation::Validation& result, const validation::Profile& ours,
                            const validation::Profile& theirs) {
  const std::string title = "Validation of " + (ours.program.empty() ? ours.source : ours.program);
  const auto header = element(
      "header", element("h1", title), "\n",
      element("p.about",
              "calls and bytes: equal by mpiP's counting rules; times: within a tolerance"));
  const auto verdict = element("p.sentence", element("b", result.passed() ? "Pass." : "Fail."), " ",
                               verdict_sentence(result, ours, theirs));
  const auto section =
      element("section", attr("class", "card answer"), attr("id", "validation"),
              attr("aria-label", "validation"), "\n", verdict, "\n", notes_list(result),
              times_table(result), counts_table(result), not_compared(result)) +
      "\n";
  return page_text(title, header + "\n" + element("main", "\n", section) + "\n");
}

}  // namespace reprise::sim
