// SPDX-License-Identifier: MIT
#include "sim/study/plan.hpp"

#include <algorithm>
#include <set>

#include "sim/content_key.hpp"
#include "sim/study/engine_revision.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

bool is_requested(const Study& study, const Detail& detail) {
  switch (detail.scope) {
    case DetailScope::points:
      return true;
    case DetailScope::points_on_request:
      if (detail.key == "models") return study.models;
      if (detail.key == "sensitivities" || detail.key == "tolerances") return study.sensitivities;
      if (detail.key == "take_over") return false;
      return study.efficiencies;
    case DetailScope::baseline:
      return true;
  }
  return false;
}

// What takes many replays is told once for each point, what fills pages once for the study.
Details details_for(const Study& study, const Point& point, bool is_first) {
  Details details;
  for (const Detail* detail : all_details()) {
    if (!is_requested(study, *detail)) continue;
    if (detail->many_replays && !is_first) continue;
    if (detail->scope == DetailScope::baseline && (!point.is_baseline || !is_first)) continue;
    details.push_back(detail);
  }
  return details;
}

std::string run_text(const std::string& point_text, std::uint32_t seed, const Details& details) {
  std::string text = point_text + "\nseed " + std::to_string(seed);
  for (const Detail* detail : details) text += "\n" + std::string(detail->key);
  return text;
}

// What decides the answers of a point, with one of its recordings.
struct PointContent {
  std::string text;
  bool simulates_once;  // per process: the network
};

PointContent content_at(const Study& study, const Point& point, const StudyInputs& inputs,
                        const StudyInputs::Recording& recording) {
  try {
    const nlohmann::json content = content_of(experiment_of(study, point, inputs, recording));
    const auto network = find_network(content["network"].get<std::string>());
    const bool simulates_once = model_of(network.value()).simulates_once;
    if ((study.sensitivities || study.models) && simulates_once)
      throw InputError(study.file + (study.sensitivities ? " at /sensitivities" : " at /models"),
                       "the " + content["network"].get<std::string>() +
                           " network can simulate only once per process",
                       "take the flow network, which gives the same times");
    return {content.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), simulates_once};
  } catch (const InputError& error) {
    throw InputError(error.where(), error.problem() + " (" + describe(study, point) + ")",
                     error.hint());
  }
}

}  // namespace

std::string_view engine_version() { return kEngineVersion; }
std::string_view engine_sources() { return kEngineSources; }

Plan plan_of(const Study& study, const StudyInputs& inputs) {
  Plan plan;
  plan.points = points_of(study);
  std::set<std::string_view> known;
  const std::string engine =
      std::string(engine_version()) + ' ' + std::string(engine_sources()) + "\ntrace ";
  plan.runs.reserve(plan.points.size() * study.seeds);
  for (std::size_t point = 0; point < plan.points.size(); ++point) {
    const auto recordings = inputs.repeated(study, plan.points[point]);
    if (recordings.empty()) continue;  // results name it
    std::vector<PointContent> contents;
    for (const auto* recording : recordings) {
      contents.push_back(content_at(study, plan.points[point], inputs, *recording));
      contents.back().text = engine + recording->key + '\n' + contents.back().text;
    }
    const std::size_t runs = std::max<std::size_t>(study.seeds, recordings.size());
    for (std::size_t i = 0; i < runs; ++i) {
      const std::size_t number = i % recordings.size();
      const auto seed = static_cast<std::uint32_t>(1 + i / recordings.size());
      auto details = details_for(study, plan.points[point], i == 0);
      auto key = content_key(run_text(contents[number].text, seed, details));
      plan.runs.push_back({point,
                           seed,
                           std::move(details),
                           std::move(key),
                           recordings[number],
                           {},
                           contents[number].simulates_once});
      if (recordings.size() > 1) plan.runs.back().recording_number = number + 1;
      if (known.insert(plan.runs.back().key).second) plan.distinct.push_back(plan.runs.size() - 1);
    }
  }
  return plan;
}

}  // namespace reprise::sim
