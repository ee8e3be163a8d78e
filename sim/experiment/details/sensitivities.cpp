// SPDX-License-Identifier: MIT
#include "sim/experiment/details/sensitivities.hpp"

#include <algorithm>
#include <cmath>

#include "sim/experiment/details/critical_path.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

const char* reading(const Sensitivity& one) {
  return one.uncertainty > std::abs(one.elasticity) ? ": not distinguishable from zero" : "";
}

}  // namespace

Sensitivities sensitivities(const Replayed& replayed) {
  const PathGradients path = gradients_of(*replayed.observation.path(), replayed.outcome);
  Sensitivities result;
  result.why_not = path.why_not;
  const auto share = [&](double seconds) { return path.time > 0 ? seconds / path.time : 0; };
  for (const PathGradient& one : path.of)
    result.of.push_back({one.parameter, share(one.seconds), share(one.uncertainty)});
  return result;
}

nlohmann::ordered_json Sensitivities::json() const {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& one : of)
    rows.push_back({{"parameter", name_of(one.parameter)},
                    {"elasticity", one.elasticity},
                    {"uncertainty", one.uncertainty},
                    {"why_not_exact", why_not}});
  return rows;
}

std::string Sensitivities::text() const {
  double most = 0;
  std::string text = formatted("\n%-26s  %22s\n", "sensitivity", "1% more changes time");
  for (const Sensitivity& one : of) {
    if (one.elasticity == 0) continue;
    text +=
        formatted("%-26s  %+20.3f%%", std::string(name_of(one.parameter)).c_str(), one.elasticity);
    if (one.uncertainty >= 5e-4 && one.uncertainty < 1)
      text += formatted("  (± %.3f%%%s)", one.uncertainty, reading(one));
    text += "\n";
    most = std::max(most, one.uncertainty);
  }
  return text + not_exact_text(why_not, most);
}

extern const Detail kSensitivities = {
    .name = "sensitivities",
    .key = "sensitivities",
    .cost = "",
    .scope = DetailScope::points_on_request,
    .watched = {.slopes = true},
    .measure = [](const Replayed& replayed) -> std::unique_ptr<Figure> {
      return std::make_unique<Sensitivities>(sensitivities(replayed));
    }};

}  // namespace reprise::sim
