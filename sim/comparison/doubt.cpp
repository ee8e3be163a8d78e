// SPDX-License-Identifier: MIT
#include "sim/comparison/doubt.hpp"

#include <optional>
#include <set>

#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

// Its time under another assumption, where it states one.
std::optional<double> time_in(const ordered_json& answer, const char* doubt) {
  const auto found = answer.find(doubt);
  if (found == answer.end() || !found->is_object()) return std::nullopt;
  const auto time = found->find("predicted_time_s");
  if (time == found->end() || !time->is_number()) return std::nullopt;
  return time->get<double>();
}

std::string network_of(const ordered_json& answer) {
  const auto found = answer.find("other_sharing");
  return found == answer.end() || !found->is_object() ? "" : found->value("network", "");
}

// IF: "if MPI makes progress only inside its calls".
std::string note(const std::string& condition, const ordered_json& before,
                 const ordered_json& after, const std::optional<double>& before_then,
                 const std::optional<double>& after_then) {
  const double own[] = {before["predicted_time_s"], after["predicted_time_s"]};
  const double then[] = {before_then.value_or(own[0]), after_then.value_or(own[1])};
  const auto seconds = [](double time) { return formatted("%.6f s", time); };
  std::string takes;
  if (before_then && after_then)
    takes = "before takes " + seconds(then[0]) + " and after " + seconds(then[1]);
  else
    takes = before_then ? "before takes " + seconds(then[0]) : "after takes " + seconds(then[1]);
  const auto change = [](const double times[2]) {
    return times[0] > 0 ? formatted("%+.1f%%", 100 * (times[1] / times[0] - 1)) : "unknown";
  };
  return condition + ", " + takes + ": the change is " + change(then) + " instead of " +
         change(own);
}

}  // namespace

std::vector<std::string> notes_on_doubt(const ordered_json& before, const ordered_json& after) {
  std::vector<std::string> notes;
  const auto in_calls = [](const ordered_json& one) { return time_in(one, "progress_in_calls"); };
  if (in_calls(before) || in_calls(after))
    notes.push_back(note("if MPI makes progress only inside its calls", before, after,
                         in_calls(before), in_calls(after)));
  for (const std::string& network : std::set{network_of(before), network_of(after)}) {
    const auto by_network = [&](const ordered_json& one) {
      return network_of(one) == network ? time_in(one, "other_sharing") : std::nullopt;
    };
    if (!network.empty() && (by_network(before) || by_network(after)))
      notes.push_back(note("if messages share links by network " + network, before, after,
                           by_network(before), by_network(after)));
  }
  return notes;
}

}  // namespace reprise::sim
