// SPDX-License-Identifier: MIT
// An answer as something to read: text, JSON, CSV, a page. What `--format` of a verb that replays takes comes from this registry.
//
// Adding   one: a Format in a file of this folder, its line in formats.def and in CMakeLists.txt.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/experiment/answer.hpp"

namespace reprise::sim {

struct Presentation {
  bool every_rank = false;  // in text, however many there are
  bool details = true;      // the figures too
  Details order;            // CSV: the first of them is the table; none: the ranks
};

struct Format {
  std::string_view name;      // as --format takes it
  bool is_one_table = false;  // holds one figure at most
  bool has_pictures = false;  // where no figures are asked for, has all that cost little
  std::string (*write)(const Answer&, const Presentation&);
};

std::span<const Format* const> formats();
std::string format_names();                    // "text|json|csv|html"
const Format& format_named(std::string_view);  // REQUIRES: one of them

// "0.001 … 0.002 s, if messages take 5.0% less or more time (the platform's fit error)"
std::string band_text(const CalibrationBand&);
// Of an answer only what limits it: changes without effect, remarks, losses. For whoever prints something else of it.
std::string limits_text(const Answer&);

}  // namespace reprise::sim
