// SPDX-License-Identifier: MIT
// Losses that tell of time in which a program worked or slept where its recording does not look: outside of MPI, in threads that call none,
// in MPI's packing of data.
//
// Those of sleep and threads count ranks; their time is the sum over them.
#pragma once

#include <string_view>

namespace reprise::trace_io {

// Partial. CPU time stands still while a thread sleeps; what it slept between its calls is in no compute time.
inline constexpr const char* kAsleep =
    "ranks that slept outside MPI (waiting for other threads, files or timers), which --clock cpu "
    "leaves out: record with --clock wall and a core for every thread";

// A notice, for the wall clock. Its time is the least that it may be: off the core between calls, less all sleep of the thread.
inline constexpr const char* kLateAwake =
    "ranks that slept outside MPI (waiting for other threads, files or timers) and then waited for "
    "a core, which --clock wall counts as computing: record again with a core for every thread";

// A notice, for either clock: a compute time is the time of the thread that calls MPI, whatever others do meanwhile.
inline constexpr const char* kOtherThreads =
    "ranks that used CPU time in threads that call no MPI: compute times are those of the threads "
    "that call it";

// A notice, for either clock. CPU time of the process, of all its threads; the program's start-up and the recorder's are little of it.
inline constexpr const char* kBeforeInit =
    "ranks that computed before MPI_Init: that time is in no prediction";

// A notice. A first touch makes the kernel give a page; that is in no message's time of a machine. Its time is of all ranks that have any; finalize()
// forgets it where it is of no matter.
inline constexpr const char* kFirstTouches =
    "ranks that touched memory first inside MPI calls (as in receiving into a new array): the "
    "kernel's time for these pages counts as computing before the call, not as communicating";

// A notice. Counts the buffers of calls. What packing them takes is a part of the time in calls, which replays replace by their machine's.
inline constexpr const char* kPackedBuffers =
    "buffers whose derived datatype leaves gaps in memory: the time that MPI takes to pack and "
    "unpack them is in no replay";

// A notice. Counts MiB, over all ranks. Whose time is in compute times, where no setting of the storage reaches it.
inline constexpr const char* kOwnFiles =
    "files that ranks wrote or read outside MPI-IO (write, fsync, read): the time counts as "
    "computing, which --compute scales and /storage does not change";

// Whether a loss of this name, also behind its severity, counts MiB instead of times.
inline bool counts_mib(std::string_view loss) { return loss.ends_with(kOwnFiles); }

}  // namespace reprise::trace_io
