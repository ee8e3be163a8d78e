// SPDX-License-Identifier: MIT
// For the browser test: page_of RESULTS.json FOLDER writes the page there, of a study with its charts.
#include <cstdio>
#include <fstream>
#include <string>

#include "sim/report/comparison_page.hpp"
#include "sim/report/study_page.hpp"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: page_of RESULTS.json FOLDER\n", stderr);
    return 2;
  }
  const auto results = nlohmann::ordered_json::parse(std::ifstream(argv[1]));
  const std::string folder = argv[2];
  if (results.contains("change_s")) {
    std::ofstream(folder + "/report.html") << reprise::sim::comparison_page(results);
    return 0;
  }
  std::ofstream(folder + "/report.html") << reprise::sim::study_page(results);
  for (const auto& chart : reprise::sim::study_charts(results))
    std::ofstream(folder + "/" + chart.name) << chart.svg;
  return 0;
}
