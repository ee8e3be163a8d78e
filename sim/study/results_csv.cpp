// SPDX-License-Identifier: MIT
#include "sim/study/merge.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

// Quoted where it must be (RFC 4180).
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

// What stands at POINTER, empty where nothing does.
std::string cell_at(const ordered_json& point, const char* pointer) {
  const ordered_json::json_pointer at(pointer);
  if (!point.contains(at) || point.at(at).is_null()) return "";
  const auto& value = point.at(at);
  return cell(value.is_string() ? value.get<std::string>() : value.dump());
}

struct Column {
  const char *name, *pointer;
};
constexpr Column kColumns[] = {{"status", "/status"},
                               {"reason", "/reason"},
                               {"predicted_time_s", "/predicted_time_s/median"},
                               {"low_s", "/predicted_time_s/low"},
                               {"high_s", "/predicted_time_s/high"},
                               {"seeds", "/predicted_time_s/seeds"},
                               {"speedup", "/speedup"},
                               {"compute_s", "/compute_s"},
                               {"communication_s", "/communication_s"},
                               {"wait_s", "/wait_s"},
                               {"parallel_efficiency", "/efficiencies/parallel"},
                               {"load_balance", "/efficiencies/load_balance"},
                               {"communication_efficiency", "/efficiencies/communication"},
                               {"serialisation", "/efficiencies/serialisation"},
                               {"transfer", "/efficiencies/transfer"}};

}  // namespace

std::string results_csv(const ordered_json& results) {
  std::string text;
  for (const auto& axis : results["study"]["axes"]) text += cell(axis["name"]) + ',';
  for (const Column& column : kColumns)
    text += (&column == kColumns ? "" : ",") + std::string(column.name);
  text += '\n';
  for (const auto& point : results["points"]) {
    for (const auto& label : point["labels"]) text += cell(label) + ',';
    for (const Column& column : kColumns)
      text += (&column == kColumns ? "" : ",") + cell_at(point, column.pointer);
    text += '\n';
  }
  return text;
}

}  // namespace reprise::sim
