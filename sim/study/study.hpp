// SPDX-License-Identifier: MIT
// A study: a question, the axes along which machine and program are varied, how often each point is drawn. As its file says it
// (study_file.hpp), and its points: every combination of the axes' values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platforms/costs.hpp"
#include "platforms/json/object_reader.hpp"
#include "sim/engine/replay.hpp"
#include "sim/processes/run_limits.hpp"
#include "sim/scenario/scenario.hpp"

namespace reprise::sim {

// One value of an axis, and what it says about a run; what it leaves out stays as the study says.
struct AxisValue {
  std::string label;
  std::optional<std::string> platform,
      placement;  // paths are relative to the study's folder, resolved
  std::optional<NetworkKind> network;
  std::optional<std::uint32_t>
      ranks;  // that a machine is to run, of applications with several traces
  std::vector<Change> changes;
  platforms::JsonPlace place;
};

struct Axis {
  std::string name;
  std::vector<AxisValue> values;  // at least one
  std::string path;               // the JSON pointer that it varies, where it is such an axis
  std::vector<double> factors;    // one for each value, where it multiplies
};

// Points that are left out: those with one of these values (indices) on each of these axes (indices).
struct Exclusion {
  std::vector<std::pair<std::size_t, std::vector<std::size_t>>> axes;
};

// Where an application differs on some machines: at the points that match.
struct ApplicationCase {
  Exclusion where;  // with these values on these axes
  std::vector<Change> changes;
  std::optional<std::string> placement;
  std::optional<std::uint32_t> ranks;
};

// What is run. A study without a basket has one, without a label.
struct Application {
  std::string label;
  std::vector<std::string>
      traces;  // their paths; each machine takes those of the ranks that it is to run
  std::vector<std::string>
      record;         // the command that recorded it, for who has no trace; may be empty
  double weight = 1;  // of all applications they add up to 1
  std::optional<std::string> placement;
  std::optional<std::uint32_t> ranks;
  std::vector<Change> changes;  // before those of the axes
  std::vector<ApplicationCase> cases;
  platforms::JsonPlace place;
};

struct Study {
  std::string file, name, question;
  std::vector<Application> applications;  // at least one
  bool is_basket = false;                 // the file lists applications
  std::string platform;                   // empty: the machine of the recording
  std::string placement = "block";
  NetworkKind network = NetworkKind::flow;
  Deltas deltas = Deltas::ordered;
  std::string noise =
      "none";  // scenario/noise_signature.hpp; a file: relative to the study's folder
  std::vector<Change> changes;  // of every point
  std::uint32_t seeds = 1;  // simulations of each point, where there are not more recordings of it
  std::vector<Axis> axes;   // may be empty: one point
  std::vector<std::size_t> baseline;  // for each axis the value that speed-ups refer to
  bool is_baseline_named = false;     // the file has one
  std::vector<Exclusion> exclude;
  bool efficiencies = true, sensitivities = false, models = false;
  RunLimits limits;
  // For costs; absent: not given.
  std::optional<platforms::Money> electricity, carbon;  // of a kilowatt hour; carbon in grams
  std::optional<double> years;                          // that a machine is used
};

// One of the combinations of the axes' values that are not left out.
struct Point {
  std::vector<std::size_t> values;  // for each axis which of its values
  std::size_t application = 0;      // of Study::applications, where there are any
  bool is_baseline = false;
};

// More than this many simulations are refused as a mistake.
inline constexpr std::uint64_t kMostSimulations = 1'000'000;

// The last axis runs fastest. Throws InputError where there are more than kMostSimulations, seeds counted.
std::vector<Point> points_of(const Study&);

// Whether the point has one of the values on every axis that is named.
bool matches(const Exclusion&, const std::vector<std::size_t>& values);

// {"machine":"EDR","placement":"block"}; of a basket "application" comes first.
nlohmann::ordered_json labels_of(const Study&, const Point&);
inline constexpr const char* kApplicationAxis = "application";
// "machine EDR, placement block"; "the only point" where there are no axes.
std::string describe(const Study&, const Point&);

}  // namespace reprise::sim
