// SPDX-License-Identifier: MIT
#include "sim/study/result_files.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sim/report/study_page.hpp"
#include "sim/study/merge.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

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

std::vector<std::string> write_results(const std::string& folder,
                                       const nlohmann::ordered_json& results) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  std::vector<std::string> paths{folder + "/results.json", folder + "/results.csv",
                                 folder + "/report.html"};
  replace_file(
      paths[0],
      results.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
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
