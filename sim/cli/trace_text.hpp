// SPDX-License-Identifier: MIT
// What `reprise trace info` and `reprise trace check` print.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "trace-io/check/check.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::cli {

std::string info_text(const trace_io::Trace&, std::uint64_t file_bytes);
std::string info_json(const trace_io::Trace&, std::uint64_t file_bytes);  // docs/JSON.md
std::string findings_text(const std::string& path, const std::vector<trace_io::Finding>&);
std::string findings_json(const std::vector<trace_io::Finding>&);

std::string losses_text(const std::vector<trace_io::Loss>&);  // empty where nothing was lost
nlohmann::ordered_json losses_json(const std::vector<trace_io::Loss>&);
std::string_view name_of(trace_io::Severity);

}  // namespace reprise::cli
