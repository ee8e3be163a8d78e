// SPDX-License-Identifier: MIT
// A study's results as one page that a board can read: a self-contained HTML file, and its two main charts as SVG files.
//
// Page     no network, no other file: style, scripts, charts library (page/echarts) and results are inside. The answer, every table and
//          the two main charts are there without JavaScript; with it come interactive charts, sorting and a light/dark switch.
// Numbers  a table's cell shows a few digits and carries the number of the results, as it stands there, in its data-value.
// Safe     texts of the results are escaped wherever they stand; inside the script `<` is written \u003c.
// Output   depends on the results alone, byte for byte. About 0.7 MB, most of it the charts library.
//
// RESULTS  what `reprise study merge` writes as results.json (docs/JSON.md): {"format":1,"study":{…},"points":[…],"baseline_details":{…}}.
//          What is missing there is missing on the page. REQUIRES: an object in which keys have their kinds.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace reprise::sim {

// The answer in sentences, as the page has them: a list of texts, of which the first answers the study's question.
nlohmann::ordered_json answer_sentences(const nlohmann::ordered_json& results);
// What was run on what: the program with its ranks, placement and number of recordings, then each machine with its size and source.
std::vector<std::string> setting_lines(const nlohmann::ordered_json& results);
// The points in the first place of their application, by number, in the order of their run times; none where all are alike.
struct FastestPoint {
  std::size_t number = 0;
  bool is_tied = false;      // with others that are equal or cannot be told from it
  bool is_doubtful = false;  // the latter
};
std::vector<FastestPoint> fastest_points(const nlohmann::ordered_json& results);
// Writes the same into the points, and "tied" where all are alike: "fastest" is "alone" or "tied", `probability_fastest` of tied points that of
// any of them, and `probability_least` what it was before, of the point alone.
void mark_fastest_points(nlohmann::ordered_json& results);
std::string study_page(const nlohmann::ordered_json& results);

struct ChartFile {
  std::string name;  // "run-time.svg"
  std::string svg;
};
// The same two charts that the page shows without JavaScript.
std::vector<ChartFile> study_charts(const nlohmann::ordered_json& results);

}  // namespace reprise::sim
