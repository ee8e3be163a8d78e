// SPDX-License-Identifier: MIT
#include "sim/report/validation_page.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

#include "sim/report/embedded.hpp"
#include "sim/report/html.hpp"

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

std::string number(double value) {
  return "<td class=\"n\" data-value=\"" + exact(value) + "\">" + whole(value) + "</td>";
}

std::string verdict_sentence(const validation::Validation& result, const validation::Profile& ours,
                             const validation::Profile& theirs) {
  const auto failed = static_cast<std::uint64_t>(std::count_if(
      result.checks.begin(), result.checks.end(), [](const Check& c) { return !c.ok; }));
  const auto compared = counted(result.checks.size(), "number");
  const std::string sides =
      "<b>" + escaped(ours.source) + "</b> against <b>" + escaped(theirs.source) + "</b>: ";
  if (failed == 0) return sides + "all " + compared + " that were compared agree.";
  return sides + whole(static_cast<double>(failed)) + " of " + compared +
         (failed == 1 ? " does" : " do") + " not agree.";
}

// Two bars for each time, the longer of all of them as wide as the column.
std::string times_table(const validation::Validation& result) {
  double longest = 0;
  for (const auto& check : result.checks)
    if (is_time(check)) longest = std::max({longest, check.ours, check.theirs});
  if (longest <= 0) return "";
  const auto bar = [&](double value) {
    char width[32];
    std::snprintf(width, sizeof width, "%.2f%%", 100 * value / longest);
    return "<td class=\"n\" data-bar data-value=\"" + exact(value) + "\" style=\"--w:" + width +
           "\">" + seconds(value) + "</td>";
  };
  std::string rows;
  for (const auto& check : result.checks) {
    if (!is_time(check)) continue;
    const double error = check.theirs > 0 ? check.ours / check.theirs - 1 : 0;
    const std::string apart = check.theirs > 0 ? (error > 0 ? "+" : "") + percent(error) : "–";
    rows += std::string(check.ok ? "<tr>" : "<tr class=\"failed\">") + "<th scope=\"row\">" +
            escaped(name_of(check)) + "</th>" + bar(check.ours) + bar(check.theirs) +
            "<td class=\"n\">" + apart + "</td><td>" +
            (check.ok ? "within the tolerance" : "✗ beyond the tolerance") + "</td></tr>\n";
  }
  return "<h3>Times</h3>\n<div class=\"scroll\"><table id=\"times\"><thead><tr><th "
         "scope=\"col\">what</th><th scope=\"col\" class=\"n\">ours</th>"
         "<th scope=\"col\" class=\"n\">mpiP</th><th scope=\"col\" class=\"n\">apart</th><th "
         "scope=\"col\">verdict</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n";
}

std::string counts_table(const validation::Validation& result) {
  std::vector<const Check*> checks;
  for (const auto& check : result.checks)
    if (!is_time(check)) checks.push_back(&check);
  std::stable_partition(checks.begin(), checks.end(),
                        [](const Check* check) { return !check->ok; });
  std::string rows;
  for (const auto* check : checks) {
    const bool has_numbers = check->what != "program";
    rows += std::string(check->ok ? "<tr>" : "<tr class=\"failed\">") + "<th scope=\"row\">" +
            escaped(name_of(*check)) + "</th>" +
            (has_numbers ? number(check->ours) + number(check->theirs) : "<td></td><td></td>") +
            "<td>" +
            (check->ok ? "equal"
                       : "✗ " + (check->reason.empty() ? std::string("different")
                                                       : escaped(check->reason))) +
            "</td></tr>\n";
  }
  return "<h3>Calls and bytes</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
         "aria-label=\"calls and bytes\"><table id=\"counts\"><thead><tr>"
         "<th scope=\"col\">what</th><th scope=\"col\" class=\"n\">ours</th><th scope=\"col\" "
         "class=\"n\">mpiP</th><th scope=\"col\">verdict</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n";
}

std::string not_compared(const validation::Validation& result) {
  if (result.skipped.empty()) return "";
  std::map<std::pair<std::string, std::string>, std::string> keys;  // (what, reason) → keys
  for (const auto& skipped : result.skipped) {
    auto& list = keys[{skipped.what, skipped.reason}];
    if (!skipped.key.empty()) list += (list.empty() ? "" : ", ") + skipped.key;
  }
  std::string items;
  for (const auto& [key, list] : keys)
    items += "<li>" + escaped(key.first) + (list.empty() ? "" : " of " + escaped(list)) + ": " +
             escaped(key.second) + "</li>\n";
  return "<h3>Not compared</h3>\n<ul>\n" + items + "</ul>\n";
}

}  // namespace

std::string validation_section(const validation::Validation& result,
                               const validation::Profile& ours, const validation::Profile& theirs) {
  return std::string(
             "<section class=\"card answer\" id=\"validation\" aria-label=\"validation\">\n<p "
             "class=\"sentence\"><b>") +
         (result.passed() ? "Pass." : "Fail.") + "</b> " + verdict_sentence(result, ours, theirs) +
         "</p>\n" + times_table(result) + counts_table(result) + not_compared(result) +
         "</section>\n";
}

std::string validation_page(const validation::Validation& result, const validation::Profile& ours,
                            const validation::Profile& theirs) {
  const std::string title =
      "Validation of " + escaped(ours.program.empty() ? ours.source : ours.program);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
         "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         title + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n" +
         std::string(style_sheet()) + "</style>\n</head>\n<body>\n<header><h1>" + title +
         "</h1>\n<p class=\"about\">calls and bytes by mpiP's counting rules, exactly; times "
         "within a tolerance</p></header>\n<main>\n" +
         validation_section(result, ours, theirs) + "</main>\n</body>\n</html>\n";
}

}  // namespace reprise::sim
