// SPDX-License-Identifier: MIT
#include "sim/engine/replay.hpp"

#include "sim/engine/interpreter.hpp"
#include "sim/network/flow_network.hpp"
#include "sim/network/queue_network.hpp"
#include "sim/network/simgrid_network.hpp"
#include "sim/network/uncontended_network.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

std::unique_ptr<Network> make_network(const ReplaySettings& settings,
                                      const platforms::Platform& platform) {
  const auto& links = settings.conditions.links;
  switch (settings.network) {
    case NetworkKind::flow:
      return make_flow_network(platform, settings.analytic_below, links);
    case NetworkKind::queue:
      return make_queue_network(platform, links);
    case NetworkKind::uncontended:
      return make_uncontended_network(platform, links);
    case NetworkKind::simgrid:
      if (!links.empty())
        throw InputError(
            links.front().where,
            "the simgrid network has no links that differ from their kind or change in time",
            "the flow network is the same model (--network flow)");
      return make_simgrid_network(platform);
  }
  return nullptr;
}

// Everything that can be wrong with the input is found here: inside the network's loop nothing may be thrown.
void check_input(const trace_io::Trace& trace, const ReplaySettings& settings) {
  REPRISE_ASSERT(settings.compute_scale > 0, "the compute scale is positive");
  const auto recorded = trace.header.recorded.size();
  if (recorded != trace.header.ranks)
    throw InputError(
        "the trace of " + trace.header.program,
        "holds " + std::to_string(recorded) + " of " + std::to_string(trace.header.ranks) +
            " ranks",
        "only a complete trace can be replayed; did the program abort while it was recorded?");
}

Outcome replay_once(const trace_io::Trace& trace, const trace_io::Programs& programs,
                    const platforms::Platform& platform, const ReplaySettings& settings) {
  const auto network = make_network(settings, platform);
  Interpreter interpreter(trace, programs, platform, settings, *network);
  interpreter.run();
  return interpreter.outcome();
}

}  // namespace

std::string_view name_of(NetworkKind kind) {
  switch (kind) {
    case NetworkKind::flow:
      return "flow";
    case NetworkKind::queue:
      return "queue";
    case NetworkKind::uncontended:
      return "uncontended";
    case NetworkKind::simgrid:
      return "simgrid";
  }
  return "";
}

Outcome replay(const trace_io::Trace& trace, const platforms::Platform& platform,
               const ReplaySettings& settings) {
  check_input(trace, settings);
  const trace_io::Programs programs(trace);
  try {
    return replay_once(trace, programs, platform, settings);
  } catch (const WildcardDeadlock&) {
    if (settings.network == NetworkKind::simgrid) throw;
  }
  ReplaySettings as_recorded = settings;
  as_recorded.wildcards = Wildcards::recorded;
  Outcome outcome = replay_once(trace, programs, platform, as_recorded);
  outcome.wildcards_as_recorded = true;
  return outcome;
}

}  // namespace reprise::sim
