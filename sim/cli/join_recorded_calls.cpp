// SPDX-License-Identifier: MIT
#include "sim/cli/join_recorded_calls.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "sim/cli/messages.hpp"
#include "sim/symbols/call_names.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/printable.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/calls/call_join.hpp"

namespace reprise::cli {
namespace {
namespace fs = std::filesystem;

void warn(const std::string& text) {
  std::fprintf(stderr, "reprise: warning: %s\n", printable(text).c_str());
}

bool has_code(const trace_io::CallFile& file) {
  return std::any_of(file.functions.begin(), file.functions.end(), [](const auto& function) {
    return function.module != trace_io::CallFunction::kNoModule;
  });
}

void tell(const trace_io::CallFile& file, const std::string& joined) {
  std::uint64_t events = 0, lost = 0;
  for (const auto& stream : file.streams) {
    events += stream.symbols();
    lost += stream.lost();
  }
  std::error_code failed;
  note("recorded " + counted(file.streams.size(), "stream") + " of calls, " +
       counted(events, "event") + ", in " + counted(fs::file_size(joined, failed), "byte") + ": " +
       joined);
  if (lost > 0)
    warn(counted(lost, "event") + " of the call streams are lost; \"reprise trace calls " + joined +
         "\" says where");
  if (!has_code(file))
    warn(
        "the call streams have MPI calls alone: build the program with -finstrument-functions, and "
        "leave the hooks __cyg_profile_func_enter and _exit to the recorder");
  for (const auto& path : file.cut)
    warn(path + " ended in the middle of a block; what was before it is kept");
}

}  // namespace

void remove_calls_beside(const fs::path& output) {
  if (output.empty()) return;
  std::error_code failed;
  const std::string joined = trace_io::calls_beside(output);
  fs::remove(joined, failed);
  fs::remove_all(joined + trace_io::kCallPartsEnding, failed);
}

void join_recorded_calls(const fs::path& output) {
  if (output.empty()) return;
  const std::string joined = trace_io::calls_beside(output);
  const std::string parts = joined + trace_io::kCallPartsEnding;
  if (std::error_code failed; !fs::exists(parts, failed)) return;
  try {
    const auto file = trace_io::join_calls(parts, joined, name_functions);
    tell(file, joined);
    std::error_code failed;
    fs::remove_all(parts, failed);
  } catch (const CommandError& error) {
    warn("the call streams stay in " + parts + ": " + error.what());
  }
}

}  // namespace reprise::cli
