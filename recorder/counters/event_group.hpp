// SPDX-License-Identifier: MIT
// Events of one thread, counted by its processor or by the kernel (perf_event_open), and read without disturbing it.
//
// Group    all events are of one group: they count in the same moments. An event that the kernel does not give, alone or beside the others,
//          is left out.
// Modes    instructions and cycles in user mode alone. Events of the kernel in both modes where that is allowed; where it is not, task-clock
//          and page-faults all the same, and the others not at all: in user mode alone they never happen.
// Reading  where all are the processor's and the kernel allows it, by rdpmc from the pages that it shares (x86-64), 20 to 40 ns an event; else by
//          read(2) of the group, 0.3 to 1 µs, after a look whether the descriptor still is ours: a program may close what it has not opened.
// Fork     a child's threads are not counted, and read nothing: the pages are not there.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "trace-io/model/compute_counters.hpp"

struct perf_event_mmap_page;

namespace reprise::recorder {

class EventGroup {
 public:
  static constexpr std::size_t kMost = trace_io::kCounterEvents.size();
  using Values = std::array<std::uint64_t, kMost>;  // by event; 0 where it is not counted

  // Of the calling thread, from now on.
  explicit EventGroup(std::span<const trace_io::CounterEvent>) noexcept;
  ~EventGroup();
  EventGroup(const EventGroup&) = delete;
  EventGroup& operator=(const EventGroup&) = delete;

  bool counts(trace_io::CounterEvent event) const {
    return descriptors_[static_cast<std::size_t>(event)] >= 0;
  }
  // Of the first event that the kernel did not give; 0 where it gave all.
  int problem() const { return problem_; }
  bool has_any() const { return leader_ >= 0; }
  bool is_read_by_processor() const { return reads_pages_; }

  // Gives back descriptors and pages: values and times stand still from now on. By the thread itself.
  void close() noexcept;
  // By the thread itself. Values stand still once the group is lost.
  void read(Values& values) noexcept;
  // How long the events were to be counted, and were: less where others took the processor's counters in turn. From any thread.
  struct Times {
    std::uint64_t enabled = 0, running = 0;  // ns
  };
  Times times() const noexcept;

 private:
  bool open(trace_io::CounterEvent) noexcept;
  bool is_ours() const noexcept;
  bool read_group(Values&, Times&) const noexcept;

  std::array<int, kMost> descriptors_{};                    // by event; -1: not counted
  std::array<const perf_event_mmap_page*, kMost> pages_{};  // by event; null: not mapped
  std::array<std::size_t, kMost> order_{};                  // events as they were opened
  std::size_t count_ = 0;
  int leader_ = -1, problem_ = 0;
  std::uint64_t leader_id_ = 0;
  Times at_close_;
  bool is_closed_ = false;
  bool reads_pages_ = false;
};

}  // namespace reprise::recorder
