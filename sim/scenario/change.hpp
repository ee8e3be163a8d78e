// SPDX-License-Identifier: MIT
// One difference that a scenario makes, as a plain value. docs/SCENARIOS.md describes each kind with its keys.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>

#include "platforms/json/object_reader.hpp"
#include "sim/conditions.hpp"
#include "sim/engine/compute/compute_scaling.hpp"
#include "sim/engine/replay.hpp"
#include "trace-io/base/quantity.hpp"

namespace reprise::sim {

// {"path": …, "multiply_by": …} or {"path": …, "set_to": …}: a setting of the platform.
struct SettingChange {
  std::string pointer;
  std::optional<double> multiply_by;  // else set_to
  nlohmann::json set_to;
};

// {"collective": {"operation": …, "above": …, "up_to": …}, "algorithm": …}
struct CollectiveChange {
  std::string operation;
  std::optional<Bytes> above, up_to;  // for sizes above the one, up to and with the other
  std::string algorithm;
  std::optional<Bytes> segment;
  std::uint32_t fanout = 0;  // 0: the algorithm's own
};

struct PlacementChange {
  std::string how;  // as --placement takes it; a file is looked for beside the scenario
};

struct NetworkChange {
  NetworkKind kind = NetworkKind::flow;
};

// {"memory_traffic": "8 GB/s"}: what a rank moves to and from memory for each second that it was recorded to compute.
struct MemoryTrafficChange {
  BytesPerSecond rate;
};

struct Change {
  platforms::JsonPlace place;
  nlohmann::json written;  // as it stands in the file
  std::variant<SettingChange, ComputeRule, LinkChange, NodeChange, NoiseChange, CollectiveChange,
               PlacementChange, NetworkChange, MemoryTrafficChange>
      what;  // computing, links, nodes and noise as the replay knows them
};

// "/network/link/bandwidth × 2", "the spine links' bandwidth × 0.25": for people.
std::string describe(const Change&);
std::string describe_memory_traffic(BytesPerSecond);

}  // namespace reprise::sim
