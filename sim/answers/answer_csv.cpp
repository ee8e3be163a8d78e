// SPDX-License-Identifier: MIT
#include "sim/answers/answer_csv.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

std::string cell_text(const ordered_json& value) {
  if (value.is_null()) return "";
  if (!value.is_string()) return value.dump();
  const auto& text = value.get_ref<const std::string&>();
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

ordered_json matrix_rows(const ordered_json& matrix) {
  const auto& first = matrix["first_ranks"];
  auto rows = ordered_json::array();
  for (std::size_t from = 0; from + 1 < first.size(); ++from)
    for (std::size_t to = 0; to + 1 < first.size(); ++to) {
      if (matrix["messages"][from][to] == 0) continue;
      rows.push_back({{"from_first_rank", first[from]},
                      {"from_last_rank", first[from + 1].get<std::int64_t>() - 1},
                      {"to_first_rank", first[to]},
                      {"to_last_rank", first[to + 1].get<std::int64_t>() - 1},
                      {"messages", matrix["messages"][from][to]},
                      {"bytes", matrix["bytes"][from][to]}});
    }
  return rows;
}

ordered_json timeline_rows(const ordered_json& line) {
  const auto& first = line["first_ranks"];
  const double bin = line["bin_s"].get<double>();
  auto rows = ordered_json::array();
  for (std::size_t row = 0; row + 1 < first.size(); ++row)
    for (std::size_t i = 0; i < line["compute"][row].size(); ++i)
      rows.push_back({{"first_rank", first[row]},
                      {"last_rank", first[row + 1].get<std::int64_t>() - 1},
                      {"begin_s", bin * static_cast<double>(i)},
                      {"end_s", bin * static_cast<double>(i + 1)},
                      {"compute", line["compute"][row][i]},
                      {"communication", line["communication"][row][i]},
                      {"wait", line["wait"][row][i]}});
  return rows;
}

}  // namespace

std::string csv_of(const ordered_json& rows) {
  const ordered_json list = rows.is_array() ? rows : ordered_json::array({rows});
  std::string text;
  for (const auto& row : list) {
    std::string names, values;
    for (const auto& [name, value] : row.items()) {
      names += name + ",";
      values += cell_text(value) + ",";
    }
    names.back() = values.back() = '\n';
    text += (text.empty() ? names : "") + values;
  }
  return text;
}

std::string part_as_csv(const ordered_json& part, std::string_view key) {
  if (key == "matrix") return csv_of(matrix_rows(part));
  if (key == "timeline") return csv_of(timeline_rows(part));
  return csv_of(part);
}

}  // namespace reprise::sim
