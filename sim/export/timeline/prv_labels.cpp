// SPDX-License-Identifier: MIT
#include "sim/export/timeline/prv_labels.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "sim/export/timeline/prv_call_numbers.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/import/paraver/field_events.hpp"

namespace reprise::sim {
namespace {

constexpr std::int64_t kPointToPoint = 50000001, kCollective = 50000002, kOther = 50000003;

// Procedures to which Extrae gives no number are counted on from here.
constexpr std::int64_t kFirstOwn = 1000;

std::int64_t next_value(std::map<std::string, std::int64_t>& values, const std::string& text) {
  return values.try_emplace(text, static_cast<std::int64_t>(values.size()) + 1).first->second;
}

std::string beside(const std::string& prv, const char* extension) {
  return std::filesystem::path(prv).replace_extension(extension).string();
}

void write_values(std::ofstream& out, const std::map<std::string, std::int64_t>& values,
                  const char* zero) {
  out << "VALUES\n0   " << zero << "\n";
  std::vector<std::pair<std::int64_t, std::string>> ordered;
  for (const auto& [text, value] : values) ordered.emplace_back(value, text);
  std::sort(ordered.begin(), ordered.end());
  for (const auto& [value, text] : ordered) out << value << "   " << text << "\n";
  out << "\n\n";
}

}  // namespace

std::pair<std::int64_t, std::int64_t> PrvLabelTables::event_of(const std::string& procedure) {
  const auto row = trace_io::procedure_named(procedure);
  const std::int64_t type =
      row.kind == trace_io::Kind::collective || row.kind == trace_io::Kind::start_collective
          ? kCollective
      : row.kind < trace_io::Kind::probe && row.kind > trace_io::Kind::finalize ? kPointToPoint
                                                                                : kOther;
  Values& values = procedures_[type];
  if (const auto known = values.find(procedure); known != values.end())
    return {type, known->second};
  std::int64_t value = extrae_number(procedure);
  if (value == 0) value = kFirstOwn + static_cast<std::int64_t>(values.size());
  values[procedure] = value;
  return {type, value};
}

std::pair<std::int64_t, std::int64_t> PrvLabelTables::caller_of(trace_io::Frame frame) {
  const auto [known, is_new] = callers_.try_emplace(frame);
  if (!is_new) return known->second;
  const auto name = std::lower_bound(
      trace_.frame_names.begin(), trace_.frame_names.end(), frame,
      [](const trace_io::FrameName& a, const trace_io::Frame& b) { return a.frame < b; });
  const bool is_named = name != trace_.frame_names.end() && name->frame == frame;
  const std::string& module = trace_.modules[frame.module].path;
  const std::string function = is_named && !name->function.empty()
                                   ? name->function
                                   : module + "+" + std::to_string(frame.offset);
  const std::string place =
      is_named ? std::to_string(name->line) + " (" + name->file + ", " + module + ")"
               : "0 (, " + module + ")";
  return known->second = {next_value(functions_, function), next_value(places_, place)};
}

void PrvLabelTables::write(const std::string& prv) const {
  std::ofstream pcf(beside(prv, ".pcf"));
  pcf << "DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\n\n\nSTATES\n"
         "0    Idle\n1    Running\n3    Waiting a message\n4    Blocking Send\n8    Wait/WaitAll\n"
         "10    Immediate Send\n11    Immediate Receive\n13    Group Communication\n15    "
         "Others\n\n\n";
  const std::map<std::int64_t, const char*> names = {{kPointToPoint, "MPI Point-to-point"},
                                                     {kCollective, "MPI Collective Comm"},
                                                     {kOther, "MPI Other"}};
  for (const auto& [type, values] : procedures_) {
    pcf << "EVENT_TYPE\n9   " << type << "    " << names.at(type) << "\n";
    write_values(pcf, values, "Outside MPI");
  }
  pcf << "EVENT_TYPE\n1    50100001    Send Size in MPI Global OP\n"
         "1    50100002    Recv Size in MPI Global OP\n1    50100003    Root in MPI Global OP\n"
         "1    50100004    Communicator in MPI Global OP\n\n\nEVENT_TYPE\n";
  const char* const words[] = {"Fields of an MPI call", "Number", "Request", "List"};
  for (std::int64_t i = 0; i < trace_io::kFieldEventTypes; ++i)
    pcf << "0    " << trace_io::kFieldEvents + i << "    reprise: " << words[i] << "\n";
  if (has_deadlock_) pcf << "0    " << kDeadlockEvent << "    reprise: never ends, a deadlock\n";
  pcf << "\n\n";
  for (const bool lines : {false, true}) {
    if (functions_.empty()) break;
    pcf << "EVENT_TYPE\n";
    for (std::int64_t level = 1; level <= kMostLevels; ++level)
      pcf << "0    " << (lines ? 80000000 : 70000000) + level
          << (lines ? "    Caller line at level " : "    Caller at level ") << level << "\n";
    write_values(pcf, lines ? places_ : functions_, "End");
  }
  std::ofstream row(beside(prv, ".row"));
  row << "LEVEL NODE SIZE " << trace_.header.hosts.size() << "\n";
  for (const auto& host : trace_.header.hosts) row << host.name << "\n";
  row << "\nLEVEL TASK SIZE " << trace_.header.ranks << "\n";
  for (std::int32_t r = 0; r < trace_.header.ranks; ++r) row << "rank " << r << "\n";
  pcf.close();
  row.close();
  if (!pcf || !row) throw RunError(prv, "its .pcf and .row could not be written");
}

}  // namespace reprise::sim
