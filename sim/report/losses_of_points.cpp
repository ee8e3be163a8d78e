// SPDX-License-Identifier: MIT
#include "sim/report/losses_of_points.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/report/number_text.hpp"
#include "sim/report/study_view.hpp"
#include "sim/text/losses.hpp"

namespace reprise::sim::report {

std::vector<LossOfPoints> losses_of_points(const nlohmann::ordered_json& results) {
  const auto gravity = [](const std::string& severity) {
    return severity == "error" ? 0 : severity == "partial" ? 1 : 2;
  };
  std::map<std::pair<int, std::string>, LossOfPoints> known;
  for (const auto& point : part_of(results, "points"))
    for (const auto& json : part_of(point, "losses")) {
      const std::string severity = json.value("severity", "");
      const std::string name =
          (severity.empty() ? "" : severity + ": ") + json.value("name", std::string());
      LossOfPoints& loss = known[{gravity(severity), name}];
      loss.name = name;
      loss.most = std::max(loss.most, json.value("count", std::uint64_t{0}));
      ++loss.points;
    }
  std::vector<LossOfPoints> losses;
  for (auto& [key, loss] : known) losses.push_back(std::move(loss));
  return losses;
}

std::string describe(const LossOfPoints& loss) {
  return loss.name + ", up to " + loss_count_text(loss.name, loss.most) + " (" +
         counted(loss.points, "point") + ")";
}

}  // namespace reprise::sim::report
