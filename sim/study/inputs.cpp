// SPDX-License-Identifier: MIT
#include "sim/study/inputs.hpp"

#include <filesystem>

#include "platforms/catalogue.hpp"
#include "platforms/load.hpp"
#include "platforms/placement.hpp"
#include "sim/content_key.hpp"
#include "sim/experiment/own_machine.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/text_file.hpp"
#include "trace-io/file/trace_file.hpp"

namespace reprise::sim {
namespace {

std::string recording_hint(const Application& application, const std::string& trace) {
  if (application.record.empty()) return "record it first, or correct \"trace\"";
  std::string command = "record it first: reprise record -o " + trace + " --";
  for (const std::string& word : application.record) command += ' ' + word;
  return command;
}

StudyInputs::Recording load_recording(const Application& application, std::size_t number) {
  const std::string& path = application.traces[number];
  const bool is_one = application.traces.size() == 1;
  const auto place =
      is_one ? application.place.child("trace") : application.place.child("traces").child(number);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    throw InputError(place.text(), "there is no trace " + path, recording_hint(application, path));
  return {path, content_key(read_text_file(path)), trace_io::load(path)};
}

void need_different_recordings(const Application& application,
                               const std::vector<StudyInputs::Recording>& recordings) {
  for (std::size_t i = 0; i < recordings.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (recordings[i].key == recordings[j].key)
        throw InputError(application.place.child("traces").child(i).text(),
                         "the same recording as \"" + recordings[j].path + '"',
                         "name different runs of the program, recorded one after another");
}

// Of a study without a basket: they are runs of one program at one size.
void need_equal_ranks(const Application& application,
                      const std::vector<StudyInputs::Recording>& recordings) {
  const auto ranks = [&](std::size_t i) {
    return static_cast<std::uint64_t>(recordings[i].trace.header.ranks);
  };
  for (std::size_t i = 1; i < recordings.size(); ++i)
    if (ranks(i) != ranks(0))
      throw InputError(
          application.place.child("traces").child(i).text(),
          '"' + recordings[i].path + "\" has " + counted(ranks(i), "rank") + ", and \"" +
              recordings[0].path + "\" has " + std::to_string(ranks(0)),
          "the \"traces\" of a study are runs of the same size, whose differences widen the bands; "
          "to compare sizes, write \"applications\": [{\"label\": …, \"traces\": […]}] and an axis "
          "whose values have \"ranks\"");
}

// A file by what it says.
nlohmann::json placement_content(const platforms::Placement& placement) {
  nlohmann::json content = {{"order", static_cast<int>(placement.order)},
                            {"plane", placement.plane},
                            {"seed", placement.seed},
                            {"nodes", placement.nodes}};
  // Without the default, as before there was another: rows of older results stay valid.
  if (placement.node_order != platforms::NodeOrder{})
    content["node_order"] = platforms::name_of(placement.node_order);
  return content;
}

}  // namespace

StudyInputs::StudyInputs(const Study& study) {
  for (const Application& application : study.applications) {
    auto& recordings = recordings_.emplace_back();
    for (std::size_t i = 0; i < application.traces.size(); ++i)
      recordings.push_back(load_recording(application, i));
    need_different_recordings(application, recordings);
    if (!study.is_basket) need_equal_ranks(application, recordings);
  }
  const auto add = [&](const std::string& name, const std::string& where) {
    if (platforms_.contains(name)) return;
    platforms_[name] = name.empty() ? own_machine(recordings_[0][0].trace)
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

std::string platform_of(const Study& study, const Point& point) {
  std::string platform = study.platform;
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis)
    if (const auto& named = study.axes[axis].values[point.values[axis]].platform) platform = *named;
  return platform;
}

std::optional<std::uint32_t> ranks_of(const Study& study, const Point& point) {
  const Application& application = study.applications[point.application];
  auto ranks = application.ranks;
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis)
    if (const auto& named = study.axes[axis].values[point.values[axis]].ranks) ranks = named;
  for (const ApplicationCase& one : application.cases)
    if (one.ranks && matches(one.where, point.values)) ranks = one.ranks;
  return ranks;
}

// Where nothing says how many ranks: the most that have a core each, else the fewest.
const StudyInputs::Recording* StudyInputs::recording(const Study& study, const Point& point) const {
  const auto& recordings = recordings_[point.application];
  const auto wanted = ranks_of(study, point);
  const Recording *best = nullptr, *fewest = nullptr;
  std::uint64_t cores = 0;
  if (!wanted && study.is_basket && recordings.size() > 1)
    cores = platforms::parse_platform(platform(platform_of(study, point))).nodes.core_count();
  for (const Recording& one : recordings) {
    const auto ranks = static_cast<std::uint64_t>(one.trace.header.ranks);
    if (wanted && ranks != *wanted) continue;
    if (fewest == nullptr || one.trace.header.ranks < fewest->trace.header.ranks) fewest = &one;
    if ((wanted || recordings.size() == 1 || ranks <= cores) &&
        (best == nullptr || one.trace.header.ranks > best->trace.header.ranks))
      best = &one;
  }
  return best != nullptr ? best : fewest;
}

std::vector<const StudyInputs::Recording*> StudyInputs::repeated(const Study& study,
                                                                 const Point& point) const {
  std::vector<const Recording*> same;
  const Recording* first = recording(study, point);
  if (first == nullptr) return same;
  for (const Recording& one : recordings_[point.application])
    if (one.trace.header.ranks == first->trace.header.ranks) same.push_back(&one);
  return same;
}

Experiment experiment_of(const Study& study, const Point& point, const StudyInputs& inputs,
                         const StudyInputs::Recording& recording) {
  const Application& application = study.applications[point.application];
  Experiment experiment;
  experiment.trace = &recording.trace;
  experiment.trace_path = recording.path;
  experiment.trace_key = recording.key;
  std::size_t recordings = 0;
  for (const auto& of_one : inputs.recordings()) recordings += of_one.size();
  experiment.is_one_of_several = recordings > 1;
  experiment.placement = application.placement.value_or(study.placement);
  experiment.placement_place = study.file;
  experiment.changes = study.changes;
  experiment.settings.network = study.network;
  experiment.settings.deltas = study.deltas;
  experiment.noise = study.noise;
  experiment.noise_place = study.file + " at /noise";
  const auto add = [&experiment](const std::vector<Change>& changes) {
    experiment.changes.insert(experiment.changes.end(), changes.begin(), changes.end());
  };
  add(application.changes);
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis) {
    const AxisValue& value = study.axes[axis].values[point.values[axis]];
    if (value.placement) experiment.placement = *value.placement;
    if (value.network) experiment.settings.network = *value.network;
    add(value.changes);
  }
  for (const ApplicationCase& one : application.cases) {
    if (!matches(one.where, point.values)) continue;
    if (one.placement) experiment.placement = *one.placement;
    add(one.changes);
  }
  const std::string platform = platform_of(study, point);
  experiment.machine = inputs.platform(platform);
  experiment.is_recorded_machine = platform.empty();
  return experiment;
}

nlohmann::json content_of(const Experiment& experiment) {
  const Prepared prepared = prepare(experiment);
  nlohmann::json changes = nlohmann::json::array();
  for (const Change& change : experiment.changes) changes.push_back(change.written);
  nlohmann::json machine = prepared.document.value;
  for (const char* cost : {"price", "power"}) machine.erase(cost);  // no time depends on them
  nlohmann::json content = {{"platform", std::move(machine)},
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
