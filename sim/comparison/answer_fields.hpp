// SPDX-License-Identifier: MIT
// Fields of answers, which may lack any of them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace reprise::sim {

// An empty list where there is none.
inline const nlohmann::ordered_json& part_of(const nlohmann::ordered_json& json, const char* key) {
  static const nlohmann::ordered_json none = nlohmann::ordered_json::array();
  const auto found = json.find(key);
  return found == json.end() ? none : *found;
}
inline std::string text_at(const nlohmann::ordered_json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}
inline double number_at(const nlohmann::ordered_json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : 0;
}

}  // namespace reprise::sim
