// SPDX-License-Identifier: MIT
// Latencies of messages as SVG: how often which time, on a logarithmic scale, one panel a distance.
#pragma once

#include <string>
#include <vector>

#include "platforms/markup/markup.hpp"
#include "trace-io/model/message_times.hpp"

namespace reprise::sim::report {

struct LatencyPanel {
  std::string title;  // "same node: 1 234 messages"
  trace_io::LatencyStat latency;
};

// REQUIRES: at least one panel, each of some messages.
markup::Markup latencies_svg(const std::vector<LatencyPanel>&, const std::string& title);

}  // namespace reprise::sim::report
