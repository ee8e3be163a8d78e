// SPDX-License-Identifier: MIT
#include "sim/engine/replay.hpp"

#include <cmath>

#include "sim/engine/interpreter.hpp"
#include "sim/network/network_model.hpp"
#include "sim/replay_watch.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

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
  const auto network = model_of(settings.network)
                           .make(platform, {settings.analytic_below, settings.conditions.links,
                                            settings.flow_tolerance});
  Interpreter interpreter(trace, programs, platform, settings, *network);
  if (settings.watch != nullptr) settings.watch->begin();
  interpreter.run();
  if (settings.watch != nullptr) settings.watch->end();
  Outcome outcome = interpreter.outcome();
  if (!std::isfinite(outcome.predicted_time.value))
    throw RunError("replay", "has no finite end",
                   "a time or a rate of the platform is outside any realistic range");
  return outcome;
}

}  // namespace

Outcome replay(const trace_io::Trace& trace, const platforms::Platform& platform,
               const ReplaySettings& settings) {
  check_input(trace, settings);
  const trace_io::Programs programs(trace);
  try {
    return replay_once(trace, programs, platform, settings);
  } catch (const WildcardDeadlock&) {
    if (model_of(settings.network).simulates_once) throw;
  }
  ReplaySettings as_recorded = settings;
  as_recorded.wildcards = Wildcards::recorded;
  Outcome outcome = replay_once(trace, programs, platform, as_recorded);
  outcome.wildcards_as_recorded = true;
  return outcome;
}

}  // namespace reprise::sim
