// SPDX-License-Identifier: MIT
// The section on which computing of the baseline causes its waiting.
#include <algorithm>

#include "sim/report/call_text.hpp"
#include "sim/report/number_text.hpp"
#include "sim/report/sections.hpp"

namespace reprise::sim::report {
namespace {

using nlohmann::ordered_json;

// The call that waits most for it; keys begin with "most_".
std::string most_call_of(const ordered_json& delay) {
  return call_of({{"procedure", delay.value("most_procedure", "")},
                  {"place", delay.value("most_place", "")},
                  {"caller", delay.value("most_caller", "")}});
}

}  // namespace

Markup delay_costs(const StudyView& view) {
  constexpr std::size_t kShown = 12;
  const auto& costs = part_of(part_of(*view.json, "baseline_details"), "delay_costs");
  const auto& delays = part_of(costs, "delays");
  const double all = number_at(costs, "all_s"), messages = number_at(costs, "messages_s");
  if (all <= 0) return {};
  const auto share = [all](double seconds) { return share_cell(seconds / all, "share"); };
  Markup rows;
  for (std::size_t i = 0; i < std::min(kShown, delays.size()); ++i) {
    const auto& delay = delays[i];
    const double direct = number_at(delay, "direct_s"), chain = number_at(delay, "chain_s");
    const std::string function = delay.value("function", "");
    rows += row(head_cell(call_of(delay) + (function.empty() ? "" : ", in " + function)) +
                text_cell("rank " + std::to_string(delay.value("rank", 0))) +
                number_cell(seconds(direct), direct) + number_cell(seconds(chain), chain) +
                share(direct + chain) + text_cell(most_call_of(delay)));
  }
  rows += row(head_cell("messages") + text_cell("") + no_number() +
              number_cell(seconds(messages), messages) + share(messages) + text_cell(""));
  const auto note = "The " + whole(static_cast<double>(kShown)) + " largest of " +
                    counted(delays.size(), "place") + ".";
  const std::string baseline = view.baseline() == nullptr ? "" : " (" + view.baseline()->name + ")";
  return card({"delay-costs", "Which computing causes the waiting",
               "Waiting of all ranks, by the computing that made them wait" + baseline +
                   ": directly, or by making a rank late that others waited for.",
               scrolling(table("table#delay-costs-table",
                               {{"computing before"},
                                {"on"},
                                {"direct", true},
                                {"in chains", true},
                                {"of all waiting", true},
                                {"waited mostly in"}},
                               rows) +
                         (delays.size() > kShown ? element("p.note", note) : Markup())),
               true});
}

}  // namespace reprise::sim::report
