// SPDX-License-Identifier: MIT
#include "recorder/capture/first_touches.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "recorder/capture/clock.hpp"

namespace reprise::recorder {

// In five rounds, of which the median counts: an interrupt is in one of them.
Nanoseconds FirstTouches::page_takes() noexcept {
  constexpr std::size_t kRounds = 5, kPages = 16;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t size = kRounds * kPages * page;
  void* const memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return {};
  madvise(memory, size, MADV_NOHUGEPAGE);  // an error: there are none
  std::array<std::uint64_t, kRounds> rounds{};
  auto* next = static_cast<volatile unsigned char*>(memory);
  for (std::uint64_t& round : rounds) {
    const std::uint64_t begin = RecordingClock::system_time(CLOCK_THREAD_CPUTIME_ID);
    for (std::size_t i = 0; i < kPages; ++i, next += page) *next = 1;
    round = RecordingClock::system_time(CLOCK_THREAD_CPUTIME_ID) - begin;
  }
  munmap(memory, size);
  std::nth_element(rounds.begin(), rounds.begin() + kRounds / 2, rounds.end());
  return Nanoseconds{static_cast<std::int64_t>(rounds[kRounds / 2] / kPages)};
}

Nanoseconds FirstTouches::in_call(std::uint64_t begin, std::uint64_t end, Nanoseconds inside,
                                  std::int64_t pages) noexcept {
  constexpr int kQuarter = 4;
  const std::int64_t touched = pages - pages_;
  const bool is_fresh = begin - std::min(begin, looked_) <= (end - begin) / kQuarter;
  look(end, pages);
  if (!is_fresh || touched < kFew) return {};
  const Nanoseconds took{std::min(touched * page_.value, inside.value / 10 * 9)};
  add_owned(time_, took);
  return took;
}

}  // namespace reprise::recorder
