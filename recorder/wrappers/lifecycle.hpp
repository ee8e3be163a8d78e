// SPDX-License-Identifier: MIT
// From MPI_Init to MPI_Finalize: starting the recording, ending it, merging, saving; MPI_Abort and exit without MPI_Finalize.
//
// Events  MPI_Init is the first event of thread 0 (compute 0, communicate: its own time). MPI_Finalize is the last event: its
//         communicate delta is a barrier that the recorder inserts, that is the wait for the last rank; the merge and the
//         library's own finalising come after it and are in no event.
#pragma once

#include <cstdint>

#include "recorder/capture/call_path.hpp"
#include "recorder/wrappers/calls.hpp"
#include "trace-io/base/quantity.hpp"

namespace reprise::recorder {

// Around PMPI_Init.
struct InitTimes {
  std::uint64_t begin = 0;  // monotonic
  Nanoseconds
      cpu_before_init{};  // of the process, without what came before the recorder was loaded
};
InitTimes before_init() noexcept;
void after_init(CallId, Frame, InitTimes, int result) noexcept;
// Before PMPI_Finalize and PMPI_Abort.
void before_finalize(CallId, Frame) noexcept;
void before_abort(Frame) noexcept;

// MPI_Pcontrol: 0 stops recording for a while, 1 (and any other level) goes on. Where iterations are recorded, 1 begins one and -1 ends it.
void switch_recording(int level) noexcept;

}  // namespace reprise::recorder
