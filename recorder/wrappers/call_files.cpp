// SPDX-License-Identifier: MIT
#include "recorder/wrappers/call_files.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <string>

#include "recorder/calls/call_streams.hpp"
#include "recorder/wrappers/calls.hpp"
#include "trace-io/calls/call_file.hpp"

namespace reprise::recorder {
namespace {

std::string folder_of(const Settings& settings) {
  return trace_io::calls_beside(settings.output) + trace_io::kCallPartsEnding;
}

// All names are whole literals.
const char* mpi_name(std::uintptr_t key) {
  static constexpr const char* kNames[] = {
#define RECORDED(procedure, ...) "MPI_" #procedure,
#define HANDWRITTEN(procedure, ...) "MPI_" #procedure,
#define LIFECYCLE(procedure) "MPI_" #procedure,
#define UNMODELLED(procedure, ...) "MPI_" #procedure,
#define LOCAL(symbol)
#include "recorder/mpi_calls.def"
#undef RECORDED
#undef HANDWRITTEN
#undef LIFECYCLE
#undef UNMODELLED
#undef LOCAL
  };
  return key >= 1 && key <= kCalls ? kNames[key - 1] : "";
}

// Whether the program's calls come to somebody else's hooks.
bool has_other_hooks() {
  Dl_info theirs{}, ours{};
  void* found = dlsym(RTLD_DEFAULT, "__cyg_profile_func_enter");
  return found != nullptr && dladdr(found, &theirs) != 0 &&
         dladdr(reinterpret_cast<const void*>(&begin_call_streams), &ours) != 0 &&
         theirs.dli_fbase != ours.dli_fbase;
}

}  // namespace

void remove_stale_calls(const Settings& settings, int ranks) noexcept try {
  if (!settings.trace_calls) return;
  for (int rank = 0; rank < ranks; ++rank)
    unlink((folder_of(settings) + "/rank-" + std::to_string(rank) + trace_io::kCallPartEnding)
               .c_str());
} catch (...) {  // each rank truncates its own
}

void begin_call_streams(Recording& recording) noexcept try {
  if (!recording.settings.trace_calls) return drop_call_streams();
  begin_call_file(folder_of(recording.settings).c_str(), recording.process.rank, mpi_name);
  if (has_other_hooks())
    recording.losses.add(
        "ranks without calls of functions: the program has its own __cyg_profile_func_enter",
        trace_io::Severity::notice, {});
} catch (...) {
  drop_call_streams();
}

}  // namespace reprise::recorder
