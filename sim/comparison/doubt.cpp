// SPDX-License-Identifier: MIT
#include "sim/comparison/doubt.hpp"

#include <array>
#include <optional>
#include <set>

#include "sim/comparison/answer_fields.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;
using Times = std::array<std::optional<double>, 2>;  // before, after

constexpr const char* kSides[] = {"before", "after"};

std::optional<double> time_at(const ordered_json& json) {
  const auto time = json.find("predicted_time_s");
  if (time == json.end() || !time->is_number()) return std::nullopt;
  return time->get<double>();
}

bool is_noticed(const ordered_json& answer, const char* doubt) {
  const auto found = answer.find(doubt);
  return found != answer.end() && found->is_object() && time_at(*found) &&
         found->value("noticed", true);  // older answers hold what was noticed alone
}

std::optional<double> in_calls(const ordered_json& answer) {
  const auto found = answer.find("progress_in_calls");
  return found == answer.end() || !found->is_object() ? std::nullopt : time_at(*found);
}

// Of an answer by another network what it says of this one, wherever it does.
std::optional<double> by_network(const ordered_json& answer, const std::string& network) {
  if (text_at(answer, "network") == network) return time_at(answer);
  if (const auto found = answer.find("other_sharing");
      found != answer.end() && found->is_object() && text_at(*found, "network") == network)
    return time_at(*found);
  for (const char* list : {"models", "networks"})
    for (const auto& one : part_of(answer, list))
      if (one.is_object() && text_at(one, "network") == network) return time_at(one);
  return std::nullopt;
}

std::string change_text(double before, double after) {
  return before > 0 ? formatted("%+.1f%%", 100 * (after / before - 1)) : "unknown";
}

// CONDITION: "if MPI makes progress only inside its calls". OPTION: what a replay says it with.
std::string note(const std::string& condition, const std::string& option, const Times& own,
                 const Times& then) {
  std::string takes, unknown;
  for (std::size_t side = 0; side < 2; ++side)
    if (then[side])
      takes += (takes.empty() ? std::string() : std::string(" and ")) + kSides[side] +
               (takes.empty() ? " takes " : " ") + formatted("%.6f s", *then[side]);
    else
      unknown = kSides[side];
  if (!unknown.empty())
    return condition + ", " + takes + "; what " + unknown +
           " takes then is not known, so what the change is then is not, either (replay " +
           unknown + " again, with " + option + ")";
  return condition + ", " + takes + ": the change is " + change_text(*then[0], *then[1]) +
         " instead of " + change_text(own[0].value_or(0), own[1].value_or(0));
}

std::string network_of(const ordered_json& answer) {
  return is_noticed(answer, "other_sharing") ? text_at(answer["other_sharing"], "network") : "";
}

}  // namespace

std::vector<std::string> notes_on_doubt(const ordered_json& before, const ordered_json& after) {
  std::vector<std::string> notes;
  const Times own{time_at(before), time_at(after)};
  if (is_noticed(before, "progress_in_calls") || is_noticed(after, "progress_in_calls"))
    notes.push_back(note("if MPI makes progress only inside its calls",
                         "--set /mpi/progress=in_calls", own, {in_calls(before), in_calls(after)}));
  for (const std::string& network : std::set{network_of(before), network_of(after)})
    if (!network.empty())
      notes.push_back(note("if messages share links by network " + network, "--details models", own,
                           {by_network(before, network), by_network(after, network)}));
  return notes;
}

}  // namespace reprise::sim
