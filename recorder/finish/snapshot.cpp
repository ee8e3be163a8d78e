// SPDX-License-Identifier: MIT
#include "recorder/finish/snapshot.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "trace-io/file/trace_file.hpp"

namespace reprise::recorder {
namespace {

std::string parts_folder(const Settings& settings) {
  return std::string(settings.output) + ".parts";
}
std::string part_path(const Settings& settings, int rank) {
  return parts_folder(settings) + "/rank-" + std::to_string(rank) + ".part";
}

// No sync: a part has to outlive the process, not the machine.
bool write_whole(const std::string& path, std::span<const std::byte> bytes) {
  const FileSizeSignalHeld held;
  const std::string beside = path + ".new";
  const int file = open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return false;
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written <= 0) break;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  close(file);
  if (bytes.empty() && std::rename(beside.c_str(), path.c_str()) == 0) return true;
  unlink(beside.c_str());
  return false;
}

double seconds_now() {
  return static_cast<double>(RecordingClock::system_time(CLOCK_MONOTONIC)) * 1e-9;
}

std::atomic<double> next_snapshot{0};  // 0: none planned yet
double interval = 0;                   // touched by the one thread that writes

}  // namespace

void snapshot_when_due(Recording& recording) noexcept {
  const double first = recording.settings.first_snapshot_s;
  if (first <= 0) return;
  const double now = seconds_now();
  double due = next_snapshot.load(std::memory_order_relaxed);
  if (due == 0) {
    interval = first;
    next_snapshot.store(now + first, std::memory_order_relaxed);
    return;
  }
  if (now < due) return;
  // One thread goes on; the others see a time far ahead.
  if (!next_snapshot.compare_exchange_strong(due, now + kLongestInterval)) return;
  recording.clock.recalibrate();
  bool rests = true;
  std::vector<std::unique_lock<std::mutex>> locks;
  if (handles().shared) rests = recording.try_pause(locks);
  if (rests) write_part(recording, false);
  locks.clear();
  const double after = seconds_now();
  interval = std::max(std::min(2 * interval, kLongestInterval), kCostRatio * (after - now));
  next_snapshot.store(rests ? after + interval : now, std::memory_order_relaxed);
}

bool write_part(Recording& recording, bool complete) noexcept try {
  const auto bytes = trace_io::serialise(recording.trace(complete));
  mkdir(parts_folder(recording.settings).c_str(), 0777);
  return write_whole(part_path(recording.settings, recording.process.rank), bytes);
} catch (...) {
  return false;
}

void remove_part(const Recording& recording) noexcept try {
  unlink(part_path(recording.settings, recording.process.rank).c_str());
} catch (...) {
}

void remove_parts_folder(const Recording& recording) noexcept try {
  rmdir(parts_folder(recording.settings).c_str());
} catch (...) {
}

void remove_stale_parts(const Settings& settings, int ranks) noexcept try {
  if (access(parts_folder(settings).c_str(), F_OK) != 0) return;
  for (int rank = 0; rank < ranks; ++rank) unlink(part_path(settings, rank).c_str());
} catch (...) {
}

}  // namespace reprise::recorder
