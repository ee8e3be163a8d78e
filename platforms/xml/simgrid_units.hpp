// SPDX-License-Identifier: MIT
// Numbers with units as SimGrid's platform files write them: "1Gf", "12.5GBps", "100Mbps", "1us"; without a unit flop/s, bytes/s, s.
// All throw InputError{where, …}.
#pragma once

#include <string>

#include "trace-io/base/quantity.hpp"

namespace reprise::platforms {

FlopPerSecond simgrid_speed(const std::string& text,
                            const std::string& where);  // of several (one per pstate) the first
BytesPerSecond simgrid_bandwidth(const std::string& text, const std::string& where);
Seconds simgrid_time(const std::string& text, const std::string& where);

}  // namespace reprise::platforms
