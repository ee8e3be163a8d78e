// SPDX-License-Identifier: MIT
// Reductions that combine their operands in no time, because the platform's file has no reduction_bandwidth. No algorithm combines less than each
// rank's data once a call (docs/MODEL.md), so that is a lower bound of what is left out.
//
// Said      where it would be kCombiningNoticed of the run at kCombining, about what a core adds up from memory.
// Cost      that of summarise() (trace-io/check/summary.hpp).
#pragma once

#include <string>

#include "platforms/platform.hpp"
#include "sim/outcome.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

inline constexpr BytesPerSecond kCombining{5e9};
inline constexpr double kCombiningNoticed = 0.01;

// Without its full stop; empty where there is nothing to say.
std::string describe_free_combining(const trace_io::Trace&, const platforms::Platform&,
                                    const Outcome&);

}  // namespace reprise::sim
