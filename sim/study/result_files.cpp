// SPDX-License-Identifier: MIT
#include "sim/study/result_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sim/report/study_page.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

// What stands at POINTER, empty where nothing does.
std::string cell_at(const ordered_json& point, const char* pointer) {
  const ordered_json::json_pointer at(pointer);
  if (!point.contains(at)) return "";
  return csv_field(point.at(at));
}

struct Column {
  const char *name, *pointer;
};
constexpr Column kColumns[] = {{"status", "/status"},
                               {"reason", "/reason"},
                               {"predicted_time_s", "/predicted_time_s/median"},
                               {"low_s", "/predicted_time_s/low"},
                               {"high_s", "/predicted_time_s/high"},
                               {"seeds", "/predicted_time_s/seeds"},
                               {"speedup", "/speedup"},
                               {"compute_s", "/compute_s"},
                               {"communication_s", "/communication_s"},
                               {"wait_s", "/wait_s"},
                               {"parallel_efficiency", "/efficiencies/parallel"},
                               {"load_balance", "/efficiencies/load_balance"},
                               {"communication_efficiency", "/efficiencies/communication"},
                               {"serialisation", "/efficiencies/serialisation"},
                               {"transfer", "/efficiencies/transfer"},
                               {"band_low_s", "/band/low_s"},
                               {"band_high_s", "/band/high_s"},
                               {"fastest", "/fastest"},
                               {"probability_fastest", "/probability_fastest"}};

// Axes keep their names, whatever they are; a column of the same name gets "_value" behind its own (docs/PYTHON.md has the same rule).
std::string column_name(const Column& column, const ordered_json& axes) {
  std::string name = column.name;
  while (std::ranges::any_of(axes, [&](const auto& axis) { return axis["name"] == name; }))
    name += "_value";
  return name;
}

void replace_file(const std::string& path, const std::string& text) {
  const std::string unfinished = path + ".unfinished";
  std::ofstream out(unfinished, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out || std::rename(unfinished.c_str(), path.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    std::remove(unfinished.c_str());
    throw RunError(path, "could not be written: " + reason);
  }
}

}  // namespace

std::string results_csv(const ordered_json& results) {
  std::string text;
  const ordered_json& axes = results["study"]["axes"];
  for (const auto& axis : axes) text += csv_field(axis["name"]) + ',';
  for (const Column& column : kColumns)
    text += (&column == kColumns ? "" : ",") + csv_field(column_name(column, axes));
  text += '\n';
  for (const auto& point : results["points"]) {
    for (const auto& label : point["labels"]) text += csv_field(label) + ',';
    for (const Column& column : kColumns)
      text += (&column == kColumns ? "" : ",") + cell_at(point, column.pointer);
    text += '\n';
  }
  return text;
}

std::vector<std::string> write_results(const std::string& folder, const ordered_json& results) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  std::vector<std::string> paths{folder + "/results.json", folder + "/results.csv",
                                 folder + "/report.html"};
  replace_file(paths[0], json_text(results, 1));
  replace_file(paths[1], results_csv(results));
  replace_file(paths[2], study_page(results));
  for (const auto& chart : study_charts(results)) {
    if (chart.svg.empty()) continue;
    paths.push_back(folder + "/" + chart.name);
    replace_file(paths.back(), chart.svg);
  }
  return paths;
}

}  // namespace reprise::sim
