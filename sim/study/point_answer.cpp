// SPDX-License-Identifier: MIT
#include "sim/study/point_answer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "sim/experiment/details/detail.hpp"
#include "sim/study/remarks.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;
using Answers = std::vector<const ordered_json*>;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Mean of numbers, of objects key by key (those of the first), of lists of objects by their "name"; of all else the first.
ordered_json mean_of(const std::vector<const ordered_json*>& values) {
  const ordered_json& first = *values.front();
  // sums of equal numbers round, and what has no spread shall have none
  if (std::all_of(values.begin(), values.end(), [&](const auto* value) { return *value == first; }))
    return first;
  if (first.is_number()) {
    double sum = 0;
    std::size_t count = 0;
    for (const auto* value : values)
      if (value->is_number()) {
        sum += value->get<double>();
        ++count;
      }
    return sum / static_cast<double>(count);
  }
  if (first.is_object()) {
    ordered_json mean = ordered_json::object();
    for (const auto& [key, ignored] : first.items()) {
      std::vector<const ordered_json*> members;
      for (const auto* value : values)
        if (value->contains(key)) members.push_back(&value->at(key));
      mean[key] = mean_of(members);
    }
    return mean;
  }
  if (first.is_array()) {
    ordered_json mean = ordered_json::array();
    for (const auto& element : first) {
      std::vector<const ordered_json*> same{&element};
      for (std::size_t i = 1; i < values.size() && element.is_object() && element.contains("name");
           ++i)
        for (const auto& other : *values[i])
          if (other.is_object() && other.value("name", ordered_json()) == element["name"])
            same.push_back(&other);
      mean.push_back(mean_of(same));
    }
    return mean;
  }
  return first;
}

void add_times(ordered_json& point, const Answers& answers, std::size_t recordings) {
  std::vector<double> times;
  for (const auto* answer : answers) times.push_back(answer->at("predicted_time_s").get<double>());
  point["predicted_time_s"] = {{"median", median(times)},
                               {"low", *std::min_element(times.begin(), times.end())},
                               {"high", *std::max_element(times.begin(), times.end())},
                               {"seeds", times.size()}};
  if (recordings > 1) point["predicted_time_s"]["recordings"] = recordings;
}

// What progress in calls only makes of the point's time, as a factor over the recordings that were asked: a time of one of them beside the median of all
// would differ by what recordings differ by.
void add_in_calls(ordered_json& point, const Answers& answers) {
  double sum = 0, count = 0;
  bool is_settled = false, is_noticed = false;
  for (const auto* answer : answers) {
    const auto found = answer->find("progress_in_calls");
    if (found == answer->end()) continue;
    const double own = answer->at("predicted_time_s"), then = found->at("predicted_time_s");
    if (own <= 0 || then <= 0) continue;
    sum += std::log(then / own);
    ++count;
    is_settled |= found->value("settled", false);
    is_noticed |= found->value("noticed", true);  // rows of older versions hold no others
  }
  if (count == 0) return;
  point["progress_in_calls"] = {
      {"predicted_time_s",
       point["predicted_time_s"]["median"].get<double>() * std::exp(sum / count)},
      {"settled", is_settled},
      {"noticed", is_noticed}};
}

// What limits the run may differ from recording to recording: the times and efficiencies of each.
ordered_json by_recording(const std::vector<const ordered_json*>& rows) {
  std::map<std::uint64_t, Answers> answers;
  for (const auto* row : rows)
    if (row != nullptr && row->contains("answer") && row->contains("recording"))
      answers[row->at("recording").get<std::uint64_t>()].push_back(&row->at("answer"));
  auto list = ordered_json::array();
  for (const auto& [recording, its] : answers) {
    ordered_json entry = {{"recording", recording}};
    for (const char* key : {"predicted_time_s", "compute_s", "communication_s", "wait_s",
                            "load_balance", "memory", "efficiencies"}) {
      Answers parts;
      for (const auto* answer : its)
        if (answer->contains(key)) parts.push_back(&answer->at(key));
      if (!parts.empty()) entry[key] = mean_of(parts);
    }
    list.push_back(std::move(entry));
  }
  return list;
}

// Those of any seed; of those that differ in their numbers alone the first.
ordered_json all_remarks(const Answers& answers) {
  auto remarks = ordered_json::array();
  std::set<std::string> known;
  for (const auto* answer : answers)
    for (const auto& remark : answer->value("remarks", ordered_json::array())) {
      if (known.insert(without_figures(remark.get<std::string>())).second)
        remarks.push_back(remark);
    }
  return remarks;
}

}  // namespace

ordered_json point_answer(const std::vector<const ordered_json*>& rows) {
  ordered_json point = {{"status", "done"}, {"reason", ""}};
  Answers answers;
  std::set<ordered_json> recordings;
  for (const auto* row : rows) {
    if (row != nullptr && row->contains("answer") && row->contains("recording"))
      recordings.insert(row->at("recording"));
    if (row != nullptr && row->contains("answer")) answers.push_back(&row->at("answer"));
    if (point["status"] != "done") continue;
    point["status"] = row == nullptr ? "missing" : row->at("status");
    point["reason"] = row == nullptr ? "" : row->at("reason");
  }
  if (answers.empty()) return point;
  if (point["status"] == "missing")
    point["reason"] = std::to_string(std::ranges::count(rows, nullptr)) + " of " +
                      counted(rows.size(), "simulation");
  add_times(point, answers, recordings.size());
  std::vector<std::string> keys{"compute_s", "communication_s", "wait_s", "load_balance", "memory"};
  for (const Detail* detail : all_details())
    if (detail->scope != DetailScope::baseline) keys.emplace_back(detail->key);
  for (const auto& key : keys) {
    Answers parts;
    for (const auto* answer : answers)
      if (answer->contains(key)) parts.push_back(&answer->at(key));
    if (!parts.empty()) point[key] = mean_of(parts);
  }
  if (recordings.size() > 1) point["by_recording"] = by_recording(rows);
  add_in_calls(point, answers);
  for (const char* key : {"nodes_used", "calibration", "losses", "no_effect"})
    if (answers.front()->contains(key)) point[key] = answers.front()->at(key);
  if (answers.front()->contains("remarks")) point["remarks"] = all_remarks(answers);
  return point;
}

void set_speedup(ordered_json& point, const std::vector<const ordered_json*>& rows,
                 const std::vector<const ordered_json*>& baseline) {
  const auto has_answer = [](const ordered_json* row) {
    return row != nullptr && row->contains("answer");
  };
  std::vector<double> own, its;
  for (std::size_t i = 0; i < rows.size() && i < baseline.size(); ++i)
    if (has_answer(rows[i]) && has_answer(baseline[i])) {
      own.push_back(rows[i]->at("answer").at("predicted_time_s").get<double>());
      its.push_back(baseline[i]->at("answer").at("predicted_time_s").get<double>());
    }
  point["speedup"] = nullptr;
  if (own.empty()) return;
  if (const double time = median(std::move(own)); time > 0)
    point["speedup"] = median(std::move(its)) / time;
}

}  // namespace reprise::sim
