// SPDX-License-Identifier: MIT
#include "recorder/capture/cpu_since_load.hpp"

#include <cstdint>
#include <ctime>

#include "recorder/capture/clock.hpp"

namespace reprise::recorder {
namespace {

std::uint64_t process_cpu() noexcept {
  return RecordingClock::system_time(CLOCK_PROCESS_CPUTIME_ID);
}

// A plain number: the constructor may run before those of this library's other files.
std::uint64_t cpu_when_loaded = 0;

[[gnu::constructor]] void note_load() noexcept { cpu_when_loaded = process_cpu(); }

}  // namespace

Nanoseconds cpu_since_load() noexcept {
  const std::uint64_t now = process_cpu();
  return Nanoseconds{
      static_cast<std::int64_t>(now >= cpu_when_loaded ? now - cpu_when_loaded : now)};
}

}  // namespace reprise::recorder
