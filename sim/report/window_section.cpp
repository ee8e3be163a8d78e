// SPDX-License-Identifier: MIT
// The section on a window of the predicted run: every call a bar, every message an arrow, the critical path a line.
#include "sim/report/number_text.hpp"
#include "sim/report/sections.hpp"

namespace reprise::sim::report {
namespace {

Markup kind(const std::string& look, const std::string& text) {
  return element("li", element("i", attr("style", look)), text);
}

// What may be left out of the picture.
Markup line_switch(const std::string& id, const std::string& colour, const std::string& text) {
  return element("li", element("label",
                               element("input", attr("type", "checkbox"), attr("id", id),
                                       attr("checked", "checked")),
                               " ",
                               element("i", attr("style", "background:var(--" + colour +
                                                              ");height:3px;vertical-align:4px")),
                               text));
}

}  // namespace

Markup window(const StudyView& view) {
  const auto& window =
      part_of(part_of(part_of(*view.json, "baseline_details"), "timeline"), "window");
  const auto &calls = part_of(window, "calls"), &path = part_of(window, "path");
  if (part_of(calls, "rank").empty()) return {};
  const bool has_path = !part_of(path, "rank").empty();
  const auto legend = kind("background:var(--compute)", "computing") +
                      kind("background:var(--communication)", "in a call") +
                      kind("background:var(--wait)", "waiting in it for others") +
                      line_switch("window-messages", "text", "messages") +
                      (has_path ? line_switch("window-path", "path", "critical path") : Markup());
  const std::string baseline = view.baseline() == nullptr ? "" : " (" + view.baseline()->name + ")";
  bool has_deadlock = false;
  for (const auto& never_ends : part_of(calls, "never_ends"))
    has_deadlock |= never_ends.get<bool>();
  return card(
      {"window", "Calls and messages, one by one",
       counted(part_of(calls, "rank").size(), "call") + " and " +
           counted(part_of(part_of(window, "messages"), "from").size(), "message") +
           " besides those within collectives, of the predicted run" + baseline +
           (has_path ? "; the line is the critical path." : ".") +
           (has_deadlock ? " It ends in a deadlock: the last calls of some ranks never end." : ""),
       element("ul.legend", legend) +
           canvas(
               "chart-window",
               "Calls of each rank over time, the messages between them and the critical path.") +
           element("p.note",
                   std::string("Drag, or Shift and the arrow keys, to move; Ctrl and the wheel, or "
                               "+ and −, to zoom, 0 for all; arrow keys go from call to call") +
                       (has_path ? ", n and p along the critical path" : "") +
                       ". Messages are drawn once few enough are in view."),
       true});
}

}  // namespace reprise::sim::report
