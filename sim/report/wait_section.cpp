// SPDX-License-Identifier: MIT
// The section on what the baseline's ranks wait for, in Scalasca's terms.
#include <algorithm>

#include "sim/report/call_text.hpp"
#include "sim/report/number_text.hpp"
#include "sim/report/sections.hpp"

namespace reprise::sim::report {

Markup wait_states(const StudyView& view) {
  constexpr std::size_t kShown = 12;
  const auto& waits = part_of(part_of(*view.json, "baseline_details"), "wait_states");
  const auto& sites = part_of(waits, "by_site");
  if (sites.empty()) return {};
  const double all = waits.value("all_s", 0.0);
  Markup rows;
  for (std::size_t i = 0; i < std::min(kShown, sites.size()); ++i) {
    const auto& wait = sites[i];
    const double time = wait.value("seconds", 0.0), most = wait.value("most_s", 0.0);
    rows +=
        row(head_cell(wait.value("state", "")) + text_cell(call_of(wait)) +
            number_cell(seconds(time), time) + share_cell(all > 0 ? time / all : 0, "share") +
            text_cell("rank " + std::to_string(wait.value("most_rank", 0)) + ", " + seconds(most)));
  }
  const auto note = "The " + whole(static_cast<double>(kShown)) + " largest of " +
                    counted(sites.size(), "place") + ".";
  const std::string baseline = view.baseline() == nullptr ? "" : " (" + view.baseline()->name + ")";
  return card(
      {"wait-states", "What ranks wait for",
       "Scalasca's wait states, summed over ranks" + baseline + ".",
       scrolling(
           table("table#wait-state-sums",
                 {{"wait state"}, {"in"}, {"time", true}, {"of all waiting", true}, {"longest on"}},
                 rows) +
           (sites.size() > kShown ? element("p.note", note) : Markup())),
       true});
}

}  // namespace reprise::sim::report
