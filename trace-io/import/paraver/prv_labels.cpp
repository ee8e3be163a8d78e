// SPDX-License-Identifier: MIT
#include "trace-io/import/paraver/prv_labels.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "trace-io/base/error.hpp"
#include "trace-io/import/paraver/field_events.hpp"

namespace reprise::trace_io {
namespace {
namespace fs = std::filesystem;

// Numbers of Extrae's, src/common/events.h.
constexpr std::int64_t kCaller = 70000000, kCallerLine = 80000000, kFunction = 60000019;
constexpr std::int64_t kSendSize = 50100001, kReceiveSize = 50100002, kRootEvent = 50100003,
                       kCommunicator = 50100004, kFirstCounter = 41999999, kLastCounter = 49999999;
constexpr std::int64_t kMostLevels = 100;

std::string beside(const std::string& trace, const char* extension) {
  fs::path path(trace);
  if (path.extension() == ".gz") path.replace_extension();
  return path.replace_extension(extension).string();
}

PrvType::What meaning(std::int64_t type) {
  using What = PrvType::What;
  if (type > kCaller && type < kCaller + kMostLevels) return What::caller;
  if (type > kCallerLine && type < kCallerLine + kMostLevels) return What::caller_line;
  if (type >= kFieldEvents && type < kFieldEvents + kFieldEventTypes) return What::field;
  if (type > kFirstCounter && type <= kLastCounter) return What::counter;
  switch (type) {
    case kFunction:
      return What::function;
    case kSendSize:
      return What::send_size;
    case kReceiveSize:
      return What::receive_size;
    case kRootEvent:
      return What::is_root;
    case kCommunicator:
      return What::communicator;
    default:
      return What::other;
  }
}

class PcfReader {
 public:
  explicit PcfReader(const std::string& path) : path_(path), in_(path) {
    if (!in_)
      throw InputError(path, "is missing",
                       "a Paraver trace needs its .pcf: without it no event has a meaning");
  }

  void read(PrvLabels& labels) {
    std::string line;
    bool in_values = false;
    std::vector<std::int64_t> types;  // of the block
    bool in_types = false;
    while (std::getline(in_, line)) {
      std::istringstream words(line);
      std::string first;
      if (!(words >> first)) continue;
      if (first == "EVENT_TYPE") {
        in_types = true;
        in_values = false;
        types.clear();
      } else if (first == "VALUES") {
        in_values = in_types;
      } else if (!in_types || (first.find_first_not_of("-0123456789") != std::string::npos)) {
        in_types = in_values = false;
      } else if (in_values) {
        add_value(labels, types, first, rest_of(words));
      } else if (std::int64_t type = 0; words >> type) {
        types.push_back(type);
        PrvType& known = labels.types[type];
        known.what = meaning(type);
        known.level = static_cast<std::uint32_t>(
            known.what == PrvType::What::caller        ? type - kCaller
            : known.what == PrvType::What::caller_line ? type - kCallerLine
            : known.what == PrvType::What::field       ? type - kFieldEvents
                                                       : 0);
      }
    }
  }

 private:
  static std::string rest_of(std::istringstream& words) {
    std::string rest;
    std::getline(words >> std::ws, rest);
    while (!rest.empty() && (rest.back() == '\r' || rest.back() == ' ')) rest.pop_back();
    return rest;
  }

  static void add_value(PrvLabels& labels, const std::vector<std::int64_t>& types,
                        const std::string& number, const std::string& label) {
    std::int64_t value = 0;
    if (std::from_chars(number.data(), number.data() + number.size(), value).ec != std::errc{})
      return;
    for (const auto type : types) {
      PrvType& known = labels.types[type];
      known.values[value] = label;
      const std::string name = procedure_name(label);
      if (value == 0 || known.what != PrvType::What::other || !name.starts_with("MPI_")) continue;
      auto& procedure = labels.procedures[type][value];
      procedure.name = name;
      procedure.treatment = treatment_of(name);
    }
  }

  std::string path_;
  std::ifstream in_;
};

std::vector<std::string> node_names(const std::string& path) {
  std::vector<std::string> names;
  std::ifstream in(path);
  bool in_nodes = false;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.starts_with("LEVEL"))
      in_nodes = line.starts_with("LEVEL NODE");
    else if (in_nodes && !line.empty())
      names.push_back(line);
  }
  return names;
}

}  // namespace

PrvLabels read_prv_labels(const std::string& trace) {
  PrvLabels labels;
  PcfReader(beside(trace, ".pcf")).read(labels);
  for (auto& [type, procedures] : labels.procedures) {
    labels.types[type].what = PrvType::What::mpi;
    // The rows hold views of the names: made when the procedures have their places.
    for (auto& [value, procedure] : procedures) procedure.row = procedure_named(procedure.name);
  }
  if (labels.procedures.empty())
    throw InputError(beside(trace, ".pcf"), "names no event of MPI",
                     "only traces of MPI programs can be imported");
  labels.nodes = node_names(beside(trace, ".row"));
  return labels;
}

}  // namespace reprise::trace_io
