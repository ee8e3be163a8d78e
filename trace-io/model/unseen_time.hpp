// SPDX-License-Identifier: MIT
// Losses that tell of time in which a program worked or slept where its recording does not look: outside of MPI, in threads that call none.
//
// Each counts ranks; its time is the sum over them.
#pragma once

namespace reprise::trace_io {

// Partial. CPU time stands still while a thread sleeps; what it slept between its calls is in no compute time.
inline constexpr const char* kAsleep =
    "ranks that slept outside MPI (waiting for other threads, files or timers), which --clock cpu "
    "leaves out: record with --clock wall and a core for every thread";

// A notice, for either clock: a compute time is the time of the thread that calls MPI, whatever others do meanwhile.
inline constexpr const char* kOtherThreads =
    "ranks that used CPU time in threads that call no MPI: compute times are those of the threads "
    "that call it";

}  // namespace reprise::trace_io
