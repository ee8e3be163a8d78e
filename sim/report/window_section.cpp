// SPDX-License-Identifier: MIT
// The section on a window of the predicted run: every call a bar, every message an arrow.
#include "sim/report/number_text.hpp"
#include "sim/report/sections.hpp"

namespace reprise::sim::report {

Markup window(const StudyView& view) {
  const auto& window =
      part_of(part_of(part_of(*view.json, "baseline_details"), "timeline"), "window");
  const auto& calls = part_of(window, "calls");
  if (part_of(calls, "rank").empty()) return {};
  Markup colours;
  for (const auto& [kind, text] : {std::pair("compute", "computing"),
                                   {"communication", "in a call"},
                                   {"wait", "waiting in it for others"}})
    colours += element(
        "li", element("i", attr("style", std::string("background:var(--") + kind + ")")), text);
  colours +=
      element("li", element("i", attr("style", "border-top:2px solid;height:7px;border-radius:0")),
              "message");
  const std::string baseline = view.baseline() == nullptr ? "" : " (" + view.baseline()->name + ")";
  return card(
      {"window", "Calls and messages, one by one",
       counted(part_of(calls, "rank").size(), "call") + " and " +
           counted(part_of(part_of(window, "messages"), "from").size(), "message") +
           " of the predicted run" + baseline + ".",
       element("ul.legend", colours) +
           canvas("chart-window", "Calls of each rank over time, and the messages between them.") +
           element("p.note",
                   "Drag, or Shift and the arrow keys, to move; Ctrl and the wheel, or + and −, to "
                   "zoom, 0 for all; arrow keys go from call to call. Messages are drawn once few "
                   "enough are in view."),
       true});
}

}  // namespace reprise::sim::report
