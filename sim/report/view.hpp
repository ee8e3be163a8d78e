// SPDX-License-Identifier: MIT
// A study's results as the page needs them: points with names, in the order of their run times, and what is special about some.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace reprise::sim::report {

struct PointView {
  const nlohmann::ordered_json* json = nullptr;
  std::size_t number = 0;           // in the results
  std::vector<std::string> labels;  // by axis
  std::string name;  // the labels of axes that have several, those of numbers with their axis' name
  bool is_done = false, is_baseline = false;
  double time = 0, low = 0, high = 0, speedup = 0;
  std::uint64_t seeds = 1;
  double compute = 0, communication = 0, wait = 0;       // seconds, mean of the ranks
  const nlohmann::ordered_json* efficiencies = nullptr;  // likewise where there are some
};

struct StudyView {
  std::string name, question, program;
  std::vector<std::string> axes;
  std::vector<PointView> points;  // done ones by run time, then the others as in the results
  std::vector<std::size_t> numeric_axes;
  const nlohmann::ordered_json* json = nullptr;

  const PointView* fastest() const {
    return !points.empty() && points.front().is_done ? &points.front() : nullptr;
  }
  const PointView* baseline() const;
  std::size_t done() const;
};

// Refers to RESULTS, which must outlive it.
StudyView view_of(const nlohmann::ordered_json& results);

// What keeps the point from being faster, in a few words: "uneven work between ranks (load balance 71 %)".
std::string limit_of(const PointView&);

}  // namespace reprise::sim::report
