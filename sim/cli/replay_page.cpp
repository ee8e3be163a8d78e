// SPDX-License-Identifier: MIT
#include "sim/cli/replay_page.hpp"

#include "sim/cli/trace_text.hpp"
#include "sim/report/study_page.hpp"

namespace reprise::cli {
namespace {

using nlohmann::ordered_json;

ordered_json point_of(const sim::Answer& answer) {
  ordered_json point = {{"labels", ordered_json::object()},
                        {"status", "done"},
                        {"reason", ""},
                        {"predicted_time_s", answer.outcome.predicted_time.value}};
  double compute = 0, communication = 0, wait = 0;
  for (const auto& rank : answer.outcome.ranks) {
    compute += rank.compute.value;
    communication += rank.communication.value;
    wait += rank.wait.value;
  }
  const double ranks = static_cast<double>(answer.outcome.ranks.size());
  point["compute_s"] = compute / ranks;
  point["communication_s"] = communication / ranks;
  point["wait_s"] = wait / ranks;
  point["losses"] = losses_json(answer.outcome.losses);
  return point;
}

}  // namespace

std::string replay_page(const sim::Answer& answer, const trace_io::Header& header,
                        const ReportContext& context) {
  std::string what =
      "How long does the run take on " + context.machine + ", " + context.placement + " placement";
  for (const auto& change : context.changes) what += ", " + change;
  ordered_json results = {
      {"format", 1},
      {"study",
       {{"name", header.program.substr(header.program.rfind('/') + 1)},
        {"question", what + "?"},
        {"axes", ordered_json::array()},
        {"trace",
         {{"program", header.program},
          {"ranks", header.ranks},
          {"mpi_library", header.mpi_library},
          {"recorded_s", header.elapsed.seconds().value},
          {"file", context.trace_path}}},
        {"versions",
         {{"network", answer.outcome.network}, {"collectives", answer.outcome.collectives}}}}},
      {"points", ordered_json::array({point_of(answer)})}};
  const ordered_json parts = to_json(answer);
  for (const auto& [key, part] : parts.items()) {
    const bool is_of_point =
        key == "efficiencies" || key == "link_classes" || key == "sensitivities";
    (is_of_point ? results["points"][0] : results["baseline_details"])[key] = part;
  }
  results["remarks"] = context.remarks;
  return sim::study_page(results);
}

}  // namespace reprise::cli
