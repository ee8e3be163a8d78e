// SPDX-License-Identifier: MIT
// A platform file of measurements: every number with where it comes from, the residuals kept as the model's uncertainty.
//
// Base  what was not measured is the base platform's, if there is one: its topology, storage, nodes and cores, the costs of a path that
//       were not measured, and the path that was not measured with all of its costs (known_costs.hpp). Between nodes the base's topology
//       stays, with the measured latency and bandwidth between the first two nodes (network_fit.hpp).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "platforms/calibration/measurements.hpp"
#include "platforms/calibration/path_fit.hpp"
#include "platforms/calibration/socket_fit.hpp"
#include "platforms/json/document.hpp"

namespace reprise::platforms {

struct CalibrationSettings {
  std::string name;
  std::optional<unsigned> nodes,
      cores;  // of the machine; else as measured, else the base's, else one node of two cores
  std::optional<Document> base;
  std::optional<unsigned> sockets = {};  // of a node; else the base's
};

struct Calibration {
  nlohmann::ordered_json platform;
  std::optional<PathFit> intra_node, inter_node;
  std::optional<SocketFit> between_sockets;
  bool shares_as_base = false;  // how messages inside a node share bandwidth is the base's
  std::string disturbance;  // why it should not be used (disturbance.hpp); empty where it can be
  std::vector<std::string> remarks;  // what was assumed, and what was measured for nothing
};

// Throws InputError: nothing measured of which a platform could be made.
Calibration calibrate(const Measurements&, const CalibrationSettings&);

}  // namespace reprise::platforms
