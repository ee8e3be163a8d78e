// SPDX-License-Identifier: MIT
#include "sim/cli/record_conclusion.hpp"

#include <chrono>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "sim/cli/join_recorded_calls.hpp"
#include "sim/cli/messages.hpp"
#include "sim/symbols/symbolise.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/printable.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/file/finish_times.hpp"
#include "trace-io/file/trace_file.hpp"

namespace reprise::cli {
namespace {
namespace fs = std::filesystem;

// With names, where they are wanted, and fully compressed, which the ranks have left to us: nobody waits for it here. Where that fails, it is still the
// trace.
void rewrite(trace_io::Trace& trace, const fs::path& output, bool with_symbols) {
  const char* lack = "the trace is larger than it need be";
  try {
    const auto begin = std::chrono::steady_clock::now();
    const bool has_more_names = with_symbols && symbolise(trace) > 0;
    if (has_more_names) lack = "the trace has no function names";
    const Nanoseconds symbols{
        std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count()};
    auto times = trace_io::load_finish_times(output);
    if (!times) return trace_io::save(trace, output);
    if (has_more_names) times->symbols = symbols;
    auto file = trace_io::serialise(trace);
    trace_io::append_finish_times(file, *times);
    trace_io::save_bytes(file, output);
  } catch (const CommandError& error) {
    std::fprintf(stderr, "reprise: warning: %s: %s\n", lack, printable(error.what()).c_str());
  }
}

// What `reprise trace salvage` could save.
bool has_parts(const fs::path& folder) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".part" && entry.file_size(failed) > 0) return true;
  return false;
}

// One line, and one with the remedy, on why there is no trace.
void tell_why_there_is_none(const fs::path& output, int status) {
  std::error_code failed;
  const auto parts = output.string() + ".parts";
  const auto folder = output.parent_path();
  if (has_parts(parts))
    std::fprintf(stderr,
                 "reprise: no trace was written at MPI_Finalize; to save what was recorded "
                 "before:\n  reprise trace salvage %s -o %s\n",
                 parts.c_str(), output.c_str());
  else if (fs::exists(parts, failed))
    std::fprintf(stderr,
                 "reprise: no trace was written, and nothing can be saved: %s is empty; is the "
                 "disk full, or the quota exceeded?\n",
                 parts.c_str());
  else if (!folder.empty() && !fs::exists(folder, failed))
    std::fprintf(stderr,
                 "reprise: no trace was written: the folder %s was removed during the run\n"
                 "  choose a folder that stays, with -o\n",
                 folder.c_str());
  else if (status != 0)
    std::fprintf(stderr,
                 "reprise: no trace was written: the program ended with status %d before any rank "
                 "was through MPI_Init with the recorder loaded\n",
                 status);
  else
    std::fprintf(stderr,
                 "reprise: no trace was written: no process called MPI_Init with the recorder "
                 "loaded\n  is it an MPI program, and does LD_PRELOAD reach it? env -i and scripts "
                 "that empty the environment clear it\n");
}

void conclude(const fs::path& output, bool with_symbols, int status) {
  if (std::error_code failed; !fs::exists(output, failed))
    return tell_why_there_is_none(output, status);
  auto trace = trace_io::load(output);
  rewrite(trace, output, with_symbols);
  const auto summary = trace_io::summarise(trace);
  note("recorded " + counted(static_cast<std::uint64_t>(trace.header.ranks), "rank") + ", " +
       counted(summary.calls(), "MPI call") + ", in " + counted(fs::file_size(output), "byte") +
       ": " + output.string());
}

}  // namespace

void conclude_recording(const fs::path& output, bool traces_calls, bool with_symbols,
                        int status) noexcept {
  try {
    if (traces_calls) join_recorded_calls(output);
    conclude(output, with_symbols, status);
  } catch (const std::bad_alloc&) {
    std::fputs("reprise: error: out of memory; the trace stays as the ranks have written it\n",
               stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "reprise: error: %s\n", printable(error.what()).c_str());
  }
}

}  // namespace reprise::cli
