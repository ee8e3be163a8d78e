// SPDX-License-Identifier: MIT
// Results of a study, made by hand: point by point, with what a test gives them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/report/study_page.hpp"

namespace reprise::sim {

using nlohmann::ordered_json;

// A difference that is known: its 95 % interval, and the probability that the point takes less time.
inline ordered_json certain(double ratio, double low, double high, double probability) {
  return {{"ratio", ratio}, {"low", low}, {"high", high}, {"probability", probability}};
}

struct MadeStudy {
  ordered_json results = {
      {"study",
       {{"name", "s"}, {"axes", ordered_json::array()}, {"baseline", ordered_json::object()}}},
      {"points", ordered_json::array()},
      {"certainty", {{"level", 0.95}, {"lacks", ordered_json::array()}}}};

  MadeStudy& axis(const char* name, std::vector<std::string> labels) {
    results["study"]["baseline"][name] = labels.front();
    results["study"]["axes"].push_back({{"name", name}, {"labels", std::move(labels)}});
    return *this;
  }
  ordered_json& point(std::vector<std::string> labels, double time) {
    ordered_json point = {{"labels", ordered_json::object()}, {"status", "done"}, {"reason", ""}};
    for (std::size_t i = 0; i < labels.size(); ++i)
      point["labels"][results["study"]["axes"][i]["name"].get<std::string>()] = labels[i];
    point["predicted_time_s"] = {{"median", time}, {"low", time}, {"high", time}, {"seeds", 1}};
    point["speedup"] =
        results["points"].empty()
            ? 1.0
            : results["points"][0]["predicted_time_s"]["median"].get<double>() / time;
    point["compute_s"] = time;
    results["points"].push_back(point);
    return results["points"].back();
  }
  std::string sentence(std::size_t number) const {
    const auto sentences = answer_sentences(results);
    return number < sentences.size() ? sentences[number].get<std::string>() : "";
  }
};

}  // namespace reprise::sim
