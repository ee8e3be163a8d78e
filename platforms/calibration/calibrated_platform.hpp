// SPDX-License-Identifier: MIT
// A platform file of measurements: every number with where it comes from, the residuals kept as the model's uncertainty.
//
// Base  what was not measured is the base platform's, if there is one: its topology, storage, nodes and cores, and the path that
//       was not measured. Between nodes the base's topology stays, and its network link gets the measured bandwidth and, of the latency,
//       its share of the links between the first two nodes.
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
  std::vector<std::string> remarks;  // what was assumed, and what was measured for nothing
};

// Throws InputError: nothing measured of which a platform could be made.
Calibration calibrate(const Measurements&, const CalibrationSettings&);

}  // namespace reprise::platforms
