// SPDX-License-Identifier: MIT
// The network models by name: what --network, scenarios and studies offer, and how a replay makes one.
//
// Add     a source such as flow_network.cpp in this folder that defines `const NetworkModel kFlowNetwork`, its line in CMakeLists.txt,
//         a test such as tests/physics/flow_network_test.cpp, its row and equations in docs/MODEL.md. Its name stands in CMakeLists.txt alone: the
//         enumeration and the registry are generated from that list, as Open MPI does with its components.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "platforms/platform.hpp"
#include "sim/conditions.hpp"
#include "sim/network/network.hpp"
#include "sim/network/network_kind.hpp"  // generated: enum class NetworkKind { flow, queue … }

namespace reprise::sim {

// What a replay asks of its network besides the platform.
struct NetworkSettings {
  Bytes analytic_below;               // messages of fewer bytes are timed as if they were alone
  std::span<const LinkChange> links;  // must live as long as the network
  double flow_tolerance = 0;  // of crowds' rates (flow_network.cpp); 0: exact, whatever it costs
};

struct NetworkModel {
  std::string_view summary;  // how messages share links, a few words for --help
  // Throws InputError: links that there are not, or changes of links by a model that has none.
  std::unique_ptr<Network> (*make)(const platforms::Platform&, const NetworkSettings&);
  bool times_small_messages_alone = false;  // NetworkSettings::analytic_below has a meaning
  bool simulates_once = false;              // once per process; the others any number of times
  bool is_max_min =
      false;  // the same sharing as `flow`, solved or approximated: not one opinion more
  // Messages share links, and never by their routes' latency, even where the platform says so: an answer tells it.
  bool leaves_latency_weights_out = false;
  double time_error = 0;  // seconds by which two equal intervals may differ
  // Where the busiest link is busy for this share of the run, predictions are known to be off; above 1: nowhere.
  double doubtful_from_busy = 2;
};

const NetworkModel& model_of(NetworkKind);
std::string_view name_of(NetworkKind);  // "flow"

// By the number of their kinds; the first is the default.
std::span<const std::string_view> network_names();
std::optional<NetworkKind> find_network(std::string_view name);

}  // namespace reprise::sim
