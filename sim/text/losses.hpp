// SPDX-License-Identifier: MIT
// What is not represented of a program, with its severity, as text and as JSON: for traces, replays and studies alike.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise {

std::string_view severity_name(trace_io::Severity);  // "partial"

// A heading and a line each; empty where nothing was lost. ALL_TIME: of all ranks, of which a loss is a share; 0: no shares.
std::string losses_text(const std::vector<trace_io::Loss>&, Seconds all_time = {});
// " (3.1% of their time)"; empty where the loss has no time.
std::string share_text(const trace_io::Loss&, Seconds all_time);
// [{"name", "count", "time_s", "severity"}, …]
nlohmann::ordered_json losses_json(const std::vector<trace_io::Loss>&);

}  // namespace reprise
