// SPDX-License-Identifier: MIT
// Crash safety: what this rank has recorded, in OUTPUT.parts/rank-N.part, a serialised one-rank trace marked incomplete.
//
// When    at the end of MPI_Init, where no time is the program's yet, so that every rank has one; then after REPRISE_SNAPSHOT seconds, then at intervals of a tenth of the time so far, up to kLongestInterval, and never so soon or so often that
//         writing costs more than about 1/kCostRatio of the time (foreseen from the thread's memory, and from what a byte took last time: at a hundredth, snapshots
//         were half of what recording took in a run of 17 s); when the program exits without MPI_Finalize, in MPI_Abort, and on fatal signals. Written beside the old one and renamed: a part is whole or not there.
// Cost    between snapshots: a comparison per event, a look at the plan every kLookInterval. Looks and snapshots are in no delta:
//         the clock is read again after them.
// Salvage a part is a trace: loading and merging all parts gives what is left.
#pragma once

#include <signal.h>

#include <atomic>
#include <ctime>

#include "recorder/capture/recording.hpp"

namespace reprise::recorder {

inline constexpr Nanoseconds kLookInterval{1'000'000};
inline constexpr double kLongestInterval = 600;  // seconds
inline constexpr double kCostRatio = 300;
inline constexpr double kShareAtRisk = 10;  // one part in so many of a run

// When the next snapshot of this process is due. Times are seconds of one clock.
class SnapshotPlan {
 public:
  // The first one `first` seconds from now; none where that is not positive.
  void begin(double now, double first);
  // True for one thread only, which then has to say when it was done.
  bool is_due(double now);
  // What is to be written is so large now that it is too early: ask again later.
  bool is_too_large(std::size_t bytes, double now);
  void done(double begin, double end, bool written);

 private:
  std::atomic<double> next_{0};  // 0: none planned
  double began_ = 0;
  // Touched by the thread that writes.
  double interval_ = 0, last_ = 0;       // last_: when the latest one was done, or it all began
  double seconds_per_byte_ = 1 / 100e6;  // of a folded program, serialised and written: a guess
  std::size_t bytes_ = 0;                // that were asked about last
};

// Now, whatever was written before; false where it could not be written. Never throws.
bool write_part(Recording&, bool complete) noexcept;

// The last one of a process that ends without MPI_Finalize, with where its threads are: Recording::note_end() has the arguments.
// REQUIRES: Recording::is_at_rest().
void write_last_part(Recording&, int signal, std::uint64_t now) noexcept;

using WritePart = bool (*)(Recording&, bool complete) noexcept;
void plan_snapshots(Recording&) noexcept;
// Looks at the plan, and writes. What that took is in no delta of the thread. `reading`: its latest one of the clock.
// REQUIRES: the thread is in no call of the handle tables and appends nothing.
void look_for_snapshot(Recording&, ThreadRecorder&, std::uint64_t reading,
                       WritePart = write_part) noexcept;

inline void snapshot_if_due(Recording& recording, ThreadRecorder& thread,
                            std::uint64_t reading) noexcept {
  if (recording.clock.between(thread.last_look, thread.last_end()) < kLookInterval) return;
  look_for_snapshot(recording, thread, reading);
}

void remove_part(const Recording&) noexcept;
void remove_parts_folder(const Recording&) noexcept;
// Leaves of an earlier run under the same name. REQUIRES: rank 0, before any rank can write.
void remove_stale_parts(const Settings&, int ranks) noexcept;

// Fatal signals: save what was recorded, then let the program end exactly as it would have.
//
// How     a child made by _Fork() writes the part, because a handler may not allocate; the process waits for it at most kPatience.
//         Where the signal came in the middle of an append, the older snapshot stays. The part says in which call each thread is (recording_end.hpp). Then the disposition that was there before
//         is put back and the signal is raised again (or the faulting instruction runs again): exit status and messages stay.
// Asked   by another process, as launchers do with all ranks at once, it ends half a second later, when they have saved as well: some launchers kill those
//         that are left when the first has ended.
// Own     a handler that the program had by then is called with what the signal came with, once that is saved, and is its own again from then on.
// Which   SEGV BUS FPE ILL ABRT XCPU, where the program does not ignore them; TERM INT HUP, where it has no handler for them either: those it is asked by,
//         and it may go on. A handler that the program installs later replaces this one.
void watch_fatal_signals() noexcept;
// Puts back the dispositions that are still ours.
void unwatch_fatal_signals() noexcept;

// Writing past RLIMIT_FSIZE raises SIGXFSZ, which ends a process: while this lives, our writes fail with EFBIG instead and the
// program never sees the signal.
class FileSizeSignalHeld {
 public:
  FileSizeSignalHeld() noexcept {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~FileSizeSignalHeld() {
    if (sigismember(&before_, SIGXFSZ) == 1) return;
    constexpr timespec kNow{0, 0};
    while (sigtimedwait(&signal_, nullptr, &kNow) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  FileSizeSignalHeld(const FileSizeSignalHeld&) = delete;
  FileSizeSignalHeld& operator=(const FileSizeSignalHeld&) = delete;

 private:
  sigset_t signal_, before_;
};

}  // namespace reprise::recorder
