// SPDX-License-Identifier: MIT
#include "sim/study/plan.hpp"

#include <set>

#include "sim/study/content_key.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

RequestedMetrics requested_metrics_for(const Study& study, const Point& point, std::uint32_t seed) {
  // What takes many replays more is told once for each point, what fills pages once for the study.
  return {study.efficiencies, study.sensitivities && seed == 1, point.is_baseline && seed == 1};
}

std::string run_text(const std::string& point_text, std::uint32_t seed,
                     const RequestedMetrics& requested) {
  return point_text + "\nseed " + std::to_string(seed) +
         (requested.efficiencies ? "\nefficiencies" : "") +
         (requested.sensitivities ? "\nsensitivities" : "") +
         (requested.details ? "\ndetails" : "");
}

std::string point_text(const Study& study, const Point& point, const StudyInputs& inputs) {
  try {
    const RunSetup setup = setup_of(study, point, inputs);
    if (study.sensitivities && model_of(setup.settings.network).simulates_once)
      throw InputError(
          study.file + " at /sensitivities",
          "the " + std::string(name_of(setup.settings.network)) + " network can simulate once only",
          "take the flow network, which gives the same times");
    return content_of(study, point, setup)
        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  } catch (const InputError& error) {
    throw InputError(error.where(), error.problem() + " (" + describe(study, point) + ")",
                     error.hint());
  }
}

}  // namespace

Plan plan_of(const Study& study, const StudyInputs& inputs) {
  Plan plan;
  plan.points = points_of(study);
  std::set<std::string_view> known;
  const std::string engine = std::string(engine_version()) + ' ' + std::string(engine_sources()) +
                             "\ntrace " + inputs.trace_key() + '\n';
  plan.runs.reserve(plan.points.size() * study.seeds);
  for (std::size_t point = 0; point < plan.points.size(); ++point) {
    const std::string text = engine + point_text(study, plan.points[point], inputs);
    for (std::uint32_t seed = 1; seed <= study.seeds; ++seed) {
      const RequestedMetrics requested = requested_metrics_for(study, plan.points[point], seed);
      plan.runs.push_back({point, seed, requested, content_key(run_text(text, seed, requested))});
      if (known.insert(plan.runs.back().key).second) plan.distinct.push_back(plan.runs.size() - 1);
    }
  }
  return plan;
}

}  // namespace reprise::sim
