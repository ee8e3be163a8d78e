// SPDX-License-Identifier: MIT
#include "sim/study/merge.hpp"

#include <algorithm>
#include <set>

#include "sim/report/study_page.hpp"
#include "sim/study/certainty.hpp"
#include "sim/study/machines.hpp"
#include "sim/study/offers.hpp"
#include "sim/study/point_answer.hpp"
#include "sim/study/remarks.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

// How far a simulation got.
int standing(const ordered_json& row) {
  const auto& status = row["status"];
  return status == "done" ? 2 : status == "crashed" ? 0 : 1;
}

// Labels are the study's business: a renamed value does not make another row.
std::string row_content(ordered_json row) {
  row.erase("point");
  return row.dump();
}

// Of two crashes with different words the one that comes first by alphabet, so that the order of files does not show.
void merge_row(ordered_json& held, const StoredRow& other) {
  if (standing(other.row) < standing(held)) return;
  const std::string before = row_content(held), after = row_content(other.row);
  if (standing(other.row) == standing(held) && standing(held) > 0 && before != after)
    throw RunError(
        other.file,
        "the simulation " + other.row["key"].get<std::string>() + " has two rows that differ",
        "simulations are deterministic: has one of the files been edited?");
  if (standing(other.row) > standing(held) || after < before) held = other.row;
}

ordered_json axes_json(const Study& study) {
  auto axes = ordered_json::array();
  if (study.is_basket) {
    axes.push_back({{"name", kApplicationAxis}, {"labels", ordered_json::array()}});
    for (const Application& one : study.applications) axes[0]["labels"].push_back(one.label);
  }
  for (const Axis& axis : study.axes) {
    ordered_json entry = {{"name", axis.name}, {"labels", ordered_json::array()}};
    for (const AxisValue& value : axis.values) entry["labels"].push_back(value.label);
    if (!axis.path.empty()) entry["path"] = axis.path;
    if (!axis.factors.empty()) entry["factors"] = axis.factors;
    if (std::ranges::all_of(axis.values,
                            [](const AxisValue& value) { return value.platform.has_value(); }))
      for (const AxisValue& value : axis.values) entry["platforms"].push_back(*value.platform);
    else if (std::ranges::all_of(
                 axis.values, [](const AxisValue& value) { return value.placement.has_value(); }))
      for (const AxisValue& value : axis.values) entry["placements"].push_back(*value.placement);
    axes.push_back(std::move(entry));
  }
  return axes;
}

ordered_json recording_json(const StudyInputs::Recording& recording) {
  const auto& header = recording.trace.header;
  return {{"program", header.program},
          {"ranks", header.ranks},
          {"mpi_library", header.mpi_library},
          {"recorded_s", header.elapsed.seconds().value},
          {"key", recording.key}};
}

// Where one holds for all points.
bool has_one_placement(const Study& study) {
  return !study.is_basket && std::ranges::none_of(study.axes, [](const Axis& axis) {
    return std::ranges::any_of(axis.values,
                               [](const AxisValue& value) { return value.placement.has_value(); });
  });
}

ordered_json study_json(const Study& study, const StudyInputs& inputs,
                        const std::vector<Point>& points) {
  auto baseline = labels_of(study, {study.baseline, 0, true});
  if (study.is_basket) baseline.erase(kApplicationAxis);
  ordered_json json = {{"name", study.name},
                       {"question", study.question},
                       {"axes", axes_json(study)},
                       {"baseline", std::move(baseline)},
                       {"baseline_named", study.is_baseline_named},
                       {"seeds", study.seeds},
                       {"deltas", name_of(study.deltas)}};
  if (has_one_placement(study)) json["placement"] = study.placement;
  json["machines"] = machines_json(study, inputs, points);
  if (study.is_basket) {
    json["applications"] = ordered_json::array();
    for (std::size_t i = 0; i < study.applications.size(); ++i) {
      json["applications"].push_back({{"label", study.applications[i].label},
                                      {"weight", study.applications[i].weight},
                                      {"traces", ordered_json::array()}});
      for (const auto& recording : inputs.recordings()[i])
        json["applications"].back()["traces"].push_back(recording_json(recording));
    }
  } else {
    json["trace"] = recording_json(inputs.recordings()[0][0]);
    if (const auto& recordings = inputs.recordings()[0]; recordings.size() > 1)
      for (const auto& recording : recordings) json["traces"].push_back(recording_json(recording));
  }
  json["versions"] = {{"reprise", engine_version()}, {"engine", engine_sources()}};
  return json;
}

bool has_order(const StudyInputs& inputs) {
  for (const auto& recordings : inputs.recordings())
    for (const auto& one : recordings)
      if (one.trace.header.order_budget.value > 0) return true;
  return false;
}

// Seeds cycle over the recordings.
void remark_on_seeds(const Study& study, const StudyInputs& inputs, ordered_json& remarks) {
  const std::size_t recordings = study.is_basket ? 0 : inputs.recordings()[0].size();
  if (recordings > 1 && study.seeds > recordings && study.seeds % recordings != 0)
    remarks.push_back(std::to_string(study.seeds) + " seeds cycle over " +
                      counted(recordings, "recording") +
                      ", so the first ones count more often (seeds that are a multiple of " +
                      std::to_string(recordings) + " weigh them alike)");
}

// What the traces of a basket differ in and had better not.
void remark_on_recordings(const Study& study, const StudyInputs& inputs, ordered_json& remarks) {
  remark_on_seeds(study, inputs, remarks);
  if (!study.is_basket) return;
  std::set<std::string> libraries, clocks;
  for (const auto& recordings : inputs.recordings())
    for (const auto& one : recordings) {
      libraries.insert(one.trace.header.mpi_library);
      clocks.insert(one.trace.header.clock == trace_io::Clock::cpu ? "cpu" : "wall");
    }
  const auto tell = [&remarks](const std::set<std::string>& names, const std::string& what) {
    if (names.size() < 2) return;
    std::string list;
    for (const auto& name : names)
      list += (list.empty() ? "" : ", ") + (name.empty() ? "one without a name" : name);
    remarks.push_back("the applications were recorded with different " + what + ": " + list);
  };
  tell(libraries, "MPI libraries");
  tell(clocks, "clocks");
}

}  // namespace

CollectedRows collect_rows(const Plan& plan, const StoredRows& stored) {
  CollectedRows rows;
  std::map<std::string_view, bool> wanted;
  for (const std::size_t run : plan.distinct) wanted[plan.runs[run].key] = true;
  for (const StoredRow& row : stored.rows) {
    const std::string key = row.row["key"];
    if (!wanted.contains(key)) {
      ++rows.others;
      continue;
    }
    const auto [held, is_new] = rows.by_key.try_emplace(key, row.row);
    if (is_new) continue;
    ++rows.duplicates;
    merge_row(held->second, row);
  }
  rows.missing = plan.distinct.size() - rows.by_key.size();
  for (const auto& [key, row] : rows.by_key) {
    const auto& status = row["status"];
    ++(status == "done"         ? rows.done
       : status == "deadlocked" ? rows.deadlocked
       : status == "crashed"    ? rows.crashed
                                : rows.failed);
  }
  return rows;
}

ordered_json results_of(const Study& study, const StudyInputs& inputs, const Plan& plan,
                        const CollectedRows& rows) {
  auto points = ordered_json::array();
  std::vector<SeedRows> rows_of_points;
  ordered_json details = nullptr;
  std::vector<SeedRows> baselines(study.applications.size());
  for (std::size_t point = 0, run = 0; point < plan.points.size(); ++point) {
    SeedRows seeds;
    for (; run < plan.runs.size() && plan.runs[run].point == point; ++run) {
      const auto found = rows.by_key.find(plan.runs[run].key);
      seeds.push_back(found == rows.by_key.end() ? nullptr : &found->second);
    }
    ordered_json answer = {{"labels", labels_of(study, plan.points[point])}};
    answer.update(point_answer(seeds));
    if (seeds.empty()) {
      answer["status"] = "failed";
      answer["reason"] = missing_recording(study, inputs, plan.points[point]);
    }
    if (plan.points[point].is_baseline) {
      baselines[plan.points[point].application] = seeds;
      if (details.is_null() && !seeds.empty() && seeds[0] != nullptr &&
          seeds[0]->contains("answer") && (*seeds[0])["answer"].contains("details"))
        details = (*seeds[0])["answer"]["details"];
    }
    points.push_back(std::move(answer));
    rows_of_points.push_back(std::move(seeds));
  }
  for (std::size_t point = 0; point < points.size(); ++point)
    set_speedup(points[point], rows_of_points[point], baselines[plan.points[point].application]);
  ordered_json results = {{"format", 1},
                          {"study", study_json(study, inputs, plan.points)},
                          {"points", std::move(points)}};
  if (!details.is_null()) results["baseline_details"] = std::move(details);
  add_certainty(study, plan.points, rows_of_points, has_order(inputs), results);
  mark_fastest_points(results);
  add_offers(study, inputs, plan.points, rows_of_points, results);
  results["remarks"] = remarks_on(results);
  remark_on_recordings(study, inputs, results["remarks"]);
  results["remarks_of_points"] = remarks_of_points(results);
  results["answer"] = answer_sentences(results);
  return results;
}

}  // namespace reprise::sim
