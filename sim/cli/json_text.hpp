// SPDX-License-Identifier: MIT
// The command's JSON as text: indented, a line break at the end, bytes that are no UTF-8 (in paths) as U+FFFD.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace reprise::cli {

inline std::string json_text(const nlohmann::ordered_json& answer) {
  return answer.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace reprise::cli
