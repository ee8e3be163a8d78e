// SPDX-License-Identifier: MIT
#include "recorder/capture/recording.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "recorder/capture/caller_state.hpp"
#include "recorder/capture/counted_events.hpp"
#include "recorder/capture/handles.hpp"
#include "recorder/capture/sampled_functions.hpp"

namespace reprise::recorder {

std::atomic<bool> Recording::on_{false};
Recording* Recording::current_ = nullptr;
thread_local constinit ThreadRecorder* Recording::thread_ = nullptr;
thread_local constinit ThreadRecorder* Recording::ended_ = nullptr;

Recording::Recording(const Settings& its_settings, const RecordingClock& its_clock,
                     Process its_process)
    : settings(its_settings),
      clock(its_clock),
      process(std::move(its_process)),
      program_(program_path()),
      began_(RecordingClock::system_time(CLOCK_MONOTONIC)),
      own_process_(getpid()) {}

Recording* Recording::begin(const Settings& settings, const RecordingClock& clock,
                            Process process) {
  current_ = new Recording(settings, clock, std::move(process));
  on_.store(true, std::memory_order_release);
  return current_;
}

Recording::Rehearsal::Rehearsal(const Settings& settings, const RecordingClock& clock) {
  begin(settings, clock, {});
}

Recording::Rehearsal::~Rehearsal() {
  on_.store(false, std::memory_order_relaxed);
  if (thread_ != nullptr) thread_->time.detector.disarm();
  thread_ = nullptr;
  watch_end_of(nullptr);
  delete current_;
  current_ = nullptr;
}

ThreadRecorder* Recording::join() noexcept try {
  const CallerStateHeld held;
  if (ThreadRecorder* again = joined_again()) return again;
  Recording& recording = *current_;
  const std::lock_guard lock(recording.threads_mutex_);
  const Settings& settings = recording.settings;
  // Of the thread that called MPI_Init: a loop of one thread is what a run spends its time in.
  const bool with_iterations = settings.iterations > 0 && recording.threads_.empty();
  std::optional<trace_io::IterationClustering::Settings> iterations;
  if (with_iterations) iterations.emplace().limit = settings.iterations;
  recording.threads_.push_back(std::make_unique<ThreadRecorder>(
      recording.sites,
      SiteCache::Settings{settings.depth, settings.full_call_path, settings.shorten_call_paths},
      trace_io::ThreadCompressor::Settings{
          settings.timing, settings.bins, Rank{recording.process.rank}, settings.bin_rule,
          settings.order_budget > 0 && recording.process.ranks > 1, iterations},
      settings.exact_completions, settings.memory, recording.losses));
  thread_ = recording.threads_.back().get();
  if (recording.overheads_)
    thread_->compensate_by(&*recording.overheads_, recording.clock.is_cheap());
  thread_->own_files.after_call(KernelUse::of_thread().blocks);
  if (recording.page_takes_ > Nanoseconds{})
    thread_->first_touches.watch(
        recording.page_takes_,
        recording.clock.ticks_of(static_cast<std::uint64_t>(FirstTouches::kLong.value)));
  thread_->waste(Nanoseconds{settings.added_overhead});
  if (recording.threads_.size() > 1 && all_handles != nullptr) {  // more than were asked for
    const HandlesLock handles_lock;
    handles().requests.count_by_slot();
  }
  if (recording.is_sampling_.load()) recording.sample(*thread_);
  if (settings.counters != 0) thread_->start_counting(recording.wanted_events());
  // After what allocates: an allocator may want rseq for itself, and comes first.
  thread_->start_at(recording.clock.start(thread_->time));
  watch_end_of(thread_);
  return thread_;
} catch (...) {
  current_->give_up("the recorder ran out of memory");
  return nullptr;
}

void Recording::give_up(const char* reason) noexcept {
  on_.store(false, std::memory_order_relaxed);
  gave_up_ = true;
  try {
    losses.add(reason, trace_io::Severity::error, {});
  } catch (...) {  // the trace is marked incomplete all the same
  }
}

bool Recording::is_at_rest() const noexcept {
  for (const auto& thread : threads_)
    if (thread->is_appending()) return false;
  return true;
}

bool Recording::try_pause(std::vector<std::unique_lock<std::mutex>>& locks) {
  locks.emplace_back(threads_mutex_, std::try_to_lock);
  if (!locks.back().owns_lock()) return false;
  for (const auto& thread : threads_) {
    if (thread.get() == thread_) continue;
    locks.emplace_back(thread->mutex(), std::try_to_lock);
    if (!locks.back().owns_lock()) return false;
  }
  // A thread that describes a call is not appending yet, and may be making a communicator.
  locks.emplace_back(handles().mutex, std::try_to_lock);
  return locks.back().owns_lock();
}

void Recording::sample(ThreadRecorder& thread) {
  if (!thread.start_sampling(settings.sampling_rate))
    losses.add("threads whose functions are not sampled: the system has no timer for them",
               trace_io::Severity::notice, {});
}

void Recording::start_sampling() noexcept try {
  if (settings.sampling_rate == 0 || thread_ == nullptr) return;
  if (!take_sampling_signal()) {
    losses.add("ranks whose functions are not sampled: the program uses SIGURG",
               trace_io::Severity::notice, {});
    return;
  }
  is_sampling_.store(true);
  sample(*thread_);
} catch (...) {
  give_up("the recorder ran out of memory");
}

void Recording::stop_sampling() noexcept {
  if (!is_sampling_.exchange(false)) return;
  const std::lock_guard lock(threads_mutex_);
  for (const auto& thread : threads_)
    if (thread->sampler) thread->sampler->stop();
  release_sampling_signal();
}

void Recording::watch_sampling() noexcept try {
  if (!is_sampling_.load(std::memory_order_relaxed) || has_sampling_signal()) return;
  stop_sampling();
  losses.add("ranks whose functions are sampled in part: the program took SIGURG for itself",
             trace_io::Severity::notice, {});
} catch (...) {  // out of memory: it goes untold
}

// None where they are not sampled.
std::shared_ptr<const trace_io::FunctionSamples> Recording::functions() {
  std::vector<const ThreadSampler*> samplers;
  for (const auto& thread : threads_)
    if (thread->sampler) samplers.push_back(thread->sampler.get());
  if (samplers.empty()) return nullptr;
  return sampled_functions(samplers, sites, settings.sampling_rate, Rank{process.rank});
}

std::vector<trace_io::CounterEvent> Recording::wanted_events() const {
  std::vector<trace_io::CounterEvent> events;
  for (std::uint32_t event = 0; event < trace_io::kCounterEvents.size(); ++event)
    if ((settings.counters >> event & 1U) != 0)
      events.push_back(static_cast<trace_io::CounterEvent>(event));
  return events;
}

// None where nothing is to be counted.
std::shared_ptr<const trace_io::ComputeCounters> Recording::counters() const {
  if (settings.counters == 0) return nullptr;
  std::vector<const ThreadCounters*> all;
  for (const auto& thread : threads_)
    if (thread->counters) all.push_back(thread->counters.get());
  return counted_events(all, wanted_events(), settings.timing);
}

void Recording::tell_of_absent_events() const {
  if (thread_ == nullptr || !thread_->counters) return;
  const std::string absent = absent_events(thread_->counters->group(), wanted_events());
  if (!absent.empty()) std::fprintf(stderr, "reprise: notice: %s\n", absent.c_str());
}

void Recording::compensate_by(const trace_io::Compensation& compensation,
                              const OverheadParts& parts) {
  compensation_ = compensation;
  overheads_.emplace(compensation, parts);
}

void Recording::begin_elapsed() {
  if (thread_ != nullptr) thread_->use = ThreadUse();
  process_cpu_ =
      Nanoseconds{static_cast<std::int64_t>(RecordingClock::system_time(CLOCK_PROCESS_CPUTIME_ID))};
  began_ = RecordingClock::system_time(CLOCK_MONOTONIC);
}

void Recording::note_elapsed() {
  elapsed_ =
      Nanoseconds{static_cast<std::int64_t>(RecordingClock::system_time(CLOCK_MONOTONIC) - began_)};
}

RecorderTime Recording::recorder_time() const {
  RecorderTime sum;
  for (const auto& thread : threads_) sum += thread->recorder_time(clock);
  return sum;
}

Preemptions Recording::preemptions() const {
  Preemptions sum;
  for (const auto& thread : threads_) sum += thread->preemptions();
  return sum;
}

trace_io::Compensation Recording::compensation(const TakenOff& taken) const {
  trace_io::Compensation compensation = *compensation_;
  Nanoseconds largest{};
  for (std::size_t kind = 0; kind < trace_io::kOverheadKinds; ++kind) {
    Nanoseconds more{};
    for (const auto& thread : threads_)
      more =
          std::max(more, thread->correction().largest(static_cast<trace_io::OverheadKind>(kind)));
    for (trace_io::OverheadPoint& point : compensation.curves[kind]) {
      point.overhead += more;
      largest = std::max(largest, point.overhead);
    }
  }
  // Few samples, one of them very long.
  const auto count = static_cast<std::int64_t>(std::max<std::uint64_t>(taken.count, 1));
  const Nanoseconds lacking = Nanoseconds{(taken.time.value + count - 1) / count} - largest;
  if (lacking > Nanoseconds{})
    for (auto& curve : compensation.curves)
      for (trace_io::OverheadPoint& point : curve) point.overhead += lacking;
  return compensation;
}

TakenOff Recording::taken_off() const {
  TakenOff sum;
  for (const auto& thread : threads_) sum += thread->taken_off();
  return sum;
}

void Recording::add_iterations(const trace_io::ThreadCompressor& thread, trace_io::Trace& trace) {
  if (auto marked = thread.marked_iterations())
    trace.marked_iterations.push_back(*std::move(marked));
  if (const std::string_view problem = thread.iterations_problem(); !problem.empty())
    losses.add(std::string(problem), trace_io::Severity::notice, {});
}

void Recording::end_phases() noexcept try {
  for (const auto& thread : threads_) thread->end_phases();
} catch (...) {
  give_up("the recorder ran out of memory");
}

// Of all threads; none where none had a phase, or polls that are no calls.
std::optional<trace_io::CompletionRecord> Recording::completions() const {
  trace_io::CompletionRecord sum;
  bool has_polls = false;
  for (const auto& thread : threads_) {
    has_polls = has_polls || thread->has_polls();
    sum.phases += thread->completions().phases;
    sum.represented += thread->completions().represented;
  }
  return sum.phases > 0 || has_polls ? std::optional(sum) : std::nullopt;
}

trace_io::Trace Recording::trace(bool complete) {
  trace_io::Trace trace = tables(complete);
  using Detail = trace_io::ThreadCompressor::Detail;
  constexpr std::size_t kMostWithOrder = 64U << 20;  // a snapshot, or a death, has little time
  for (const auto& thread : threads_)
    trace.threads.push_back(thread->program(complete ? Detail::iterations
                                            : thread->memory_bytes() <= kMostWithOrder
                                                ? Detail::order
                                                : Detail::totals));
  return trace;
}

std::vector<const trace_io::ThreadCompressor*> Recording::compressors() const {
  std::vector<const trace_io::ThreadCompressor*> all;
  for (const auto& thread : threads_) all.push_back(&thread->compressor());
  return all;
}

void Recording::settle() noexcept try {
  for (const auto& thread : threads_) thread->settle();
  if (settings.sampling_rate == 0) sites.settle();  // else stacks become call paths in each trace
} catch (...) {  // without memory for what is smaller the rest stays as it is
}

trace_io::IterationLevels Recording::iteration_levels() const {
  return threads_.empty() ? trace_io::IterationLevels{}
                          : threads_.front()->compressor().iteration_levels();
}

void Recording::choose_iterations_by(const trace_io::IterationLevels& of_all) {
  if (!threads_.empty()) threads_.front()->choose_iterations_by(of_all);
}

trace_io::Trace Recording::tables(bool complete) {
  const Rank me{process.rank};
  const trace_io::RankList self = trace_io::RankList::single(me);
  trace_io::Trace trace;
  trace.header.program = program_;
  trace.header.mpi_library = process.mpi_library;
  trace.header.ranks = process.ranks;
  trace.header.timing = settings.timing;
  trace.header.clock = settings.clock;
  trace.header.bins = settings.bins;
  trace.header.bin_rule = settings.bin_rule;
  trace.header.order_budget = Bytes{settings.order_budget};
  trace.header.complete = complete && !gave_up_;
  trace.header.recorded = self;
  if (!complete) note_elapsed();
  trace.header.elapsed = elapsed_;
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  trace.header.hosts.push_back(
      {process.host, static_cast<std::uint32_t>(cores > 0 ? cores : 1), self});
  trace.functions = functions();  // its call paths are among those of the sites
  trace.counters = counters();
  sites.describe(trace);
  handles().communicators.describe(trace, me);
  if (complete && !threads_.empty()) add_iterations(threads_.front()->compressor(), trace);
  for (const auto& thread : threads_)
    if (thread->is_truncated()) trace.header.complete = false;
  trace.completions = completions();
  trace.ends = ends_;
  trace.losses = losses.rows();
  const auto lose = [&](const char* name, trace_io::Severity severity, std::uint64_t count) {
    if (count > 0) trace.losses.push_back({name, severity, count, {}});
  };
  lose("call paths kept to their innermost frames, because there were too many",
       trace_io::Severity::notice, sites.shortened());
  lose("communicators that may have another number on other ranks", trace_io::Severity::partial,
       handles().communicators.ambiguous());
  std::ranges::sort(trace.losses, {}, &trace_io::Loss::name);
  const RecorderTime own = recorder_time();
  const auto apart = [&](trace_io::TimeApart what, std::uint64_t count, Nanoseconds time) {
    if (time.value > 0) trace.times_apart.push_back({what, count, time, {time, me}});
  };
  apart(trace_io::TimeApart::snapshots, own.snapshot_count, own.snapshots);
  apart(trace_io::TimeApart::calibration, own.snapshot_count, own.calibration);
  apart(trace_io::TimeApart::folding, own.appends, own.folding);
  const Preemptions away = preemptions();
  apart(trace_io::TimeApart::preemption, away.count, away.excess);
  if (clock.watch() == Watch::on) {
    auto& record = trace.preemptions.emplace();
    if (away.count > 0) record.ranks.push_back({me, away.count, away.excess, away.compute});
    for (std::uint32_t octave = 0; octave < trace_io::kPreemptionOctaves; ++octave)
      if (const Preemptions::Octave& one = away.octaves[octave]; one.count > 0)
        record.durations.push_back({octave, one.count, one.time});
  }
  if (compensation_) {
    const TakenOff taken = taken_off();
    trace.times_apart.push_back(
        {trace_io::TimeApart::compensation, taken.count, taken.time, {taken.time, me}});
    trace.compensation = compensation(taken);
    trace.compensation->clamped_count = taken.clamped_count;
    trace.compensation->clamped_time = taken.clamped_time;
  }
  return trace;
}

}  // namespace reprise::recorder
