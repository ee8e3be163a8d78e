// SPDX-License-Identifier: MIT
#include "recorder/wrappers/lifecycle.hpp"

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>
#include <type_traits>

#include "recorder/capture/caller_state.hpp"
#include "recorder/capture/cpu_since_load.hpp"
#include "recorder/capture/recording.hpp"
#include "recorder/finish/recordings_merge.hpp"
#include "recorder/finish/snapshot.hpp"
#include "recorder/wrappers/call_files.hpp"
#include "recorder/wrappers/handwritten.hpp"
#include "recorder/wrappers/iteration_vote.hpp"
#include "recorder/wrappers/library_names.hpp"
#include "recorder/wrappers/message_exchange.hpp"
#include "recorder/wrappers/next_in_chain.hpp"
#include "recorder/wrappers/own_overhead.hpp"
#include "recorder/wrappers/ranks.hpp"
#include "recorder/wrappers/record_call.hpp"
#include "recorder/wrappers/recorder_report.hpp"
#include "trace-io/file/finish_times.hpp"
#include "trace-io/file/quick_bytes.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/merge/finalize.hpp"
#include "trace-io/merge/pool_choice.hpp"

namespace reprise::recorder {
namespace {

MPI_Comm private_comm = MPI_COMM_NULL;
pid_t process = 0;
RecordingClock clock_in_init;
// Never freed, as little as the recording: the process is about to end.
std::optional<trace_io::Trace>* sent_trace = nullptr;
MergedTrace* finished_trace = nullptr;

double seconds_since(std::uint64_t begin) {
  return static_cast<double>(RecordingClock::system_time(CLOCK_MONOTONIC) - begin) * 1e-9;
}

// A part of the work that is this rank's alone; false where it came to no end. What ranks do together stands outside of such parts, so that
// no rank waits for one that has run out of memory.
template <class Part>
bool done(const Part& part) noexcept {
  try {
    part();
    return true;
  } catch (...) {
    return false;
  }
}

// Collective.
bool all_ranks(bool here) {
  int own = here ? 1 : 0, all = 0;
  PMPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, private_comm);
  return all != 0;
}

// Collective. In the barrier of PMPI_Finalize libraries sleep while they wait; in PMPI_Barrier they spin.
int barrier_asleep() {
  MPI_Request request = MPI_REQUEST_NULL;
  const int result = PMPI_Ibarrier(private_comm, &request);
  if (result == MPI_SUCCESS) await(request);
  return result;
}

// Collective. Rank 0's environment counts for all.
Settings common_settings(int rank, int size, bool& is_done) {
  Settings settings;
  if (rank == 0) {
    is_done = done([&] { settings = settings_from_environment(size); }) && is_done;
    remove_stale_parts(settings, size);
    remove_stale_calls(settings, size);
  }
  static_assert(std::is_trivially_copyable_v<Settings>);
  PMPI_Bcast(&settings, sizeof settings, MPI_BYTE, 0, private_comm);
  return settings;
}

// Collective. The mean of all ranks: one curve for all, the same to the bit.
CalibratedOverhead common_overhead(const Settings& settings, int ranks, bool& is_done) {
  CalibratedOverhead calibrated{};
  is_done = done([&] { calibrated = calibrate_overhead(settings, clock_in_init); }) && is_done;
  constexpr double kFine = 1e3;  // whole picoseconds add up alike in any order
  std::array<std::int64_t, 5 * trace_io::kOverheadKinds * kCalibratedGaps.size()> own{}, sum{};
  auto to = own.begin();
  for (const auto& curve : calibrated)
    for (const MeasuredOverhead& one : curve)
      for (const double time : {one.period, one.overhead, one.error, one.wrappers, one.rest})
        *to++ = std::llround(time * kFine);
  PMPI_Allreduce(own.data(), sum.data(), static_cast<int>(own.size()), MPI_INT64_T, MPI_SUM,
                 private_comm);
  auto next = sum.begin();
  for (auto& curve : calibrated)
    for (MeasuredOverhead& one : curve)
      for (double* time : {&one.period, &one.overhead, &one.error, &one.wrappers, &one.rest})
        *time = static_cast<double>(*next++) / (kFine * ranks);
  return calibrated;
}

// The program ends, and MPI is not finalised yet: it may still be, by a function or an object that was registered before MPI_Init.
void on_exit() {
  const CallerStateHeld held;
  Recording* recording = Recording::current();
  if (recording == nullptr || !Recording::is_on() || getpid() != process ||
      !recording->is_at_rest())
    return;
  const RecordingClock& clock = recording->clock;
  ThreadRecorder* thread = Recording::known_thread();
  const bool is_outside = thread != nullptr && thread->inside == nullptr;
  const std::uint64_t own = is_outside ? thread->enter(clock) : 0;
  recording->keep_ended_threads();
  write_last_part(*recording, 0, clock.wall_now());
  if (is_outside) thread->leave_out(own, clock.soon_after(thread->time, own));
}

// This rank's own part of what follows MPI_Init.
void begin_own(CallId id, Frame frame, InitTimes times, std::uint64_t init_end,
               const Settings& settings, const CalibratedOverhead* overhead, int rank, int size) {
  if (rank == 0) warn_of_tool_behind();
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  if (all_handles == nullptr) all_handles = new Handles;
  handles().shared = level == MPI_THREAD_MULTIPLE;
  if (level >= MPI_THREAD_SERIALIZED) handles().requests.count_by_slot();
  handles().communicators.begin(key_of(MPI_COMM_WORLD), key_of(MPI_COMM_SELF), rank, size,
                                read_communicator, handles().shared);
  process = getpid();
  Recording& recording = *Recording::begin(
      settings, clock_in_init,
      {rank, size, mpi_library(), host_name(), times.cpu_before_init, kCallNames});
  if (overhead != nullptr)
    recording.compensate_by(compensation_by(*overhead), overhead_parts_by(*overhead));
  recording.watch_first_touches(FirstTouches::page_takes());
  ThreadRecorder* thread = Recording::this_thread();
  if (thread == nullptr) return;  // it has given up, and says so at the end
  thread->inside = frame;
  thread->description().clear();
  thread->append_first(static_cast<std::uint32_t>(id), name_of(id), frame, recording.clock,
                       Nanoseconds{static_cast<std::int64_t>(init_end - times.begin)});
  thread->inside = nullptr;
}

// Collective. Where one rank cannot begin, none does: MPI_Finalize is to find all or nobody.
void begin_recording(CallId id, Frame frame, InitTimes times) {
  int rank = 0, size = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::uint64_t init_end = RecordingClock::system_time(CLOCK_MONOTONIC);
  PMPI_Comm_dup(MPI_COMM_WORLD, &private_comm);
  PMPI_Comm_set_errhandler(private_comm, MPI_ERRORS_RETURN);
  bool is_done = true;
  const Settings settings = common_settings(rank, size, is_done);
  clock_in_init.choose(settings.clock == trace_io::Clock::cpu, settings.see_preemption);
  CalibratedOverhead overhead{};
  if (settings.compensate) overhead = common_overhead(settings, size, is_done);
  is_done = is_done && done([&] {
              begin_own(id, frame, times, init_end, settings,
                        settings.compensate ? &overhead : nullptr, rank, size);
            });
  if (!all_ranks(is_done)) {
    if (Recording::current() != nullptr) Recording::current()->give_up("");
    PMPI_Comm_free(&private_comm);
    drop_call_streams();
    if (!is_done)
      std::fprintf(stderr, "reprise: error: the recorder ran out of memory, nothing is recorded\n");
    return;
  }
  Recording& recording = *Recording::current();
  begin_message_sampling(recording, private_comm);
  begin_call_streams(recording);
  if (settings.first_snapshot_s > 0)
    write_part(recording, false);  // a rank that dies soon is not missing
  plan_snapshots(recording);
  std::atexit(on_exit);
  std::at_quick_exit(on_exit);
  watch_fatal_signals();
  if (rank == 0) recording.tell_of_absent_events();
  if (Recording::is_on()) recording.start_sampling();
  if (ThreadRecorder* thread = Recording::is_on() ? Recording::this_thread() : nullptr)
    thread->start_at(recording.clock.now(thread->time, Interval::bookkeeping));  // all this is ours
  recording.begin_elapsed();
}

// Collective: writes one file, or says why it could not.
void save_merged(Recording& recording) {
  const std::uint64_t begin = RecordingClock::system_time(CLOCK_MONOTONIC);
  const std::optional<MessagesOfAllRanks> messages = collect_messages(recording, private_comm);
  vote_on_iterations(recording, private_comm);
  trace_io::FinishTimes times;
  RanksOverMpi ranks(private_comm);
  sent_trace = new (std::nothrow) std::optional<trace_io::Trace>;
  finished_trace = new (std::nothrow) MergedTrace;
  MergedTrace here;  // where there was no memory for one that outlives this function
  MergedTrace& finished = finished_trace != nullptr ? *finished_trace : here;
  finished = merge_recordings(recording, ranks, sent_trace, begin, times.fold);
  std::optional<trace_io::Trace>& merged = finished.trace;
  times.finalize = finished.finalize;
  const double merge_time = seconds_since(begin);
  if (merged)
    merged->header.merge_elapsed = Nanoseconds{static_cast<std::int64_t>(merge_time * 1e9)};

  int saved = 0;
  char problem[1024] = "there was no memory for the trace";
  if (recording.process.rank == 0 && merged) {
    try {
      const FileSizeSignalHeld held;
      const std::uint64_t write_begin = RecordingClock::system_time(CLOCK_MONOTONIC);
      constexpr auto kMembers = trace_io::PoolMembers::as_they_were;  // nobody looks at them here
      trace_io::pool_times(*merged, recording.settings.pooled_share, trace_io::kTimesKept,
                           kMembers);
      trace_io::round_durations(*merged, kMembers);
      if (messages)
        merged->messages = std::make_shared<const trace_io::MessageTimes>(
            messages->messages.times(messages->choice, messages->share, *merged));
      auto file = recording.settings.compresses_quickly ? trace_io::serialise_quickly(*merged)
                                                        : trace_io::serialise(*merged);
      times.write = Nanoseconds{static_cast<std::int64_t>(seconds_since(write_begin) * 1e9)};
      trace_io::append_finish_times(file, times);
      trace_io::save_bytes(file, recording.settings.output);
      saved = 1;
    } catch (const std::bad_alloc&) {
    } catch (const std::exception& error) {
      std::snprintf(problem, sizeof problem, "%s", error.what());
    }
  }
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Ibcast(&saved, 1, MPI_INT, 0, private_comm, &request);
  await(request);
  int kept = 0, kept_by_all = 0;
  if (saved != 0 && !recording.settings.keep_parts)
    remove_part(recording);
  else
    kept = write_part(recording, true) ? 1 : 0;
  PMPI_Reduce(&kept, &kept_by_all, 1, MPI_INT, MPI_SUM, 0, private_comm);
  std::string own_time, preemption;
  if (recording.settings.verbose) {
    done([&] { own_time = own_time_of_ranks(recording, private_comm); });
    done([&] { preemption = preemption_of_ranks(recording, private_comm); });
  }
  if (recording.process.rank == 0) {
    const char* const output = recording.settings.output;
    if (saved == 0 && kept_by_all == 0)
      std::fprintf(stderr, "reprise: error: %s\n  this run has no trace\n", problem);
    else if (saved == 0)
      std::fprintf(stderr,
                   "reprise: error: %s\n  the recordings of %d of %d ranks are in \"%s.parts\"\n",
                   problem, kept_by_all, recording.process.ranks, output);
    else if (!merged->header.complete)
      std::fprintf(stderr,
                   "reprise: warning: %s: the trace is incomplete, \"reprise trace info\" lists "
                   "the losses\n",
                   output);
    else if (recording.settings.verbose)
      std::fprintf(stderr, "reprise: trace in %s (%d ranks merged in %.3f s; %s; %s)\n", output,
                   recording.process.ranks, merge_time, own_time.c_str(), preemption.c_str());
    else if (recording.settings.names_trace)
      tell_of_trace(recording);
  }
  barrier_asleep();
  if (saved != 0 && recording.process.rank == 0 && !recording.settings.keep_parts)
    remove_parts_folder(recording);
}

}  // namespace

InitTimes before_init() noexcept {
  const CallerStateHeld held;
  const Nanoseconds cpu = cpu_since_load();
  link_chain();
  clock_in_init.begin_calibration();
  return {RecordingClock::system_time(CLOCK_MONOTONIC), cpu};
}

void after_init(CallId id, Frame frame, InitTimes times, int result) noexcept try {
  const CallerStateHeld held;
  if (result != MPI_SUCCESS || Recording::current() != nullptr) return;
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(text, &length);
  if (std::string_view(text).find(kCompiledFor) != 0)
    return tell_of_other_library(kCompiledFor, text);
  if (const double patience = patience_from_environment();
      patience > 0 && !all_ranks_answer(patience))
    return tell_of_absent_ranks(patience);
  begin_recording(id, frame, times);
} catch (...) {
  std::fprintf(stderr, "reprise: error: the recorder ran out of memory, nothing is recorded\n");
}

void before_finalize(CallId id, Frame frame) noexcept {
  Recording* recording = Recording::current();
  if (recording == nullptr || private_comm == MPI_COMM_NULL) return;
  const CallerStateHeld held;
  ThreadRecorder* thread = Recording::is_on() ? Recording::this_thread() : nullptr;
  const RecordingClock& clock = recording->clock;
  const std::uint64_t own = thread != nullptr ? thread->enter(clock) : 0;
  recording->forget_end();
  recording->keep_ended_threads();
  recording->note_elapsed();
  recording->note_unseen_time();
  if (thread != nullptr) note_left_call(*thread);
  recording->end_phases();  // with what they have for the end of the program
  if (thread != nullptr) thread->leave_out(own, clock.soon_after(thread->time, own));
  record_call(id, frame, Presence::necessary, barrier_asleep,
              [](Description&) { return Outcome::event; });
  recording->end();
  recording->stop_sampling();
  if (thread != nullptr) thread->time.detector.disarm();
  note_unseen_preemption(*recording);
  note_packed_buffers(*recording);
  unwatch_fatal_signals();
  save_merged(*recording);
  PMPI_Comm_free(&private_comm);
}

void before_abort(Frame frame) noexcept {
  Recording* recording = Recording::current();
  if (recording == nullptr || !Recording::is_on()) return;
  const CallerStateHeld held;
  record_unmodelled(CallId::Abort, frame, [] { return MPI_SUCCESS; });
  end_call_streams();
  recording->end();
  unwatch_fatal_signals();
  recording->keep_ended_threads();
  if (recording->is_at_rest()) write_last_part(*recording, 0, recording->clock.wall_now());
}

namespace {

void mark_iteration(Recording& recording, ThreadRecorder& thread, bool is_begin) noexcept try {
  using Mark = trace_io::ThreadCompressor::Mark;
  const std::lock_guard lock(thread.mutex());
  const std::uint64_t begin = thread.enter(recording.clock);
  thread.mark(is_begin ? Mark::begin : Mark::end);
  thread.leave_out(begin, recording.clock.soon_after(thread.time, begin));
} catch (...) {
  recording.give_up("the recorder ran out of memory");
}

}  // namespace

void switch_recording(int level) noexcept {
  Recording* recording = Recording::current();
  if (recording == nullptr) return;
  recording->paused.store(level == 0, std::memory_order_relaxed);
  if (recording->settings.iterations == 0 || !Recording::is_on() || (level != 1 && level != -1))
    return;
  if (ThreadRecorder* thread = Recording::this_thread())
    mark_iteration(*recording, *thread, level == 1);
}

}  // namespace reprise::recorder

using namespace reprise::recorder;

// the library hides what does not say otherwise, and mpi.h says so for some libraries only
#pragma GCC visibility push(default)
extern "C" {

int MPI_Init(int* argc, char*** argv) {
  const InitTimes times = before_init();
  const int result = next_in_chain<&PMPI_Init>(argc, argv);
  after_init(CallId::Init, REPRISE_FRAME, times, result);
  return result;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const InitTimes times = before_init();
  const int result = next_in_chain<&PMPI_Init_thread>(argc, argv, required, provided);
  after_init(CallId::Init_thread, REPRISE_FRAME, times, result);
  return result;
}

int MPI_Finalize() {
  before_finalize(CallId::Finalize, REPRISE_FRAME);
  return next_in_chain<&PMPI_Finalize>();
}

int MPI_Abort(MPI_Comm comm, int code) {
  before_abort(REPRISE_FRAME);
  return next_in_chain<&PMPI_Abort>(comm, code);
}

int MPI_Pcontrol(const int level, ...) {
  switch_recording(level);
  return next_in_chain<&PMPI_Pcontrol>(level);
}
}
#pragma GCC visibility pop
