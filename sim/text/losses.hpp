// SPDX-License-Identifier: MIT
// What is not represented of a program, with its severity, as text and as JSON: for traces, replays and studies alike.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise {

std::string_view severity_name(trace_io::Severity);  // "partial"

// What losses are shares of: a time of all ranks together, and what it is called. 0: no shares.
struct AllTime {
  Seconds time;
  std::string_view what = "recorded";
};
// The recorded run's; of a trace that does not tell it, the predicted one's.
AllTime time_of_losses(const trace_io::Header&, Seconds predicted);

// "3 times"; of losses that count MiB (trace-io/model/unseen_time.hpp), whose name may follow its severity, "480 MiB".
std::string loss_count_text(std::string_view name, std::uint64_t count);
// A heading and a line each; empty where nothing was lost. MISSING: what the trace lacks of the run, the first of them; empty: nothing.
std::string losses_text(const std::vector<trace_io::Loss>&, AllTime = {},
                        const std::string& missing = {});
// " (3.1% of their recorded time)"; empty where the loss has no time.
std::string share_text(const trace_io::Loss&, AllTime);
// [{"name", "count", "time_s", "severity"}, …]
nlohmann::ordered_json losses_json(const std::vector<trace_io::Loss>&);

}  // namespace reprise
