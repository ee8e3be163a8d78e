// SPDX-License-Identifier: MIT
#include "sim/report/call_text.hpp"

#include <nlohmann/json.hpp>

namespace reprise::sim::report {

using nlohmann::ordered_json;

std::string place_of(const ordered_json& row) {
  const std::string place = row.value("place", ""), caller = row.value("caller", "");
  return caller.empty() ? place : place + ", called at " + caller;
}

std::string call_of(const ordered_json& row) {
  const std::string place = place_of(row);
  return row.value("procedure", "") + (place.empty() ? "" : " (" + place + ")");
}

}  // namespace reprise::sim::report
