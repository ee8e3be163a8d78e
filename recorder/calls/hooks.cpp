// SPDX-License-Identifier: MIT
// The hooks that -finstrument-functions (gcc, clang, gfortran) has programs call. They are preloaded before libc's, which do nothing.
#include "recorder/calls/call_streams.hpp"

#define REPRISE_HOOK __attribute__((visibility("default"), no_instrument_function))

extern "C" {

// NOLINTNEXTLINE(readability-identifier-naming): the compilers' names
REPRISE_HOOK void __cyg_profile_func_enter(void* function, void* site) {
  using namespace reprise::recorder;
  if (!has_call_streams()) return;
  enter_function(reinterpret_cast<std::uintptr_t>(function), reinterpret_cast<std::uintptr_t>(site),
                 reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),
                 reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
}

// NOLINTNEXTLINE(readability-identifier-naming): likewise
REPRISE_HOOK void __cyg_profile_func_exit(void* function, void* site) {
  using namespace reprise::recorder;
  if (!has_call_streams()) return;
  leave_function(reinterpret_cast<std::uintptr_t>(function), reinterpret_cast<std::uintptr_t>(site),
                 reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),
                 reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
}
}
