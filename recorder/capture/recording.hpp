// SPDX-License-Identifier: MIT
// The recording of this process, from MPI_Init to MPI_Finalize: settings, clock, tables, threads.
//
// Exists once. Nothing is done before MPI_Init: the library is preloaded into launchers and shells as well.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recorder/capture/clock.hpp"
#include "recorder/capture/losses.hpp"
#include "recorder/capture/settings.hpp"
#include "recorder/capture/sites.hpp"
#include "recorder/capture/thread_recorder.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::recorder {

struct Process {
  int rank = 0, ranks = 1;
  std::string mpi_library, host;
  Nanoseconds cpu_before_init{};                   // of all threads, since the recorder was loaded
  std::span<const std::string_view> call_names{};  // by the keys of calls
};

class Recording {
 public:
  // Whether calls are being recorded. After MPI_Finalize, or when the recorder gave up, they are forwarded only.
  static bool is_on() { return on_.load(std::memory_order_relaxed); }
  // The one of this process, null before MPI_Init.
  static Recording* current() { return current_; }
  static Recording* begin(const Settings&, const RecordingClock&, Process);
  // One that nothing comes of, current while it lives: to measure the recorder. REQUIRES: none is current, no other thread is in MPI.
  class Rehearsal {
   public:
    Rehearsal(const Settings&, const RecordingClock&);
    ~Rehearsal();
    Rehearsal(const Rehearsal&) = delete;
    Rehearsal& operator=(const Rehearsal&) = delete;
  };
  void end() { on_.store(false, std::memory_order_relaxed); }
  // Stops recording for good; the reason becomes a loss. Never throws.
  void give_up(const char* reason) noexcept;

  // This thread's recorder, made on its first call; null where that failed.
  static ThreadRecorder* this_thread() { return thread_ != nullptr ? thread_ : join(); }
  // Null where it has made none.
  static ThreadRecorder* known_thread() { return thread_; }
  // Threads that end from now on give nothing back (ended_threads.cpp), and none is just at it, unless that takes it longer than any should.
  void keep_ended_threads() noexcept;

  const Settings settings;
  RecordingClock clock;
  SiteTable sites;
  Losses losses;
  const Process process;
  std::atomic<bool> paused{false};  // MPI_Pcontrol(0)

  // What threads hold back until a phase of completions is over is in their programs. REQUIRES: as for trace().
  void end_phases() noexcept;
  // The recording ends here, by a signal or, 0, by exit() or MPI_Abort, at this wall time of its clock: traces of it say where each thread is. Threads but
  // the calling one may have gone on. REQUIRES: as for trace().
  void note_end(int signal, std::uint64_t now) noexcept;
  // It did not.
  void forget_end() noexcept { ends_.clear(); }
  // What was recorded up to now, as a trace of this rank alone. REQUIRES: no thread appends meanwhile.
  trace_io::Trace trace(bool complete);
  // The same but for the programs, which the compressors of the threads have. Likewise.
  trace_io::Trace tables(bool complete);
  std::vector<const trace_io::ThreadCompressor*> compressors() const;
  // Gives back what only further calls need, a sixth of all, so that a message or a trace need not take memory that nobody has touched. REQUIRES: none follow, and no
  // phase has to be ended.
  void settle() noexcept;
  // Of the main thread: for the vote on whose iterations are told, and its outcome (thread_compressor.hpp).
  trace_io::IterationLevels iteration_levels() const;
  void choose_iterations_by(const trace_io::IterationLevels& of_all);
  // Compute times of all threads are shortened by these curves. REQUIRES: no thread has called yet.
  void compensate_by(const trace_io::Compensation&, const OverheadParts&);
  // Threads that join from now on watch what they touch first (first_touches.hpp).
  void watch_first_touches(Nanoseconds page) { page_takes_ = page; }
  void begin_elapsed();  // the program's own time begins now; before, it began with the recording
  void note_elapsed();   // and ends now
  // What threads slept between calls under the CPU clock, the CPU time of threads that call no MPI, and that before MPI_Init become losses
  // where they are more than 2 % of the run and 10 ms. Cost: some 20 µs for each thread. REQUIRES: note_elapsed(), on a thread that is recorded.
  void note_unseen_time() noexcept;
  RecorderTime recorder_time() const;  // of all threads
  Preemptions preemptions() const;     // likewise
  TakenOff taken_off() const;          // likewise
  // The curves, raised by what samples have found beyond them: no more than they say was taken off in the mean.
  trace_io::Compensation compensation(const TakenOff&) const;
  // Whether no thread is just appending. For signal handlers: takes no lock.
  bool is_at_rest() const noexcept;
  // Functions are sampled from now on, if the settings say so, on this thread and on those that call MPI later. Never throws.
  void start_sampling() noexcept;
  void stop_sampling() noexcept;
  // A line on stderr where the kernel does not count all events that were asked for on this thread. One rank tells it for all: of how many
  // threads it holds stands in the trace.
  void tell_of_absent_events() const;
  // Ends sampling where the program has taken the signal. Cost: a system call where functions are sampled.
  void watch_sampling() noexcept;
  // Keeps all threads from appending, from ending and from changing the tables of handles while `locks` live; false where one is just at it.
  bool try_pause(std::vector<std::unique_lock<std::mutex>>& locks);

 private:
  Recording(const Settings&, const RecordingClock&, Process);
  static ThreadRecorder* join() noexcept;
  static ThreadRecorder* joined_again() noexcept;      // after its end; null: it has not ended
  static void watch_end_of(ThreadRecorder*) noexcept;  // of the calling thread
  static void end_thread(ThreadRecorder&) noexcept;
  std::optional<trace_io::CompletionRecord> completions() const;
  void sample(ThreadRecorder&);  // REQUIRES: of the calling thread
  std::shared_ptr<const trace_io::FunctionSamples> functions();
  std::vector<trace_io::CounterEvent> wanted_events() const;
  std::shared_ptr<const trace_io::ComputeCounters> counters() const;
  // Those of marks, and what stood in the way of them or of a loop's.
  void add_iterations(const trace_io::ThreadCompressor&, trace_io::Trace&);

  static std::atomic<bool> on_;
  static Recording* current_;
  static thread_local constinit ThreadRecorder* thread_ __attribute__((tls_model("initial-exec")));
  // The same once the thread has ended, as far as is known: destructors of keys that come later may call MPI.
  static thread_local constinit ThreadRecorder* ended_ __attribute__((tls_model("initial-exec")));

  std::mutex threads_mutex_;
  std::vector<std::unique_ptr<ThreadRecorder>> threads_;
  std::string program_;
  std::optional<trace_io::Compensation> compensation_;
  Nanoseconds page_takes_{};
  std::optional<OverheadTable> overheads_;
  std::uint64_t began_;  // monotonic
  const int own_process_;
  std::atomic<bool> gives_back_{true};  // what threads that end need no more
  std::atomic<bool> is_sampling_{false};
  Nanoseconds elapsed_{};
  Nanoseconds process_cpu_{};  // of all threads, when the program's own time began
  bool gave_up_ = false;
  std::vector<trace_io::RecordingEnd> ends_;
};

}  // namespace reprise::recorder
