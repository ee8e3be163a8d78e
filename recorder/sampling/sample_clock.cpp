// SPDX-License-Identifier: MIT
#include "recorder/sampling/sample_clock.hpp"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace reprise::recorder {
namespace {

constexpr std::uint32_t kSamplesOfPeriod = 8;
constexpr int kLowestDescriptor = 512;  // above what programs count on, and select() may see

int this_thread() { return static_cast<int>(syscall(SYS_gettid)); }

// Out of the way of the program's own descriptors, if there is room.
int moved_up(int descriptor) {
  const int higher = fcntl(descriptor, F_DUPFD_CLOEXEC, kLowestDescriptor);
  if (higher < 0) return descriptor;
  close(descriptor);
  return higher;
}

}  // namespace

bool SampleClock::start(std::uint32_t rate, int signal) noexcept {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  if (rate == 0 || is_precise() || has_timer_.load()) return false;
  period_ = kSecond / rate;
  process_ = getpid();
  random_ = static_cast<std::uint32_t>(this_thread()) * 2 + 1;
  return start_event(true, signal) || start_event(false, signal) || start_timer(signal);
}

bool SampleClock::start_event(bool with_kernel, int signal) noexcept {
  perf_event_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.type = PERF_TYPE_SOFTWARE;
  wanted.config = PERF_COUNT_SW_TASK_CLOCK;
  wanted.sample_period = period_;
  wanted.disabled = 1;
  wanted.exclude_kernel = with_kernel ? 0 : 1;
  wanted.exclude_hv = 1;
  wanted.wakeup_events = 1;
  const auto opened =
      static_cast<int>(syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
  if (opened < 0) return false;
  const int event = moved_up(opened);
  const f_owner_ex owner{F_OWNER_TID, this_thread()};
  const int flags = fcntl(event, F_GETFL);
  if (fcntl(event, F_SETSIG, signal) == 0 && fcntl(event, F_SETOWN_EX, &owner) == 0 && flags >= 0 &&
      fcntl(event, F_SETFL, flags | O_ASYNC) == 0) {
    event_.store(event);
    if (ioctl(event, PERF_EVENT_IOC_ID, &event_id_) == 0 &&
        ioctl(event, PERF_EVENT_IOC_ENABLE, 0) == 0)
      return true;
  }
  event_.store(-1);
  close(event);
  return false;
}

bool SampleClock::start_timer(int signal) noexcept {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal;
  event._sigev_un._tid = this_thread();
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) != 0) return false;
  constexpr std::uint64_t kSecond = 1'000'000'000;
  itimerspec period{};
  period.it_interval.tv_sec = static_cast<time_t>(period_ / kSecond);
  period.it_interval.tv_nsec = static_cast<long>(period_ % kSecond);
  period.it_value = period.it_interval;
  has_timer_.store(true);
  if (timer_settime(timer_, 0, &period, nullptr) == 0) return true;
  stop();
  return false;
}

// Whether it still is what was opened.
bool SampleClock::is_event(int descriptor) const noexcept {
  std::uint64_t id = 0;
  return ioctl(descriptor, PERF_EVENT_IOC_ID, &id) == 0 && id == event_id_;
}

void SampleClock::stop() noexcept {
  const bool is_own = process_ == getpid();
  if (const int event = event_.exchange(-1); event >= 0 && is_event(event)) {
    if (is_own) ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
    close(event);
  }
  if (has_timer_.exchange(false) && is_own) timer_delete(timer_);
}

std::uint32_t SampleClock::signalled(const siginfo_t& info) noexcept {
  if (const int event = event_.load(std::memory_order_relaxed); event >= 0) {
    if (info.si_code != POLL_IN && info.si_code != SI_SIGIO) return 0;
    if (until_new_period_-- != 0) return 1;
    until_new_period_ = kSamplesOfPeriod - 1;
    random_ ^= random_ << 13U;
    random_ ^= random_ >> 17U;
    random_ ^= random_ << 5U;
    const std::uint64_t next = period_ / 2 + ((period_ * (random_ >> 8U)) >> 24U);
    ioctl(event, PERF_EVENT_IOC_PERIOD, &next);
    return 1;
  }
  if (!has_timer_.load(std::memory_order_relaxed) || info.si_code != SI_TIMER) return 0;
  return 1 + static_cast<std::uint32_t>(info.si_overrun < 0 ? 0 : info.si_overrun);
}

}  // namespace reprise::recorder
