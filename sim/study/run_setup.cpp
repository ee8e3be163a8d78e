// SPDX-License-Identifier: MIT
#include "sim/study/run_setup.hpp"

#include <algorithm>
#include <filesystem>

#include "platforms/catalogue.hpp"
#include "platforms/load.hpp"
#include "platforms/placement.hpp"
#include "sim/recorded_machine.hpp"
#include "sim/study/content_key.hpp"
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

bool places_ranks(const Change& change) {
  return std::holds_alternative<PlacementChange>(change.what);
}

// A file by what it says.
nlohmann::json placement_content(const platforms::Placement& placement) {
  return {{"order", static_cast<int>(placement.order)},
          {"plane", placement.plane},
          {"seed", placement.seed},
          {"nodes", placement.nodes}};
}

}  // namespace

PointChoice choice_of(const Study& study, const Point& point) {
  PointChoice choice{study.platform, study.placement, study.network, study.changes};
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis) {
    const AxisValue& value = study.axes[axis].values[point.values[axis]];
    if (value.platform) choice.platform = *value.platform;
    if (value.placement) choice.placement = *value.placement;
    if (value.network) choice.network = *value.network;
    choice.changes.insert(choice.changes.end(), value.changes.begin(), value.changes.end());
  }
  return choice;
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

RunSetup setup_of(const Study& study, const Point& point, const StudyInputs& inputs) {
  const PointChoice choice = choice_of(study, point);
  platforms::Document document = inputs.platform(choice.platform);
  RunSetup setup;
  setup.settings.network = choice.network;
  setup.settings.deltas = study.deltas;
  apply(choice.changes, document, setup.settings);
  setup.platform = platforms::parse_platform(document);
  if (std::none_of(choice.changes.begin(), choice.changes.end(), places_ranks))
    setup.settings.placement =
        platforms::load_placement(choice.placement, setup.platform, study.file);
  setup.document = std::move(document.value);
  return setup;
}

nlohmann::json content_of(const Study& study, const Point& point, const RunSetup& setup) {
  nlohmann::json changes = nlohmann::json::array();
  for (const Change& change : choice_of(study, point).changes) changes.push_back(change.written);
  return {{"platform", setup.document},
          {"placement", placement_content(setup.settings.placement)},
          {"network", name_of(setup.settings.network)},
          {"deltas", name_of(study.deltas)},
          {"changes", std::move(changes)}};
}

}  // namespace reprise::sim
