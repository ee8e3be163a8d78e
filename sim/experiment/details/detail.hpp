// SPDX-License-Identifier: MIT
// A figure that a replay can give beyond its outcome, where it is asked for: `--details`, a study's points, the page.
//
// Adding   one: a class derived from Figure and a Detail in a file of this folder, its line in details.def and in CMakeLists.txt, its
//          shape in docs/JSON.md. The command's help, text, JSON, CSV, study rows and page take it from the registry.
// Cost     of the parts: efficiencies one more replay, tolerances and take-over some fifty, paths and delays as much as the one there
//          is, the others a few per cent of it.
// Network  with `simgrid`, which simulates once per process, figures that replay again take `flow` or `uncontended`, or are refused.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/engine/observe/observation.hpp"
#include "sim/engine/replay.hpp"
#include "sim/rank_times.hpp"

namespace reprise::sim {

class Figure {
 public:
  Figure() = default;
  Figure(const Figure&) = default;
  Figure& operator=(const Figure&) = default;
  virtual ~Figure() = default;
  virtual nlohmann::ordered_json json() const = 0;  // docs/JSON.md
  virtual std::string text() const = 0;             // a table under a heading
  // For CSV: objects with the same keys.
  virtual nlohmann::ordered_json rows() const { return json(); }
};

// What a figure is measured of: the replay and what it was a replay of.
struct Replayed {
  const trace_io::Trace& trace;
  const platforms::Platform& platform;
  const ReplaySettings& settings;  // without an observation: for further replays
  const Outcome& outcome;
  const Observation& observation;  // watched what the detail names
  std::size_t jobs = 1;            // further replays at a time (sim/processes/at_once.hpp)
};

// Of which points of a study it is told: of all, of all where the study's file asks for it, of the baseline alone (what fills pages).
enum class DetailScope : std::uint8_t { points, points_on_request, baseline };

struct Detail {
  std::string_view name;            // as --details takes it: "call-sites"
  std::string_view key;             // in JSON: "call_sites"
  std::string_view cost;            // where it is not nothing: "replay once more"
  std::size_t further_replays = 0;  // about: for the time left
  bool many_replays = false;  // told once for each point of a study; none on the simgrid network
  DetailScope scope = DetailScope::points;
  Watched watched = {};
  std::unique_ptr<Figure> (*measure)(const Replayed&);  // null where the trace does not tell
};

using Details = std::vector<const Detail*>;

std::span<const Detail* const> all_details();  // in the order in which answers have them
// LIST: "efficiencies,links", or "all"; in the order asked for. Throws InputError naming the word that is none, with the nearest one.
Details parse_details(const std::string& list);
std::string details_help();  // of --details: the names, and what they cost
Details cheap_details();     // all without many replays: those of a page
Watched watched_for(const Details&);

}  // namespace reprise::sim
