// SPDX-License-Identifier: MIT
#include "sim/text/tables.hpp"

#include "sim/text/printable.hpp"

namespace reprise {

using nlohmann::ordered_json;

std::string json_text(const ordered_json& value, int indent) {
  return value.dump(indent, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string csv_field(const ordered_json& value) {
  if (value.is_null()) return "";
  if (!value.is_string()) return value.dump();
  const std::string content = printable(value.get_ref<const std::string&>());
  const std::string text = is_formula(content) ? '\'' + content : content;
  if (!is_formula(content) && text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_text(const ordered_json& rows) {
  const ordered_json list = rows.is_array() ? rows : ordered_json::array({rows});
  std::string text;
  for (const auto& row : list) {
    std::string names, values;
    for (const auto& [name, value] : row.items()) {
      names += csv_field(name) + ",";
      values += csv_field(value) + ",";
    }
    names.back() = values.back() = '\n';
    text += (text.empty() ? names : "") + values;
  }
  return text;
}

}  // namespace reprise
