// SPDX-License-Identifier: MIT
#include "sim/cli/validation_text.hpp"

#include <map>

#include "sim/cli/json_text.hpp"
#include "sim/cli/words.hpp"

namespace reprise::cli {
namespace {

using sim::validation::Check;

bool is_time(const Check& check) {
  return check.what == "time" || check.what == "application time" || check.what == "MPI time";
}

std::string check_line(const Check& check) {
  const std::string name = check.key.empty() ? check.what : check.what + " of " + check.key;
  const std::string mark = check.ok ? "  ok    " : "  FAIL  ";
  if (!check.reason.empty() || check.what == "program")
    return mark + name + (check.reason.empty() ? "" : ": " + check.reason) + "\n";
  if (is_time(check))
    return mark + name + formatted(": %.6g s, mpiP %.6g s", check.ours, check.theirs) +
           (check.theirs > 0 ? formatted(" (%+.1f %%)", 100 * (check.ours / check.theirs - 1))
                             : "") +
           "\n";
  return mark + name + formatted(": %.12g, mpiP %.12g", check.ours, check.theirs) + "\n";
}

}  // namespace

std::string validation_text(const sim::validation::Validation& validation,
                            const sim::validation::Profile& ours,
                            const sim::validation::Profile& theirs, bool every_check) {
  std::string text = ours.source + " against " + theirs.source + ": " +
                     (validation.passed() ? "pass" : "FAIL") + "\n";
  struct Tally {
    std::size_t passed = 0, failed = 0;
  };
  std::map<std::string, Tally> tallies;
  for (const auto& check : validation.checks)
    ++(check.ok ? tallies[check.what].passed : tallies[check.what].failed);
  for (const auto& [what, tally] : tallies)
    text += formatted("  %-18s %zu of %zu checks pass\n", what.c_str(), tally.passed,
                      tally.passed + tally.failed);
  if (validation.worst_time_error > 0)
    text += formatted("  %-18s %.1f %%\n", "worst time error", 100 * validation.worst_time_error);
  std::string lines;
  for (const auto& check : validation.checks)
    if (every_check || !check.ok) lines += check_line(check);
  if (!lines.empty()) text += "\n" + lines;
  if (!validation.skipped.empty()) {
    text += "\nnot compared:\n";
    std::map<std::pair<std::string, std::string>, std::string> keys;  // (what, reason) → keys
    for (const auto& skipped : validation.skipped) {
      auto& list = keys[{skipped.what, skipped.reason}];
      if (!skipped.key.empty()) list += (list.empty() ? "" : ", ") + skipped.key;
    }
    for (const auto& [key, list] : keys)
      text += "  " + key.first + (list.empty() ? "" : " of " + list) + ": " + key.second + "\n";
  }
  return text;
}

std::string validation_json(const sim::validation::Validation& validation) {
  nlohmann::ordered_json answer;
  answer["format"] = 1;
  answer["verdict"] = validation.passed() ? "pass" : "fail";
  auto checks = nlohmann::ordered_json::array();
  for (const auto& check : validation.checks) {
    nlohmann::ordered_json row = {{"what", check.what},
                                  {"key", check.key},
                                  {"ours", check.ours},
                                  {"mpip", check.theirs},
                                  {"ok", check.ok}};
    if (!check.reason.empty()) row["reason"] = check.reason;
    checks.push_back(std::move(row));
  }
  answer["checks"] = std::move(checks);
  auto skipped = nlohmann::ordered_json::array();
  for (const auto& one : validation.skipped)
    skipped.push_back({{"what", one.what}, {"key", one.key}, {"reason", one.reason}});
  answer["skipped"] = std::move(skipped);
  answer["worst_time_error"] = validation.worst_time_error;
  return json_text(answer);
}

}  // namespace reprise::cli
