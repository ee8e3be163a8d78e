// SPDX-License-Identifier: MIT
#include "sim/study/certainty.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "sim/confidence/ranking.hpp"
#include "sim/study/inputs.hpp"
#include "sim/study/machines.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

// Draws for more would take long and say nothing: who is not among the fastest has no part in the first place.
constexpr std::size_t kMostRanked = 64;

const ordered_json* first_answer(const SeedRows& rows) {
  for (const auto* row : rows)
    if (row != nullptr && row->contains("answer")) return &row->at("answer");
  return nullptr;
}

ordered_json parts_json(const Parts& parts) {
  return {{"compute_times", parts.compute_times},
          {"calibration", parts.calibration},
          {"network_model", parts.network_model}};
}

class Certainty {
 public:
  Certainty(const Study& study, const std::vector<Point>& points, const std::vector<SeedRows>& rows,
            bool has_order, ordered_json& results)
      : study_(study), points_(points), has_order_(has_order), results_(results) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      predictions_.push_back(prediction_of(study, points[i], rows[i]));
      has_several_recordings_.push_back(std::ranges::any_of(
          rows[i], [](const auto* row) { return row != nullptr && row->contains("recording"); }));
      place_of_[{points[i].application, points[i].values}] = i;
      note_recorded_computing(i, rows[i]);
    }
  }

  void add() {
    std::map<std::size_t, std::vector<std::size_t>> by_application;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (!has_time(predictions_[i])) continue;
      // Medians of unlike recordings are in no order: who lacks some is not ranked.
      if (results_["points"][i].value("status", "done") == "done")
        by_application[points_[i].application].push_back(i);
      add_own(i);
    }
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (results_["points"][i].value("status", "") == "missing")
        incomplete_.insert(points_[i].application);
    for (auto& [application, members] : by_application)
      rank(members, incomplete_.contains(application));
    results_["certainty"] = {{"level", kLevel},
                             {"more_seeds_narrow", do_seeds_narrow()},
                             {"leaves_preemption_out", points_without_preemption_ > 0},
                             {"lacks", lacks()}};
  }

 private:
  // What the point takes over from its recordings.
  void note_recorded_computing(std::size_t i, const SeedRows& rows) {
    bool has_other_sharing = false, leaves_preemption_out = false;
    for (const auto* row : rows) {
      if (row == nullptr || !row->contains("answer")) continue;
      const ordered_json& answer = row->at("answer");
      machines_.insert(predictions_[i].machine);
      if (answer.value("computes_as_recorded", false))
        unscaled_machines_.insert(predictions_[i].machine);
      if (const auto left_out = answer.find("preemption_left_out"); left_out != answer.end()) {
        leaves_preemption_out = true;
        most_preempted_ = std::max(most_preempted_, left_out->value("share", 0.0));
      }
      if (const auto sharing = answer.find("node_sharing"); sharing != answer.end()) {
        has_other_sharing = true;
        widest_sharing_ = std::max(widest_sharing_, sharing->value("replayed", 1U));
        recorded_sharing_ = std::max(recorded_sharing_, sharing->value("recorded", 1U));
      }
    }
    points_with_other_sharing_ += has_other_sharing;
    points_without_preemption_ += leaves_preemption_out;
  }

  void add_own(std::size_t i) {
    ordered_json& point = results_["points"][i];
    if (auto band = band_json(predictions_[i]); !band.is_null()) point["band"] = std::move(band);
    if (const auto* baseline = prediction_at(points_[i].application, study_.baseline);
        baseline != nullptr && !points_[i].is_baseline) {
      // null: no recording and seed that both have
      if (const auto against = difference_json(*baseline, predictions_[i]); against.is_object())
        point["speedup_band"] = {{"low", against["low"]}, {"high", against["high"]}};
    }
    if (points_.size() < 2) return;
    if (study_.applications.size() == 2 && points_[i].application == 1)
      if (const auto* first = prediction_at(0, points_[i].values))
        if (auto against = difference_json(predictions_[i], *first); against.is_object())
          point["against_first_application"] = std::move(against);
    auto effects = ordered_json::object();
    for (std::size_t axis = 0; axis < study_.axes.size(); ++axis) {
      if (points_[i].values[axis] == study_.baseline[axis]) continue;
      auto values = points_[i].values;
      values[axis] = study_.baseline[axis];
      if (const auto* other = prediction_at(points_[i].application, values))
        if (auto effect = difference_json(predictions_[i], *other); effect.is_object())
          effects[study_.axes[axis].name] = std::move(effect);
    }
    if (!effects.empty()) point["effects"] = std::move(effects);
  }

  // By the medians, as everywhere else.
  double time_of(std::size_t i) const {
    return results_["points"][i]["predicted_time_s"]["median"].get<double>();
  }

  // LACKS_SOME: points whose simulations are missing may be faster than any here.
  void rank(std::vector<std::size_t>& members, bool lacks_some) {
    if (members.size() < 2) return;
    std::stable_sort(members.begin(), members.end(),
                     [this](std::size_t a, std::size_t b) { return time_of(a) < time_of(b); });
    for (const std::size_t i : members)
      if (i != members.front())
        results_["points"][i]["against_fastest"] =
            difference_json(predictions_[i], predictions_[members.front()]);
    if (lacks_some) return;
    const std::size_t ranked = std::min(members.size(), kMostRanked);
    std::vector<Prediction> fastest;
    for (std::size_t place = 0; place < ranked; ++place)
      fastest.push_back(predictions_[members[place]]);
    const auto shares = probability_of_least(fastest);
    for (std::size_t place = 0; place < members.size() && !shares.empty(); ++place)
      results_["points"][members[place]]["probability_fastest"] =
          place < ranked ? shares[place] : 0.0;
  }

  const Prediction* prediction_at(std::size_t application,
                                  const std::vector<std::size_t>& values) const {
    const auto found = place_of_.find({application, values});
    return found != place_of_.end() && has_time(predictions_[found->second])
               ? &predictions_[found->second]
               : nullptr;
  }

  // Of points with one recording: no seed shows how the next run differs.
  std::string what_one_recording_lacks() const {
    const bool is_drawn = study_.deltas == Deltas::ordered || study_.deltas == Deltas::sample;
    const std::string recordings =
        study_.is_basket ? "one recording of each application" : "one recording";
    if (study_.seeds < 2 && is_drawn)
      return "how much compute times vary and runs differ (one seed, " + recordings + remedy();
    if (!is_drawn)
      return "how much compute times vary and runs differ (deltas \"" +
             std::string(name_of(study_.deltas)) + "\", " + recordings + remedy();
    if (study_.deltas == Deltas::sample) return "how much runs differ (" + recordings + remedy();
    return "how much runs differ (" + recordings + ", and seeds keep the " +
           (has_order_ ? "order" : "sums") + " of its compute times" + remedy();
  }
  std::string remedy() const {
    return study_.is_basket ? ": record several runs of each and list them in its \"traces\")"
                            : ": record several runs and list them in \"traces\")";
  }
  // Seeds draw what the intervals of differences hold; in recorded order they do not.
  bool do_seeds_narrow() const {
    return study_.deltas == Deltas::sample || (study_.deltas == Deltas::ordered && !has_order_);
  }

  ordered_json lacks() const {
    auto lacks = ordered_json::array();
    std::size_t uncalibrated = 0, with_time = 0, without_models = 0, recorded_once = 0;
    std::vector<std::string> platforms;
    for (std::size_t i = 0; i < predictions_.size(); ++i)
      if (const auto& one = predictions_[i]; has_time(one)) {
        ++with_time;
        if (one.calibration <= 0) {
          ++uncalibrated;
          platforms.push_back(one.machine);
        }
        without_models += one.models.size() < 2;
        recorded_once += !has_several_recordings_[i];
      }
    const auto of_points = [with_time](std::size_t count) {
      return count == with_time
                 ? std::string()
                 : " at " + std::to_string(count) + " of " + counted(with_time, "point");
    };
    if (recorded_once > 0) lacks.push_back(what_one_recording_lacks() + of_points(recorded_once));
    if (uncalibrated > 0)
      lacks.push_back(
          "the fit error of " +
          uncalibrated_text(results_.value("/study/machines"_json_pointer, ordered_json::array()),
                            platforms) +
          of_points(uncalibrated));
    if (points_without_preemption_ > 0)
      lacks.push_back(
          formatted("what preempts the ranks of a run (of recordings up to %.2g%% of the run time; "
                    "\"noise\": \"recorded\" includes it)",
                    100 * most_preempted_) +
          of_points(points_without_preemption_));
    // On one machine they are the same everywhere.
    if (const auto unscaled = unscaled_machines_.size(); unscaled > 0 && machines_.size() > 1)
      lacks.push_back(
          "how fast the machines' processors are: those of " +
          (unscaled < machines_.size() ? std::to_string(unscaled) + " of " : std::string()) +
          counted(machines_.size(), "machine") +
          " are taken to be as fast as the recording's (\"relative_speed\" in a platform file, or "
          "a "
          "\"compute\" change beside \"platform\", says otherwise)");
    if (points_with_other_sharing_ > 0)
      lacks.push_back(
          "what ranks on one node take from each other's memory bandwidth and caches (up to " +
          std::to_string(widest_sharing_) + " compute there at the same time, " +
          std::to_string(recorded_sharing_) +
          " when recorded; \"memory_traffic\" includes the bandwidth)" +
          of_points(points_with_other_sharing_));
    if (without_models > 0)
      lacks.push_back(
          "what other network models say, which may change differences and order (\"models\" was "
          "not "
          "asked for)" +
          of_points(without_models));
    return lacks;
  }

  const Study& study_;
  const std::vector<Point>& points_;
  const bool has_order_;
  ordered_json& results_;
  std::vector<Prediction> predictions_;
  std::vector<bool> has_several_recordings_;
  std::set<std::string> machines_, unscaled_machines_;
  std::set<std::size_t> incomplete_;  // applications
  std::size_t points_with_other_sharing_ = 0, points_without_preemption_ = 0;
  double most_preempted_ = 0;  // of a recorded run time
  unsigned widest_sharing_ = 0,
           recorded_sharing_ = 0;  // ranks that compute at the same time on a node
  std::map<std::pair<std::size_t, std::vector<std::size_t>>, std::size_t> place_of_;
};

}  // namespace

bool has_time(const Prediction& prediction) {
  return std::any_of(prediction.log_times.begin(), prediction.log_times.end(),
                     [](double time) { return !std::isnan(time); });
}

Prediction prediction_of(const Study& study, const Point& point, const SeedRows& rows) {
  Prediction prediction;
  prediction.machine = platform_of(study, point);
  for (const auto* row : rows) {
    const double time = row != nullptr && row->contains("answer")
                            ? row->at("answer").at("predicted_time_s").get<double>()
                            : 0;
    prediction.log_times.push_back(time > 0 ? std::log(time)
                                            : std::numeric_limits<double>::quiet_NaN());
  }
  const auto* answer = first_answer(rows);
  if (answer == nullptr || !has_time(prediction)) return prediction;
  if (answer->contains("calibration")) {
    const auto& band = answer->at("calibration");
    const double low = band["low_s"], high = band["high_s"];
    if (low > 0 && high > low) prediction.calibration = std::log(high / low) / 2;
  }
  if (answer->contains("models"))
    for (const auto& model : answer->at("models"))
      if (const double ratio = model["ratio"]; ratio > 0)
        prediction.models.push_back(std::log(ratio));
  return prediction;
}

ordered_json difference_json(const Prediction& a, const Prediction& b) {
  const auto found = compare(a, b);
  if (!found) return nullptr;
  ordered_json json = {{"ratio", std::exp(found->mean)},
                       {"low", std::exp(found->low)},
                       {"high", std::exp(found->high)},
                       {"probability", nullptr}};
  if (found->probability) json["probability"] = *found->probability;
  return json;
}

ordered_json band_json(const Prediction& prediction) {
  const auto band = band_of(prediction);
  if (!band) return nullptr;
  return {{"low_s", std::exp(band->low)},
          {"high_s", std::exp(band->high)},
          {"shares", parts_json(band->parts)}};
}

void add_certainty(const Study& study, const std::vector<Point>& points,
                   const std::vector<SeedRows>& rows, bool has_order, ordered_json& results) {
  Certainty(study, points, rows, has_order, results).add();
}

}  // namespace reprise::sim
