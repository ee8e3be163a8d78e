// SPDX-License-Identifier: MIT
#include "recorder/capture/thread_recorder.hpp"

#include <algorithm>

#include "recorder/sampling/unwind_tables.hpp"

namespace reprise::recorder {

ThreadRecorder::ThreadRecorder(SiteTable& sites, SiteCache::Settings paths,
                               trace_io::ThreadCompressor::Settings compression,
                               bool exact_completions, std::uint64_t memory, Losses& losses)
    : sites_(sites, paths),
      budget_(memory),
      losses_(losses),
      counts_bytes_(compression.iterations.has_value()),
      compressor_(compression),
      phases_(!exact_completions, counts_bytes_),
      description_(!exact_completions) {}

bool ThreadRecorder::start_sampling(std::uint32_t rate) {
  StackBounds own_code;
  if (const auto here =
          find_unwind_entry(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))))
    own_code = {here->module_begin, here->module_end};
  auto started = std::make_unique<ThreadSampler>(
      ThreadSampler::Activity{&inside, &appending_, own_code}, last_site_);
  if (!started->start(rate)) return false;
  sampler = std::move(started);
  return true;
}

void ThreadRecorder::settle() {
  phases_.settle();
  description_.settle();
  std::vector<std::uint32_t>().swap(slots_);
  std::vector<std::uint64_t>().swap(statuses_);
  sites_.settle();
  compressor_.settle();
}

void ThreadRecorder::settle_at_end() {
  struct Changing {  // for who wants to write a part
    std::atomic<bool>& flag;
    explicit Changing(std::atomic<bool>& its_flag) : flag(its_flag) {
      flag.store(true, std::memory_order_relaxed);
      std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    ~Changing() {
      std::atomic_signal_fence(std::memory_order_seq_cst);
      flag.store(false, std::memory_order_relaxed);
    }
  } const changing(appending_);
  if (sampler) sampler->settle();
  if (counters) counters->settle();
  settle();
}

void ThreadRecorder::start_counting(std::span<const trace_io::CounterEvent> events) {
  counters = std::make_unique<ThreadCounters>(events, last_site_);
}

std::uint64_t ThreadRecorder::count_until(const RecordingClock& clock, std::uint64_t reading) {
  counters->enter();
  if (first_touches.is_long(reading - last_end_)) look_after_computing(reading);
  const std::uint64_t begin = clock.soon_after(time, reading);
  leave_out_before_call(reading, begin);
  return begin;
}

void ThreadRecorder::look_after_computing(std::uint64_t reading) {
  const auto use = KernelUse::of_thread();
  first_touches.look(reading, use.pages);
  own_files.after_computing(use.blocks);
}

std::uint64_t ThreadRecorder::look_at_use(const RecordingClock& clock, std::uint64_t reading) {
  look_after_computing(reading);
  const std::uint64_t begin = clock.soon_after(time, reading);
  leave_out_before_call(reading, begin);
  return begin;
}

// Whether another call can be recorded.
bool ThreadRecorder::make_room() {
  if (budget_.renew(compressor_.memory_bytes())) return true;
  if (budget_.stage() == MemoryBudget::Stage::whole) {
    losses_.add("timing detail dropped at the REPRISE_MEMORY limit", trace_io::Severity::partial,
                {});
    compressor_.coarsen(1);
    budget_.next_stage();
    if (budget_.renew(compressor_.memory_bytes())) return true;
  }
  budget_.next_stage();
  return false;
}

// The same work each time, whatever the machine does beside.
void ThreadRecorder::waste_time() const noexcept {
  volatile std::uint64_t result = wasted_steps_;
  std::uint64_t value = result;
  for (std::uint64_t i = 0; i < wasted_steps_; ++i) value = value * 6364136223846793005u + 1;
  result = value;
}

void ThreadRecorder::waste(Nanoseconds each) {
  if (each.value <= 0) return;
  constexpr int kTries = 20;
  constexpr std::uint64_t kSteps = 100'000;
  static const std::uint64_t least = [this] {  // ns of kSteps
    wasted_steps_ = kSteps;
    std::uint64_t shortest = ~std::uint64_t{0};
    for (int i = 0; i < kTries; ++i) {
      const std::uint64_t begin = RecordingClock::system_time(CLOCK_THREAD_CPUTIME_ID);
      waste_time();
      shortest = std::min(shortest, RecordingClock::system_time(CLOCK_THREAD_CPUTIME_ID) - begin);
    }
    return std::max<std::uint64_t>(shortest, 1);
  }();
  wasted_steps_ = static_cast<std::uint64_t>(each.value) * kSteps / least;
}

Nanoseconds ThreadRecorder::computed_of_sample(const RecordingClock& clock, Nanoseconds compute,
                                               Nanoseconds communicate,
                                               trace_io::OverheadKind kind) {
  const WrapperSamples::Outside outside = samples.outside();
  const Nanoseconds wrappers =
      compute - std::min(compute, clock.between(outside.begin, outside.end));
  samples.taken(wrappers);
  if (overheads_ != nullptr)
    return overheads_->take_off_sampled(compute, communicate, wrappers, kind, taken_off_,
                                        correction_);
  SampledWrappers& here = sampled_[static_cast<std::size_t>(kind)];
  here.sum += wrappers;
  ++here.count;
  return compute;
}

// Since the last event, without the recorder's own part.
inline Nanoseconds ThreadRecorder::computed(const RecordingClock& clock, std::uint64_t begin,
                                            Nanoseconds communicate, trace_io::OverheadKind kind) {
  const Nanoseconds compute = clock.between(last_end_, begin);
  if (samples.is_complete()) [[unlikely]]
    return computed_of_sample(clock, compute, communicate, kind);
  return overheads_ == nullptr
             ? compute
             : overheads_->take_off(compute, communicate, kind, taken_off_, correction_.of(kind));
}

inline void ThreadRecorder::finish_append(const RecordingClock& clock, std::uint64_t end) {
  if (counters) [[unlikely]]
    counters->leave();
  last_end_ = clock.soon_after(time, end);
  samples.recorded();
  if (wasted_steps_ > 0) [[unlikely]]
    waste_time();
  const std::uint64_t took = last_end_ > end ? last_end_ - end : 0;
  append_ticks_ += took;
  if (took < kLongAppend) return;
  rare_time.long_folding += clock.between(end, last_end_);
  ++rare_time.long_appends;
}

RecorderTime ThreadRecorder::recorder_time(const RecordingClock& clock) const {
  RecorderTime all = rare_time;
  all.folding = clock.between(0, append_ticks_);
  all.appends = appended_;
  return all;
}

// Of the pending ones, which have not waited. Each lasts from reading to reading, so one reading of the two is in it: the recorder's.
Nanoseconds ThreadRecorder::worked_in_polls(const RecordingClock& clock) {
  const Nanoseconds polled = pending_.communicate - pending_.moving;
  if (overheads_ == nullptr) return polled;
  const Nanoseconds readings{std::min(
      polled.value, static_cast<std::int64_t>(pending_.polls) * clock.reading_takes().value)};
  taken_off_.time += readings;
  return polled - readings;
}

void ThreadRecorder::append(std::uint32_t key, std::string_view name, Frame frame,
                            const RecordingClock& clock, Span span, Traits traits) {
  using Resource = Traits::Resource;
  appending_.store(true, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  trace_io::EventView event = description_.event();
  ++appended_;
  std::size_t elements = 0;
  for (const auto& vector : event.vectors) elements += vector.size();
  if (!budget_.covers(elements) && (is_truncated() || !make_room())) {
    if (sampler) sampler->discard();
    if (counters) counters->discard();
    losses_.add("calls beyond the REPRISE_MEMORY limit", trace_io::Severity::error,
                pending_.compute + pending_.communicate + skip(clock, span), 1 + pending_.polls);
    pending_ = {};
    appending_.store(false, std::memory_order_relaxed);
    if (counters) counters->leave();
    last_end_ = clock.soon_after(time, span.end);
    last_site_ = trace_io::kNoSite;
    return;
  }
  event.site = last_site_ = sites_.site_of(key, name, frame);
  if (sampler) [[unlikely]]
    sampler->called(event.site);
  event.communicate = clock.between(span.begin, span.end);
  event.compute = computed(clock, span.begin, event.communicate, traits.overhead);
  if (event.compute > kShortStep) stay_began_ = span.begin;
  using Share = ThreadCounters::Share;
  Share counted = Share::everything;
  const bool awaited = traits.is_test && awaited_.succeeded(place_of(key, frame));
  if (!traits.is_test) awaited_.called();
  if (pending_.polls != 0) {
    if (awaited && event.compute <= kShortGap) {
      counted = Share::before_polls;
      event.communicate += pending_.communicate + event.compute;
      event.compute = pending_.compute;
    } else if (awaited) {
      counted = Share::without_polls;
      event.communicate += pending_.communicate;
      event.compute += pending_.compute;
    } else {
      event.compute += pending_.compute + worked_in_polls(clock);
      event.communicate += pending_.moving;
    }
    event.polls = pending_.polls;
    pending_ = {};
  }
  if (first_touches.is_long(span.end - span.begin)) [[unlikely]] {
    // What files and windows cost is a matter of their own.
    const bool has_messages = traits.resource == Resource::messages;
    const auto use = KernelUse::of_thread();
    const Nanoseconds touches =
        has_messages ? first_touches.in_call(span.begin, span.end,
                                             clock.between(span.begin, span.end), use.pages)
                     : Nanoseconds{};
    if (!has_messages) first_touches.look(span.end, use.pages);
    own_files.after_call(use.blocks);
    event.communicate -= touches;
    event.compute += touches;
  } else if (traits.resource == Resource::file) [[unlikely]] {
    own_files.after_call(KernelUse::of_thread().blocks);
  }
  add_owned(time.preemptions.compute, event.compute);
  if (counters) [[unlikely]]
    counters->called(event.site, event.compute, counted);
  if (phases_.is_watching()) [[unlikely]] {
    if (counts_bytes_) event.bytes = payload_.of(event, name);
    phases_.append(event, key, name, compressor_);
  } else {
    if (!compressor_.append(event)) budget_.give_back();
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  appending_.store(false, std::memory_order_relaxed);
  finish_append(clock, span.end);
}

void ThreadRecorder::append_first(std::uint32_t key, std::string_view name, Frame frame,
                                  const RecordingClock& clock, Nanoseconds duration) {
  trace_io::EventView event = description_.event();
  event.site = sites_.site_of(key, name, frame);
  event.communicate = duration;
  last_site_ = event.site;
  if (counters) counters->follow(event.site);
  compressor_.append(event);
  last_end_ = last_look = clock.now(time, Interval::bookkeeping);
}

void ThreadRecorder::failed_poll(const RecordingClock& clock, Span span, AwaitedPolls::Place place,
                                 trace_io::OverheadKind kind) {
  awaited_.failed(place);
  const Nanoseconds communicate = clock.between(span.begin, span.end);
  const Nanoseconds gap = computed(clock, span.begin, communicate, kind);
  const bool is_of_polls = pending_.polls != 0 && gap <= kShortGap;
  if (is_of_polls)
    pending_.communicate += gap;
  else
    pending_.compute += gap;
  pending_.communicate += communicate;
  if (communicate > kBusyPoll && communicate.value * all_polls_ > kManyTimes * all_polled_)
      [[unlikely]]
    pending_.moving += communicate;
  all_polled_ += communicate.value;
  ++all_polls_;
  if (pending_.polls++ == 0) polling_since_ = span.begin + time.away;
  polled_ = place;
  last_end_ = span.end;
  if (counters) [[unlikely]] {
    counters->poll(is_of_polls);
    last_end_ = clock.soon_after(time, span.end);
  }
}

void ThreadRecorder::note_poll(ChanceSends::Found& found, std::uint32_t key, std::string_view name,
                               Frame frame) {
  if (found.polls++ == 0) found.site = sites_.site_of(key, name, frame);
  has_polls_ = true;
}

// A call that takes no time and stands for so many of the polls.
void ThreadRecorder::append_bare(trace_io::EventView event, ChanceSends::Found& found,
                                 std::uint64_t calls) {
  event.site = found.site;
  event.further = static_cast<std::int64_t>(calls) - 1;
  compressor_.append(event);
  found.polls -= calls;
}

// What the polls found complete that has a number, in calls at the end.
void ThreadRecorder::append_polls() {
  ChanceSends& sends = description_.sends_by_chance();
  ChanceSends::Found &one = sends.by_test, &all = sends.by_test_all;
  const auto number_of = [this](std::uint32_t slot) {
    return handles().requests.number(slot, &description_);
  };
  const auto close = [](std::span<const std::uint32_t> slots) {
    for (const std::uint32_t slot : slots) handles().requests.close(slot);
    handles().requests.end_call();
  };
  while (one.polls > 0) {
    description_.clear();
    const bool has_one = !one.slots.empty();
    description_.scalar(has_one ? number_of(one.slots.back()) : trace_io::kNone);
    description_.scalar(trace_io::kNoPeer);
    description_.scalar(trace_io::kNone);
    append_bare(description_.event(), one, one.slots.size() > 1 ? 1 : one.polls);
    if (!has_one) break;
    close(std::span(one.slots).last(1));
    one.slots.pop_back();
  }
  if (all.polls == 0) return;
  description_.clear();
  auto &requests = description_.vector(), &peers = description_.vector(),
       &tags = description_.vector();
  for (const std::uint32_t slot : all.slots) requests.push_back(number_of(slot));
  std::ranges::sort(requests);  // found in an order of this run
  peers.assign(requests.size(), trace_io::kNoPeer);
  tags.assign(requests.size(), trace_io::kNone);
  append_bare(description_.event(), all, all.polls);
  close(all.slots);
  all.slots.clear();
}

Nanoseconds ThreadRecorder::skip(const RecordingClock& clock, Span span) {
  if (sampler) sampler->discard();
  if (counters) counters->discard();
  const Nanoseconds skipped = clock.between(last_end_, span.end);
  last_end_ = span.end;
  samples.drop();
  return skipped;
}

}  // namespace reprise::recorder
