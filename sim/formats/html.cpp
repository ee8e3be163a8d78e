// SPDX-License-Identifier: MIT
// An answer as a page: that of a study with a single point (sim/report/study_page.hpp).
#include "sim/formats/format.hpp"
#include "sim/report/study_page.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

ordered_json point_of(const Answer& answer) {
  ordered_json point = {{"labels", ordered_json::object()}, {"status", "done"}, {"reason", ""}};
  point.update(summary_json(answer));
  add_without_changes(point, answer);
  for (const auto& [detail, figure] : answer.details)
    if (detail->scope != DetailScope::baseline) point[std::string(detail->key)] = figure->json();
  return point;
}

ordered_json study_of(const Answer& answer) {
  const auto& header = answer.trace->header;
  std::string what =
      "How long does the run take on " + answer.machine + ", " + answer.placement + " placement";
  for (const auto& change : answer.changes) what += ", " + change;
  return {{"name", header.program.substr(header.program.rfind('/') + 1)},
          {"question", what + "?"},
          {"axes", ordered_json::array()},
          {"trace",
           {{"program", header.program},
            {"ranks", header.ranks},
            {"mpi_library", header.mpi_library},
            {"recorded_s", header.elapsed.seconds().value},
            {"file", answer.trace_path},
            {"key", answer.trace_key}}},
          {"deltas", answer.deltas},
          {"seed", answer.outcome.seed},
          {"versions",
           {{"reprise", answer.version},
            {"network", answer.outcome.network},
            {"collectives", answer.outcome.collectives}}}};
}

}  // namespace

extern const Format kHtml = {
    .name = "html", .has_pictures = true, .write = [](const Answer& answer, const Presentation&) {
      ordered_json results = {{"format", 1},
                              {"study", study_of(answer)},
                              {"points", ordered_json::array({point_of(answer)})}};
      auto lacks = ordered_json::array({"how much runs differ (one recording)"});
      if (!answer.band)
        lacks.push_back("the fit error of " + answer.platform + " (it states no uncertainty)");
      if (answer.computes_as_recorded && !answer.is_of_recorded_machine)
        lacks.push_back(
            "how fast its processors are: they are taken to be as fast as the recording's");
      if (answer.preemption_left_out)
        lacks.push_back("what preempted the recording (see \"how sure\")");
      if (answer.sharing)
        lacks.push_back(
            "what ranks on one node take from each other's memory bandwidth and caches (see the "
            "notes)");
      results["certainty"] = {{"lacks", std::move(lacks)}};
      for (const auto& [detail, figure] : answer.details)
        if (detail->scope == DetailScope::baseline)
          results["baseline_details"][std::string(detail->key)] = figure->json();
      return study_page(results);
    }};

}  // namespace reprise::sim
