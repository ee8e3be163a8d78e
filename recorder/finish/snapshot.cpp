// SPDX-License-Identifier: MIT
#include "recorder/finish/snapshot.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "recorder/capture/caller_state.hpp"
#include "trace-io/file/quick_bytes.hpp"

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

SnapshotPlan plan;

}  // namespace

void SnapshotPlan::begin(double now, double first) {
  if (first <= 0) return;
  began_ = last_ = now;
  interval_ = first;
  next_.store(now + first, std::memory_order_release);
}

bool SnapshotPlan::is_due(double now) {
  double due = next_.load(std::memory_order_relaxed);
  // One thread goes on; the others see a time far ahead.
  return due != 0 && now >= due && next_.compare_exchange_strong(due, now + kLongestInterval);
}

// What is recorded may grow by orders of magnitude from one to the next.
bool SnapshotPlan::is_too_large(std::size_t bytes, double now) {
  bytes_ = bytes;
  const double wanted =
      std::min(kLongestInterval, kCostRatio * static_cast<double>(bytes) * seconds_per_byte_);
  if (now - last_ >= wanted) return false;
  next_.store(last_ + wanted, std::memory_order_release);
  return true;
}

// A share of the time so far: what a rank that is killed loses, and with it all that have to meet it. Doubled intervals lost half of a run.
void SnapshotPlan::done(double begin, double end, bool written) {
  if (written) {
    last_ = end;
    if (bytes_ > 0) seconds_per_byte_ = (end - begin) / static_cast<double>(bytes_);
  }
  const double share = std::max(interval_, (end - began_) / kShareAtRisk);
  interval_ = std::max(std::min(share, kLongestInterval), kCostRatio * (end - begin));
  next_.store(written ? end + interval_ : begin, std::memory_order_release);
}

void plan_snapshots(Recording& recording) noexcept {
  plan.begin(seconds_now(), recording.settings.first_snapshot_s);
}

void look_for_snapshot(Recording& recording, ThreadRecorder& thread, std::uint64_t reading,
                       WritePart write) noexcept {
  const CallerStateHeld held;
  const RecordingClock& clock = recording.clock;
  const std::uint64_t begin = thread.last_end();
  const double now = seconds_now();
  recording.watch_sampling();
  if (plan.is_due(now) && !plan.is_too_large(thread.memory_bytes(), now)) {
    const std::uint64_t before = clock.now(thread.time, Interval::bookkeeping);
    recording.clock.recalibrate();
    const std::uint64_t calibrated = clock.now(thread.time, Interval::bookkeeping);
    bool rests = true;
    {
      std::vector<std::unique_lock<std::mutex>> locks;
      // With less than MPI_THREAD_MULTIPLE others may end meanwhile.
      rests = recording.try_pause(locks);
      if (rests) write(recording, false);
    }
    plan.done(now, seconds_now(), rests);
    reading = clock.now(thread.time, Interval::bookkeeping);
    thread.rare_time.calibration += clock.between(before, calibrated);
    thread.rare_time.snapshots += clock.between(calibrated, reading);
    thread.rare_time.snapshot_count += rests ? 1 : 0;
  }
  thread.leave_out(begin, clock.soon_after(thread.time, reading));
  thread.last_look = thread.last_end();
}

bool write_part(Recording& recording, bool complete) noexcept try {
  const auto bytes = trace_io::serialise_quickly(recording.trace(complete));
  mkdir(parts_folder(recording.settings).c_str(), 0777);
  return write_whole(part_path(recording.settings, recording.process.rank), bytes);
} catch (...) {
  return false;
}

void write_last_part(Recording& recording, int signal, std::uint64_t now) noexcept {
  recording.note_end(signal, now);
  recording.end_phases();
  write_part(recording, false);
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
