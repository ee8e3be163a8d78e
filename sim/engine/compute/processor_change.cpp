// SPDX-License-Identifier: MIT
#include "sim/engine/compute/processor_change.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <utility>

#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::sim {
namespace {

constexpr std::string_view kIpc = "ipc=", kFrequency = "frequency=";
constexpr const char* kIpcForms =
    "write a factor such as 1.3x, or instructions per cycle such as 2.1";
constexpr const char* kFrequencyForms =
    "write a factor such as 1.1x, or a frequency such as 3.2 GHz";
constexpr double kMostPerCycle = 1e3, kHighest = 1e15;  // Hz

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// The number at the beginning of a text, which it then loses; none where there is none.
std::optional<double> number_of(std::string_view& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool is_factor(std::string_view text) { return text.ends_with('x'); }

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

std::string shortest(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

}  // namespace

bool is_processor_change(std::string_view text) {
  return text.starts_with(kIpc) || text.starts_with(kFrequency);
}

void read_ipc(ProcessorChange& change, std::string_view given, const std::string& where) {
  const std::string_view text = trimmed(given);
  if (change.ipc || change.ipc_factor) throw InputError(where, "ipc is given twice", "");
  if (is_factor(text)) {
    change.ipc_factor = parse_factor(text, where);
    return;
  }
  std::string_view rest = text;
  const auto value = number_of(rest);
  if (!value || !rest.empty() || !(*value > 0) || *value > kMostPerCycle)
    throw InputError(where, quoted(text) + " is not a number of instructions per cycle", kIpcForms);
  change.ipc = *value;
}

void read_frequency(ProcessorChange& change, std::string_view given, const std::string& where) {
  const std::string_view text = trimmed(given);
  if (change.frequency || change.frequency_factor)
    throw InputError(where, "frequency is given twice", "");
  if (is_factor(text)) {
    change.frequency_factor = parse_factor(text, where);
    return;
  }
  std::string_view rest = text;
  const auto value = number_of(rest);
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  if (value && rest.empty())
    throw InputError(where, quoted(text) + " has no unit", kFrequencyForms);
  for (const auto& [unit, scale] :
       {std::pair<std::string_view, double>{"Hz", 1}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}})
    if (value && rest == unit && *value > 0 && *value * scale <= kHighest) {
      change.frequency = *value * scale;
      return;
    }
  throw InputError(where, quoted(text) + " is not a frequency", kFrequencyForms);
}

ProcessorChange parse_processor_change(std::string_view text, const std::string& where) {
  ProcessorChange change;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view one = trimmed(text.substr(begin, end - begin));
    if (one.starts_with(kIpc))
      read_ipc(change, one.substr(kIpc.size()), where);
    else if (one.starts_with(kFrequency))
      read_frequency(change, one.substr(kFrequency.size()), where);
    else
      throw InputError(
          where, quoted(one) + " is neither ipc= nor frequency=",
          "such as ipc=1.3x,frequency=3.2 GHz; other rules are an option --compute each");
    begin = end + 1;
  }
  return change;
}

std::string describe(const ProcessorChange& change) {
  std::string text;
  if (change.ipc_factor) text = "instructions per cycle × " + shortest("%g", *change.ipc_factor);
  if (change.ipc) text = shortest("%g instructions per cycle", *change.ipc);
  if (!text.empty() && (change.frequency_factor || change.frequency)) text += ", ";
  if (change.frequency_factor) text += "frequency × " + shortest("%g", *change.frequency_factor);
  if (change.frequency) text += "frequency " + shortest("%g GHz", *change.frequency / 1e9);
  return text;
}

}  // namespace reprise::sim
