// SPDX-License-Identifier: MIT
// A study's results as the page needs them: points with names, in the order of their run times, and what is special about some.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace reprise::sim::report {

// What the reader must know of a point: a remark, or a loss (then with a severity: "error", "partial", "notice").
struct Note {
  std::string severity, text;
  bool is_grave() const {
    return severity == "error" || severity == "partial" || severity == "warning";
  }
  friend bool operator==(const Note&, const Note&) = default;
};

// Where a number lies, at a level that whoever shows it names.
struct Interval {
  double low = 0, high = 0;
};

struct PointView {
  const nlohmann::ordered_json* json = nullptr;
  std::size_t number = 0;           // in the results
  std::vector<std::string> labels;  // by axis
  std::string name;  // the labels of axes that have several, those of numbers with their axis' name
  bool is_done = false, is_baseline = false;
  // In the first place of its application (comparison.hpp): alone, or in a tie that leaves others behind. Where all are alike nobody is.
  bool is_fastest = false, is_tied = false;
  bool is_doubtful = false;  // tied, and not all of the tie are equal
  bool is_first =
      false;  // likewise, but also where all are alike; of an application with several points
  // That it, or one of those that it is tied with, takes the least time.
  std::optional<double> probability_fastest;
  double time = 0, low = 0, high = 0, speedup = 0;
  std::uint64_t seeds = 1, recordings = 1;          // the former: of all times
  std::optional<Interval> time_band, speedup_band;  // of what kind: StudyView::band_name
  double compute = 0, communication = 0, wait = 0;  // seconds, mean of the ranks
  double at_memory = 0;     // likewise: computing at the pace of its node's memory
  double load_balance = 1;  // mean computing over most computing; 1 in results of earlier versions
  const nlohmann::ordered_json* efficiencies = nullptr;  // null where there are none
  const nlohmann::ordered_json* path = nullptr;          // critical, likewise
  const nlohmann::ordered_json* band = nullptr;          // of the platform's calibration, likewise
  std::vector<Note> notes;                               // those that not all points share
};

struct StudyView {
  std::string name, question, program;
  std::vector<std::string> axes;
  std::vector<PointView> points;  // done ones by run time, then the others as in the results
  std::size_t applications = 0;   // of a basket
  std::vector<std::size_t> numeric_axes;
  std::vector<Note> notes;  // of the study, and of all points that have a result
  // Every point that has a result was replayed from several recordings: only then do bands hold the variation from run to run.
  bool has_runs = false;
  // What was varied to form bands: "recordings" where all points have several, "seeds and fit errors"; "seeds" where nothing was.
  std::string scatter;
  // What `time_band` is in this study: the 95 % band, or the one over what was varied, where one was formed; else the lowest and the highest of
  // seeds and recordings, else how far the platform is from its calibration. Empty where no point has any of them.
  std::string band_name;
  const nlohmann::ordered_json* json = nullptr;

  const PointView* fastest() const {
    return !points.empty() && points.front().is_done ? &points.front() : nullptr;
  }
  const PointView* baseline() const;
  std::size_t done() const;
  std::size_t missing() const;  // not simulated yet
};

// Refers to RESULTS, which must outlive it.
StudyView view_of(const nlohmann::ordered_json& results);

// What keeps the point from being faster, in a few words: "uneven work between ranks (load balance 71 %)".
std::string limit_of(const PointView&);

// Of the two axes of numbers, everything else as in the baseline (or the fastest point): the point at (column, row); null: none.
struct Grid {
  std::string column_axis, row_axis;
  std::vector<std::string> columns, rows;
  std::vector<const PointView*> cells;  // row by row
  const PointView* at(std::size_t column, std::size_t row) const {
    return cells[row * columns.size() + column];
  }
};
std::optional<Grid> grid_of(const StudyView&);

// OBJECT[KEY], or null where there is none.
const nlohmann::ordered_json* find(const nlohmann::ordered_json& object, const char* key);
// The number there, or OTHERWISE.
double number_at(const nlohmann::ordered_json& object, const char* key, double otherwise = 0);
// The list or object there, or an empty list.
const nlohmann::ordered_json& part_of(const nlohmann::ordered_json& object, const char* key);
// The text there, another value as JSON, or nothing.
std::string text_of(const nlohmann::ordered_json& object, const char* key);
// Of a label that as a whole is a positive number, perhaps as a factor: "64", "0.5x", "× 2"; 0 of all others, such as "4x4".
double number_of_label(const std::string& label);
// What the point's run time depends on; results of earlier versions have it under `sensitivities`.
const nlohmann::ordered_json& tolerances_of(const nlohmann::ordered_json& point);

}  // namespace reprise::sim::report
