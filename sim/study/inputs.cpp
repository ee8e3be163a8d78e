// SPDX-License-Identifier: MIT
#include "sim/study/inputs.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "platforms/catalogue.hpp"
#include "platforms/placement.hpp"
#include "sim/recorded_machine.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/text_file.hpp"
#include "trace-io/file/trace_file.hpp"

namespace reprise::sim {
namespace {

std::string recording_hint(const Study& study) {
  if (study.record.empty()) return "record it first, or correct \"trace\"";
  std::string command = "record it first: reprise record -o " + study.trace + " --";
  for (const std::string& word : study.record) command += ' ' + word;
  return command;
}

void need_trace(const Study& study) {
  std::error_code ignored;
  if (!std::filesystem::exists(study.trace, ignored))
    throw InputError(study.file + " at /trace", "there is no trace " + study.trace,
                     recording_hint(study));
}

// A file by what it says.
nlohmann::json placement_content(const platforms::Placement& placement) {
  return {{"order", static_cast<int>(placement.order)},
          {"plane", placement.plane},
          {"seed", placement.seed},
          {"nodes", placement.nodes}};
}

}  // namespace

std::string content_key(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  std::array<char, 33> text;
  std::snprintf(text.data(), text.size(), "%016llx%016llx",
                static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text.data();
}

StudyInputs::StudyInputs(const Study& study) {
  need_trace(study);
  trace_ = trace_io::load(study.trace);
  trace_key_ = content_key(read_text_file(study.trace));
  const auto add = [&](const std::string& name, const std::string& where) {
    if (platforms_.contains(name)) return;
    platforms_[name] = name.empty() ? recorded_machine(trace_.header)
                                    : platforms::load_document(platforms::find_platform(
                                          name, platforms::platform_folders(), where));
  };
  bool always_replaced = false;  // by some axis, so that the study's own is not needed
  for (const Axis& axis : study.axes) {
    bool every_value = true;
    for (const AxisValue& value : axis.values) {
      if (value.platform) add(*value.platform, value.place.child("platform").text());
      every_value &= value.platform.has_value();
    }
    always_replaced |= every_value;
  }
  if (!always_replaced) add(study.platform, study.file + " at /platform");
}

Experiment experiment_of(const Study& study, const Point& point, const StudyInputs& inputs) {
  Experiment experiment;
  experiment.trace = &inputs.trace();
  experiment.trace_path = study.trace;
  experiment.placement = study.placement;
  experiment.placement_place = study.file;
  experiment.changes = study.changes;
  experiment.settings.network = study.network;
  experiment.settings.deltas = study.deltas;
  experiment.noise = study.noise;
  experiment.noise_place = study.file + " at /noise";
  std::string platform = study.platform;
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis) {
    const AxisValue& value = study.axes[axis].values[point.values[axis]];
    if (value.platform) platform = *value.platform;
    if (value.placement) experiment.placement = *value.placement;
    if (value.network) experiment.settings.network = *value.network;
    experiment.changes.insert(experiment.changes.end(), value.changes.begin(), value.changes.end());
  }
  experiment.machine = inputs.platform(platform);
  experiment.is_recorded_machine = platform.empty();
  return experiment;
}

nlohmann::json content_of(const Experiment& experiment) {
  const Prepared prepared = prepare(experiment);
  nlohmann::json changes = nlohmann::json::array();
  for (const Change& change : experiment.changes) changes.push_back(change.written);
  nlohmann::json content = {{"platform", prepared.document.value},
                            {"placement", placement_content(prepared.settings.placement)},
                            {"network", name_of(prepared.settings.network)},
                            {"deltas", name_of(prepared.settings.deltas)},
                            {"changes", std::move(changes)}};
  if (experiment.noise == "recorded")
    content["noise"] = experiment.noise;
  else if (experiment.noise != "none")
    content["noise"] = platforms::load_json(experiment.noise).value;
  return content;
}

}  // namespace reprise::sim
