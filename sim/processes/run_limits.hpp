// SPDX-License-Identifier: MIT
#pragma once

#include "trace-io/base/quantity.hpp"

namespace reprise::sim {

// Of one child process; zero is no limit.
struct RunLimits {
  Seconds cpu_time;
  Bytes memory;
};

}  // namespace reprise::sim
