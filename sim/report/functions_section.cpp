// SPDX-License-Identifier: MIT
// The section on the functions that the program computes in: shares of the computing and of the baseline's critical path, and a flame graph.
#include <algorithm>

#include "sim/report/flame_graph.hpp"
#include "sim/report/number_text.hpp"
#include "sim/report/sections.hpp"

namespace reprise::sim::report {
namespace {

std::vector<FlameGraph> graphs_of(const nlohmann::ordered_json& classes) {
  std::vector<FlameGraph> graphs;
  for (const auto& one : classes) {
    FlameGraph& graph = graphs.emplace_back();
    graph.title = "ranks " + one.value("ranks", "") + ": " +
                  counted(one.value("samples", std::uint64_t{0}), "sample");
    for (const auto& stack : part_of(one, "stacks"))
      graph.stacks.push_back({part_of(stack, "functions").get<std::vector<std::string>>(),
                              stack.value("samples", std::uint64_t{0})});
  }
  return graphs;
}

}  // namespace

Markup functions(const StudyView& view) {
  constexpr std::size_t kShown = 12;
  const auto& json = part_of(part_of(*view.json, "baseline_details"), "functions");
  const auto& all = part_of(json, "functions");
  if (all.empty()) return {};
  Markup rows;
  for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i) {
    const auto& one = all[i];
    const auto share = [&](const char* key) { return share_cell(one.value(key, 0.0), "share"); };
    rows += row(head_cell(one.value("function", "")) + share("exclusive_share") +
                share("inclusive_share") + share("path_exclusive_share") +
                share("path_inclusive_share") + share("path_in_mpi_share"));
  }
  const auto note = "The " + whole(static_cast<double>(kShown)) + " largest of " +
                    counted(all.size(), "function") + ".";
  const std::string baseline = view.baseline() == nullptr ? "" : " (" + view.baseline()->name + ")";
  return card(
      {"functions", "Which functions compute",
       "By samples of CPU time between MPI calls, exclusive and inclusive of callees; for "
       "the run time" +
           baseline +
           ", the time that the critical path spends there, which is the most that a "
           "function can save by computing faster, and the time that it spends in calls of MPI "
           "made there.",
       scrolling(flame_graphs_svg("Call paths of the computing",
                                  graphs_of(part_of(json, "rank_classes"))),
                 "flame graph") +
           scrolling(table("table#function-shares",
                           {{"function"},
                            {"of the computing", true},
                            {"with what it calls", true},
                            {"of the critical path", true},
                            {"with what it calls", true},
                            {"in MPI, called there", true}},
                           rows) +
                     (all.size() > kShown ? element("p.note", note) : Markup())),
       true});
}

}  // namespace reprise::sim::report
