// SPDX-License-Identifier: MIT
#include "recorder/counters/event_group.hpp"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <utility>

namespace reprise::recorder {
namespace {

using trace_io::CounterEvent;

constexpr int kLowestDescriptor = 512;  // above what programs count on, and select() may see

std::atomic<bool> is_child{false};
void note_child() { is_child.store(true, std::memory_order_relaxed); }

// Out of the way of the program's own descriptors, if there is room.
int moved_up(int descriptor) {
  const int higher = fcntl(descriptor, F_DUPFD_CLOEXEC, kLowestDescriptor);
  if (higher < 0) return descriptor;
  close(descriptor);
  return higher;
}

bool is_of_processor(CounterEvent event) {
  return event == CounterEvent::instructions || event == CounterEvent::cycles;
}

std::uint64_t number_of(CounterEvent event) {
  switch (event) {
    case CounterEvent::instructions:
      return PERF_COUNT_HW_INSTRUCTIONS;
    case CounterEvent::cycles:
      return PERF_COUNT_HW_CPU_CYCLES;
    case CounterEvent::task_clock:
      return PERF_COUNT_SW_TASK_CLOCK;
    case CounterEvent::page_faults:
      return PERF_COUNT_SW_PAGE_FAULTS;
    case CounterEvent::context_switches:
      return PERF_COUNT_SW_CONTEXT_SWITCHES;
    case CounterEvent::cpu_migrations:
      return PERF_COUNT_SW_CPU_MIGRATIONS;
  }
  return 0;
}

int open_event(CounterEvent event, bool with_kernel, int leader) {
  perf_event_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.type = is_of_processor(event) ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE;
  wanted.config = number_of(event);
  wanted.disabled = leader < 0;
  wanted.exclude_kernel = with_kernel ? 0 : 1;
  wanted.exclude_hv = 1;
  wanted.read_format =
      PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &wanted, 0, -1, leader, PERF_FLAG_FD_CLOEXEC));
}

#if defined(__x86_64__)
// The count of an event by what its page and the processor's counter say (linux/perf_event.h, struct perf_event_mmap_page). False where
// the kernel does not allow it now.
bool read_page(const perf_event_mmap_page& shared, std::uint64_t& value) {
  const volatile perf_event_mmap_page& page = shared;
  for (;;) {
    const std::uint32_t lock = page.lock;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (page.cap_user_rdpmc == 0) return false;
    const std::uint32_t index = page.index;
    auto count = static_cast<std::uint64_t>(page.offset);
    if (index != 0) {  // 0: it is not on the processor, and `offset` is all
      std::uint32_t low = 0, high = 0;
      __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index - 1));
      const int unused = 64 - page.pmc_width;
      const std::uint64_t counter = ((std::uint64_t{high} << 32U) | low) << unused;
      count += static_cast<std::uint64_t>(static_cast<std::int64_t>(counter) >> unused);
    }
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (page.lock != lock) continue;
    value = count;
    return true;
  }
}
#else
bool read_page(const perf_event_mmap_page&, std::uint64_t&) { return false; }
#endif

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

const perf_event_mmap_page* mapped(int descriptor) {
  void* page = mmap(nullptr, page_size(), PROT_READ, MAP_SHARED, descriptor, 0);
  return page == MAP_FAILED ? nullptr : static_cast<const perf_event_mmap_page*>(page);
}

}  // namespace

EventGroup::EventGroup(std::span<const CounterEvent> events) noexcept {
  static const int watched = pthread_atfork(nullptr, nullptr, note_child);
  descriptors_.fill(-1);
  if (watched != 0) {
    problem_ = watched;
    return;
  }
  bool are_of_processor = true;
  for (const CounterEvent event : events)
    if (!counts(event) && open(event))
      are_of_processor = are_of_processor && is_of_processor(event);
  if (!has_any()) return;
  ioctl(leader_, PERF_EVENT_IOC_ID, &leader_id_);
  ioctl(leader_, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
  ioctl(leader_, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
  reads_pages_ = are_of_processor;
  for (std::size_t i = 0; reads_pages_ && i < count_; ++i) {
    const auto* page = pages_[order_[i]] = mapped(descriptors_[order_[i]]);
    std::uint64_t value = 0;
    reads_pages_ = page != nullptr && read_page(*page, value);
  }
}

EventGroup::~EventGroup() { close(); }

void EventGroup::close() noexcept {
  if (is_closed_ || is_child.load(std::memory_order_relaxed)) return;
  at_close_ = times();
  const bool has_descriptors = is_ours();
  is_closed_ = true;
  reads_pages_ = false;
  for (const auto*& page : pages_)
    if (page != nullptr)
      munmap(const_cast<perf_event_mmap_page*>(std::exchange(page, nullptr)), page_size());
  if (!has_descriptors) return;
  // The leader last: it tells that they are ours.
  for (std::size_t i = count_; i > 0; --i) ::close(descriptors_[order_[i - 1]]);
}

bool EventGroup::open(CounterEvent event) noexcept {
  const bool is_of_user = is_of_processor(event);
  int opened = open_event(event, !is_of_user, leader_);
  const bool happens_in_user =
      event == CounterEvent::task_clock || event == CounterEvent::page_faults;
  if (opened < 0 && happens_in_user) opened = open_event(event, false, leader_);
  if (opened < 0) {
    if (problem_ == 0) problem_ = errno;
    return false;
  }
  const auto index = static_cast<std::size_t>(event);
  descriptors_[index] = moved_up(opened);
  if (leader_ < 0) leader_ = descriptors_[index];
  order_[count_++] = index;
  return true;
}

bool EventGroup::is_ours() const noexcept {
  std::uint64_t id = 0;
  return leader_ >= 0 && !is_closed_ && ioctl(leader_, PERF_EVENT_IOC_ID, &id) == 0 &&
         id == leader_id_;
}

bool EventGroup::read_group(Values& values, Times& times) const noexcept {
  if (is_child.load(std::memory_order_relaxed) || !is_ours()) return false;
  std::array<std::uint64_t, 3 + kMost> found{};
  const ssize_t size = ::read(leader_, found.data(), sizeof found);
  if (size < static_cast<ssize_t>((3 + count_) * sizeof found[0]) || found[0] != count_)
    return false;
  times = {found[1], found[2]};
  for (std::size_t i = 0; i < count_; ++i) values[order_[i]] = found[3 + i];
  return true;
}

void EventGroup::read(Values& values) noexcept {
  if (is_child.load(std::memory_order_relaxed)) return;
  if (reads_pages_) {
    Values now = values;
    bool are_read = true;
    for (std::size_t i = 0; are_read && i < count_; ++i)
      are_read = read_page(*pages_[order_[i]], now[order_[i]]);
    if (are_read) values = now;
    if (are_read) return;
  }
  Times ignored;
  read_group(values, ignored);
}

EventGroup::Times EventGroup::times() const noexcept {
  if (is_closed_) return at_close_;
  Values ignored{};
  Times times;
  read_group(ignored, times);
  return times;
}

}  // namespace reprise::recorder
