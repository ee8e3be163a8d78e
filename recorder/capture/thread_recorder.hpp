// SPDX-License-Identifier: MIT
// What the recorder keeps per thread: the time of the last event, failed polls that wait for their success, the folded program.
//
// Time    a compute delta runs from when the recorder was done with the previous event to the entry of this one, a communicate
//         delta from entry to return: the recorder's own work is in neither. append() reads the clock again when it is done;
//         whatever else works for long says so by leave_out(). What is left of it is estimated and taken off (overhead_table.hpp). What the clock does about preemption: clock.hpp.
// Polls   time inside failed Tests and Iprobes, and gaps up to kShortGap between them, belongs to the communicate delta of the one
//         that succeeds, if they have waited for it (awaited_polls.hpp); longer gaps are work and belong to its compute delta. Where they
//         have not waited, or another event comes first, all that time is compute time of that event, but for polls that the library
//         used to move data (longer than kBusyPoll, and than kManyTimes the thread's mean): replays charge that to the messages.
// Threads one thread only, but for snapshots: see try_pause().
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>

#include "recorder/capture/awaited_polls.hpp"
#include "recorder/capture/clock.hpp"
#include "recorder/capture/completion_phases.hpp"
#include "recorder/capture/description.hpp"
#include "recorder/capture/first_touches.hpp"
#include "recorder/capture/losses.hpp"
#include "recorder/capture/memory_budget.hpp"
#include "recorder/capture/overhead_table.hpp"
#include "recorder/capture/own_files.hpp"
#include "recorder/capture/recorder_time.hpp"
#include "recorder/capture/sites.hpp"
#include "recorder/capture/thread_use.hpp"
#include "recorder/capture/wrapper_samples.hpp"
#include "recorder/counters/thread_counters.hpp"
#include "recorder/sampling/thread_sampler.hpp"
#include "trace-io/compress/thread_compressor.hpp"
#include "trace-io/iterations/payload_bytes.hpp"

namespace reprise::recorder {

class ThreadRecorder {
 public:
  static constexpr Nanoseconds kShortGap{5000};
  static constexpr Nanoseconds kBusyPoll{1000};
  static constexpr std::int64_t kManyTimes = 8;
  static constexpr std::uint64_t kLongAppend = 10'000;  // ticks of the clock: 3 to 10 µs

  ThreadRecorder(SiteTable& sites, SiteCache::Settings paths,
                 trace_io::ThreadCompressor::Settings compression, bool exact_completions,
                 std::uint64_t memory, Losses& losses);

  // The wrapper that the thread is in, as a place on its stack: calls made by the library or by callbacks are not the program's. Null
  // outside. `nested`: how many there were.
  const void* inside = nullptr;
  std::uint64_t nested = 0;

  // The call that it came into last, whatever came of it: for a recording that ends there. `key`: as for append().
  struct Entered {
    std::uint32_t key = 0;
    Frame frame = nullptr;
  };
  Entered entered;

  std::uint64_t last_look = 0;  // when it was last considered to write a snapshot
  RecorderTime rare_time;       // but for appends as a whole
  ThreadTime time;
  FirstTouches first_touches;
  OwnFiles own_files;
  ThreadUse use;  // since the first call, or since the program's own time began
  WrapperSamples samples;
  std::unique_ptr<ThreadSampler> sampler;    // null where functions are not sampled
  std::unique_ptr<ThreadCounters> counters;  // null where no events are counted

  // Functions are sampled from now on; false where the system does not do it. REQUIRES: called by the thread itself. May throw std::bad_alloc.
  bool start_sampling(std::uint32_t rate);

  Description& description() { return description_; }
  std::vector<std::uint32_t>& slots() { return slots_; }  // scratch: the requests of one call
  std::vector<std::uint64_t>& statuses() {
    return statuses_;
  }  // scratch: room for statuses that the program ignores

  // Events are counted from now on. REQUIRES: called by the thread itself. May throw std::bad_alloc.
  void start_counting(std::span<const trace_io::CounterEvent>);
  // The clock where the thread goes into a call, and its counters with it: they take time that is in no delta.
  [[gnu::always_inline]] std::uint64_t enter(const RecordingClock& clock) {
    const std::uint64_t reading = clock.now(time, Interval::compute);
    if (counters) [[unlikely]]
      return count_until(clock, reading);
    if (first_touches.is_long(reading - last_end_)) [[unlikely]]
      return look_at_use(clock, reading);
    return reading;
  }

  struct Span {
    std::uint64_t begin, end;  // readings
  };
  // What follows from a call's procedure.
  struct Traits {
    enum class Resource : std::uint8_t { messages, window, file };
    trace_io::OverheadKind overhead = trace_io::OverheadKind::call;
    Resource resource = Resource::messages;
    bool is_test = false;  // failed polls may belong to it
  };
  // One call, its description complete, that began and ended at these readings. `key` stands for `name` in the cache of sites.
  // May throw std::bad_alloc.
  void append(std::uint32_t key, std::string_view name, Frame frame, const RecordingClock& clock,
              Span, Traits);
  // The event that starts everything: no compute time, a duration known from elsewhere.
  void append_first(std::uint32_t key, std::string_view name, Frame frame,
                    const RecordingClock& clock, Nanoseconds);
  // `place`: of a poll that has found nothing; 0 where it has, and is no event.
  void failed_poll(const RecordingClock& clock, Span, AwaitedPolls::Place place,
                   trace_io::OverheadKind kind = trace_io::OverheadKind::call);
  static constexpr unsigned kKeyAt = 47;  // above every address
  static AwaitedPolls::Place place_of(std::uint32_t key, Frame frame) {
    return static_cast<AwaitedPolls::Place>(return_address(frame)) ^
           static_cast<AwaitedPolls::Place>(key + 1) << kKeyAt;
  }
  // Time that is in no event: what passed since the last event, forgotten here.
  Nanoseconds skip(const RecordingClock& clock, Span);
  void start_at(std::uint64_t reading) {
    last_end_ = reading;
    samples.drop();
    if (counters) counters->leave();
  }
  // The recorder has worked from one reading to the other: that is in no delta. REQUIRES: last_end() ≤ `begin` ≤ `end`; where events
  // are counted, `begin` is last_end() or the latest enter().
  void leave_out(std::uint64_t begin, std::uint64_t end) {
    if (counters) [[unlikely]]
      begin == last_end_ ? counters->leave() : counters->leave_out();
    samples.drop();
    last_end_ += end - begin;
  }
  // The same between enter() and the call.
  void leave_out_before_call(std::uint64_t begin, std::uint64_t end) { last_end_ += end - begin; }
  std::uint64_t last_end() const { return last_end_; }
  // When the thread came into MPI and has not left it since for longer than kShortStep, as far as append() knows.
  static constexpr Nanoseconds kShortStep{2000};
  std::uint64_t stay_began() const { return stay_began_; }
  // Where it is now, and since when: of a recording that ends. `names`: of calls, by their keys; `now`: RecordingClock::wall_now(). A call's site
  // may be new in the table. REQUIRES: at rest, and not past that; a thread that is in a call has not left its frame. May throw std::bad_alloc.
  trace_io::RecordingEnd end(const RecordingClock&, std::span<const std::string_view> names,
                             std::uint64_t now);
  // Of the latest append(); kNoSite where there was no room for it.
  trace_io::SiteId last_site() const { return last_site_; }
  // Compute times are shortened by it from now on; it must outlive this. `sample`: corrected by samples, which take readings of the clock.
  void compensate_by(const OverheadTable* table, bool sample = false) {
    overheads_ = table;
    if (sample && table->has_parts()) samples.start(false);
  }
  // Of a calibration: what samples have found so far, where nothing is compensated.
  struct SampledWrappers {
    Nanoseconds sum{};
    std::int64_t count = 0;
  };
  const SampledWrappers& sampled(trace_io::OverheadKind kind) const {
    return sampled_[static_cast<std::size_t>(kind)];
  }
  const TakenOff& taken_off() const { return taken_off_; }
  const OverheadCorrection& correction() const { return correction_; }
  // For tests: work that takes this long on a machine at rest, after each event.
  void waste(Nanoseconds each);
  // Of the compute deltas up to now.
  const Preemptions& preemptions() const { return time.preemptions; }

  // MPI_Pcontrol: an iteration begins, or ends.
  void mark(trace_io::ThreadCompressor::Mark mark) {
    end_phases();
    compressor_.mark(mark);
  }
  // A poll that is no call of its own (chance_sends.hpp), of that call site. May throw std::bad_alloc.
  void note_poll(ChanceSends::Found&, std::uint32_t key, std::string_view name, Frame);
  CompletionPhases& phases() { return phases_; }
  const trace_io::CompletionRecord& completions() const { return phases_.record(); }
  bool has_polls() const { return has_polls_; }  // that are no calls of their own
  // The program has all calls up to now. REQUIRES: at rest.
  void end_phases() {
    phases_.end(compressor_);
    append_polls();
  }
  const trace_io::ThreadCompressor& compressor() const { return compressor_; }
  // Gives back what only further calls need; one that follows all the same has it made again, but for a phase's representatives, which are learnt
  // anew. REQUIRES: at rest. May throw std::bad_alloc, with no harm done.
  void settle();
  // The thread ends, on which this is called: that as well, and its samples, counters and alternate stack. REQUIRES: as for settle().
  void settle_at_end();
  void choose_iterations_by(const trace_io::IterationLevels& of_all) {
    compressor_.choose_iterations_by(of_all);
  }
  std::vector<trace_io::Node> program(trace_io::ThreadCompressor::Detail detail) const {
    return compressor_.program(detail);
  }
  // Whether calls are missing for want of memory.
  bool is_truncated() const { return budget_.stage() == MemoryBudget::Stage::full; }
  std::uint64_t events() const { return compressor_.events(); }
  RecorderTime recorder_time(const RecordingClock&) const;
  // Calls appended so far.
  std::uint64_t appended() const { return appended_; }
  // Failed since then.
  std::uint64_t failed_polls() const { return pending_.polls; }
  std::size_t memory_bytes() const { return compressor_.memory_bytes(); }
  // Whether the program is at rest; read by a signal handler of the same thread.
  bool is_appending() const { return appending_.load(std::memory_order_relaxed); }
  std::mutex& mutex() { return mutex_; }

 private:
  struct Pending {
    Nanoseconds compute{}, communicate{};
    Nanoseconds moving{};  // of `communicate`, while the library moved data
    std::uint64_t polls = 0;
  };

  bool make_room();
  void append_polls();
  Nanoseconds worked_in_polls(const RecordingClock&);
  void append_bare(trace_io::EventView, ChanceSends::Found&, std::uint64_t calls);
  std::uint64_t count_until(const RecordingClock&, std::uint64_t reading);
  std::uint64_t look_at_use(const RecordingClock&, std::uint64_t reading);
  void look_after_computing(std::uint64_t reading);
  Nanoseconds computed(const RecordingClock&, std::uint64_t begin, Nanoseconds communicate,
                       trace_io::OverheadKind);
  Nanoseconds computed_of_sample(const RecordingClock&, Nanoseconds compute,
                                 Nanoseconds communicate, trace_io::OverheadKind);
  void waste_time() const noexcept;
  void finish_append(const RecordingClock& clock, std::uint64_t end);

  SiteCache sites_;
  MemoryBudget budget_;
  Losses& losses_;
  bool counts_bytes_;
  trace_io::PayloadBytes payload_;
  trace_io::ThreadCompressor compressor_;
  CompletionPhases phases_;
  Description description_;
  std::vector<std::uint32_t> slots_;
  std::vector<std::uint64_t> statuses_;
  Pending pending_;
  std::int64_t all_polls_ = 0, all_polled_ = 0;  // number and ns of the failed ones
  AwaitedPolls awaited_;
  AwaitedPolls::Place polled_ = 0;   // by the latest failed poll
  std::uint64_t polling_since_ = 0;  // wall time of the first of these in a row
  const OverheadTable* overheads_ = nullptr;
  TakenOff taken_off_;
  OverheadCorrection correction_;
  std::array<SampledWrappers, trace_io::kOverheadKinds> sampled_{};
  std::uint64_t wasted_steps_ = 0;
  std::uint64_t appended_ = 0;
  bool has_polls_ = false;
  std::uint64_t last_end_ = 0, append_ticks_ = 0;
  trace_io::SiteId last_site_ = trace_io::kNoSite;  // of append_first()
  std::uint64_t stay_began_ = 0;
  std::atomic<bool> appending_{false};
  std::mutex mutex_;
};

}  // namespace reprise::recorder
