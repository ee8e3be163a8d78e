// SPDX-License-Identifier: MIT
#include "platforms/calibration/network_fit.hpp"

#include "platforms/calibration/four_digits.hpp"
#include "platforms/calibration/known_costs.hpp"
#include "platforms/routes.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::platforms {
namespace {

using nlohmann::ordered_json;

struct Factors {
  double latency = 1, bandwidth = 1;
};

// Every link below VALUE, whatever the topology calls it.
void scale_links(ordered_json& value, const Factors& factors, const std::string& source) {
  if (value.is_object()) {
    ordered_json scaled = ordered_json::object(), texts = ordered_json::object();
    if (value.contains("bandwidth") && value["bandwidth"].is_string()) {
      const auto rate = parse_bytes_per_second(value["bandwidth"].get<std::string>(), "bandwidth");
      scaled["bandwidth"] = to_four_digits(BytesPerSecond{rate.value * factors.bandwidth});
      texts["bandwidth"] = source;
    }
    if (value.contains("latency") && value["latency"].is_string()) {
      const auto time = parse_seconds(value["latency"].get<std::string>(), "latency");
      scaled["latency"] = to_four_digits(time * factors.latency);
      texts["latency"] = source + ", dealt out to the links of the route";
    }
    if (!scaled.empty()) {
      scaled["source"] = std::move(texts);
      value = overlaid(std::move(value), scaled);
    }
  }
  if (!value.is_structured()) return;
  for (auto at = value.begin(); at != value.end(); ++at)
    if (!value.is_object() || at.key() != "source") scale_links(*at, factors, source);
}

}  // namespace

void fit_network(ordered_json& network, const Platform& base, const LinkSpec& measured,
                 const std::string& source) {
  Route route;
  make_route_table(base)->find_route(0, base.ends_per_node(), route);
  const bool has_latency = route.latency.value > 0;
  scale_links(network,
              {has_latency ? measured.latency / route.latency : 1,
               measured.bandwidth.value / route.bandwidth.value},
              source);
  if (!has_latency)
    network["link"]["latency"] =
        to_four_digits(measured.latency * (1 / static_cast<double>(route.links.size())));
}

}  // namespace reprise::platforms
