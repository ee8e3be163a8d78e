// SPDX-License-Identifier: MIT
#include "platforms/calibration/known_costs.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "platforms/json/platform_keys.hpp"

namespace reprise::platforms {
namespace {

using nlohmann::ordered_json;

// A text for each key that has one.
ordered_json sources_by_key(const ordered_json& costs) {
  ordered_json texts = ordered_json::object();
  if (!costs.contains("source")) return texts;
  if (costs["source"].is_object()) return costs["source"];
  for (const auto& [key, ignored] : costs.items())
    if (key != "source") texts[key] = costs["source"];
  return texts;
}

// Each key as it is meant where it is absent (platform.schema.json). Copies cost the same everywhere: they have no part in this.
ordered_json usual_costs() {
  const ordered_json one = ordered_json::array({{{"from", "0 B"}, {"factor", 1}}});
  return {{"rendezvous_handshake", true},
          {"rendezvous_head", "ahead"},
          {"progress", "asynchronous"},
          {"latency_factors", one},
          {"bandwidth_factors", one},
          {"factors_apply_to", "links"},
          {"acknowledgements", ordered_json::array()},
          {"cold_caches", ordered_json::array()},
          {"uncertainty", {{"typical", 0}, {"largest", 0}}}};
}

}  // namespace

ordered_json overlaid(ordered_json base, const ordered_json& more) {
  ordered_json texts = sources_by_key(base);
  const ordered_json others = sources_by_key(more);
  base.erase("source");
  for (const auto& [key, value] : more.items()) {
    if (key == "source") continue;
    base[key] = value;
    texts.erase(key);
    if (others.contains(key)) texts[key] = others[key];
  }
  for (auto text = texts.begin(); text != texts.end();)
    text = base.contains(text.key()) ? std::next(text) : texts.erase(text);
  if (!texts.empty()) base["source"] = std::move(texts);
  return base;
}

ordered_json costs_inside(const ordered_json& platform) {
  ordered_json costs = platform.value("mpi", ordered_json::object());
  if (platform.contains("intra_node") && platform["intra_node"].contains("mpi"))
    costs = overlaid(std::move(costs), platform["intra_node"]["mpi"]);
  else
    costs = overlaid(std::move(costs), ordered_json::object());
  ordered_json inside = ordered_json::object();
  for (const auto& [key, value] : costs.items())
    if (std::ranges::find(kMpiOverrideKeys.keys, key) != kMpiOverrideKeys.keys.end())
      inside[key] = value;
  return overlaid(std::move(inside), ordered_json::object());
}

ordered_json apart_from(ordered_json inside, const ordered_json& mpi) {
  const ordered_json usual = usual_costs();
  ordered_json missing = ordered_json::object();
  for (const auto& [key, value] : usual.items())
    if (mpi.contains(key) && !inside.contains(key) && mpi[key] != value) missing[key] = value;
  if (mpi.contains("copy_factors") && inside.contains("copy_bandwidth") &&
      !inside.contains("copy_factors"))
    missing["copy_factors"] = usual["latency_factors"];
  if (missing.empty()) return inside;
  ordered_json texts = ordered_json::object();
  for (const auto& [key, value] : missing.items())
    if (key != "uncertainty") texts[key] = "none inside a node";
  missing["source"] = std::move(texts);
  return overlaid(std::move(inside), missing);
}

}  // namespace reprise::platforms
