// SPDX-License-Identifier: MIT
#include "sim/formats/deadlock.hpp"

#include "sim/experiment/details/window_calls.hpp"
#include "sim/report/study_page.hpp"
#include "sim/text/tables.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

std::string page(const Experiment& experiment, const std::string& why, ordered_json timeline) {
  const auto& header = experiment.trace->header;
  ordered_json study = {{"name", header.program.substr(header.program.rfind('/') + 1)},
                        {"question", "Where does the run deadlock?"},
                        {"axes", ordered_json::array()},
                        {"trace",
                         {{"program", header.program},
                          {"ranks", header.ranks},
                          {"mpi_library", header.mpi_library},
                          {"file", experiment.trace_path}}}};
  ordered_json point = {{"labels", ordered_json::object()}, {"status", "failed"}, {"reason", why}};
  return study_page({{"format", 1},
                     {"study", std::move(study)},
                     {"points", ordered_json::array({std::move(point)})},
                     {"baseline_details", {{"timeline", std::move(timeline)}}}});
}

}  // namespace

std::string write_deadlock(const Format& format, const Experiment& experiment,
                           const PredictedWindow& predicted) {
  const WindowCalls window(*experiment.trace, *predicted.observation->window());
  if (format.name == "text") return window.text();
  if (format.name == "csv") return csv_text(window.rows());
  const std::string why = predicted.deadlock->what();
  ordered_json timeline = {{window.is_moment ? "moment" : "window", window.json()}};
  if (format.has_pictures) return page(experiment, why, std::move(timeline));
  return json_text({{"format", 1}, {"deadlock", why}, {"timeline", std::move(timeline)}});
}

}  // namespace reprise::sim
