// SPDX-License-Identifier: MIT
#include "recorder/wrappers/next_in_chain.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace reprise::recorder {
namespace {

bool has_seen_init = false;

Dl_info home_of(const void* address) noexcept {
  Dl_info info{};
  return address != nullptr && dladdr(address, &info) != 0 ? info : Dl_info{};
}

// Where the first of a tool's calls is found, behind the recorder; {} without a tool.
Dl_info tool() noexcept {
  const Dl_info library = home_of(reinterpret_cast<const void*>(&PMPI_Init));
  for (const char* call : {"MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Send"})
    if (const Dl_info next = home_of(dlsym(RTLD_NEXT, call));
        next.dli_fbase != nullptr && next.dli_fbase != library.dli_fbase)
      return next;
  return {};
}

template <class Procedure>
void link_one(Procedure& next, const char* name) noexcept {
  if (void* const behind = dlsym(RTLD_NEXT, name)) next = reinterpret_cast<Procedure>(behind);
}

bool is_first_rank() noexcept {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (const char* rank = std::getenv(name)) return std::strcmp(rank, "0") == 0;
  return true;
}

// A tool in front of the recorder calls PMPI_*, past it.
[[gnu::destructor]] void warn_of_tool_in_front() noexcept {
  if (has_seen_init || std::getenv("REPRISE_OUTPUT") == nullptr) return;
  int is_initialized = 0;
  if (PMPI_Initialized(&is_initialized) != MPI_SUCCESS || is_initialized == 0 || !is_first_rank())
    return;
  const Dl_info front = home_of(dlsym(RTLD_DEFAULT, "MPI_Init"));
  std::fprintf(stderr,
               "reprise: warning: nothing is recorded: %s intercepts the program's MPI calls "
               "before the recorder\n  preload the recorder before it\n",
               front.dli_fname != nullptr ? front.dli_fname : "another library");
}

}  // namespace

void warn_of_tool_behind() noexcept {
  if (const Dl_info found = tool(); found.dli_fbase != nullptr)
    std::fprintf(stderr,
                 "reprise: warning: %s also wraps MPI: calls are passed on to it, and its own time "
                 "is recorded as MPI time\n",
                 found.dli_fname);
}

void* tool_procedure(const char* name) noexcept {
  static const void* const base = tool().dli_fbase;
  if (base == nullptr) return nullptr;
  void* const next = dlsym(RTLD_NEXT, name);
  return home_of(next).dli_fbase == base ? next : nullptr;
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
void link_chain() noexcept {
  has_seen_init = true;
  if (tool().dli_fbase == nullptr) return;
#define LIFECYCLE(procedure) link_one(next_in_chain<&PMPI_##procedure>, "MPI_" #procedure);
#define RECORDED(procedure, ...) LIFECYCLE(procedure)
#define HANDWRITTEN(procedure, ...) LIFECYCLE(procedure)
#define UNMODELLED(procedure, ...) LIFECYCLE(procedure)
#define LOCAL(symbol)
#include "recorder/mpi_calls.def"
#undef RECORDED
#undef UNMODELLED
#undef HANDWRITTEN
#undef LIFECYCLE
#undef LOCAL
}

}  // namespace reprise::recorder
