// SPDX-License-Identifier: MIT
#include "recorder/wrappers/recorder_report.hpp"

#include <sys/stat.h>

#include <array>
#include <cstdio>

#include "recorder/capture/handles.hpp"
#include "trace-io/model/unseen_time.hpp"

namespace reprise::recorder {
namespace {

double milliseconds(Nanoseconds time) { return static_cast<double>(time.value) * 1e-6; }

// Null where it is looked for.
const char* why_preemption_is_not_seen(Watch watch) {
  switch (watch) {
    case Watch::on:
      return nullptr;
    case Watch::unwanted:
      return "REPRISE_PREEMPTION is none";
    case Watch::no_rseq:
      return "rseq is not available";
    case Watch::no_waits:
      return "the kernel does not report waiting";
    case Watch::other_cpu_clock:
      return "the CPU clock is not the kernel's";
  }
  return nullptr;
}

}  // namespace

void tell_of_other_library(const char* compiled_for, std::string_view version) {
  const std::string_view found = version.substr(0, version.find_first_of(",\n"));
  std::fprintf(stderr,
               "reprise: warning: this recorder is for %s but the program uses \"%.*s\", nothing "
               "is recorded\n",
               compiled_for, static_cast<int>(found.size()), found.data());
}

void tell_of_absent_ranks(double patience) {
  std::fprintf(
      stderr,
      "reprise: error: some ranks have not loaded the recorder within %g s (REPRISE_WAIT), "
      "nothing is recorded\n  preload it on every rank, from a path that exists on every node\n",
      patience);
}

std::string own_time_of_ranks(const Recording& recording, MPI_Comm comm) {
  const RecorderTime time = recording.recorder_time();
  const std::array<double, 6> own{milliseconds(time.snapshots),
                                  milliseconds(time.calibration),
                                  milliseconds(time.folding),
                                  static_cast<double>(time.snapshot_count),
                                  static_cast<double>(time.long_appends),
                                  milliseconds(time.long_folding)};
  std::array<double, 6> mean{}, largest{};
  PMPI_Reduce(own.data(), mean.data(), 6, MPI_DOUBLE, MPI_SUM, 0, comm);
  PMPI_Reduce(own.data(), largest.data(), 6, MPI_DOUBLE, MPI_MAX, 0, comm);
  for (double& value : mean) value /= recording.process.ranks;
  char text[384];
  std::snprintf(
      text, sizeof text,
      "the recorder's own time per rank, mean and largest: %.0f snapshots %.3f ms, %.3f ms; "
      "calibration %.3f ms, %.3f ms; folding %.3f ms, %.3f ms; of that %.0f long searches and "
      "growing tables %.3f ms, %.3f ms",
      largest[3], mean[0], largest[0], mean[1], largest[1], mean[2], largest[2], largest[4],
      mean[5], largest[5]);
  return text;
}

std::string preemption_of_ranks(const Recording& recording, MPI_Comm comm) {
  const Preemptions own = recording.preemptions();
  struct {
    double share;
    int rank;
  } mine{own.share(), recording.process.rank}, largest{};
  const std::array<double, 6> ours{
      static_cast<double>(own.count),   milliseconds(own.excess),
      milliseconds(own.compute),        static_cast<double>(own.unknown),
      static_cast<double>(own.clamped), milliseconds(own.clamped_time)};
  std::array<double, 6> sum{};
  PMPI_Reduce(ours.data(), sum.data(), 6, MPI_DOUBLE, MPI_SUM, 0, comm);
  PMPI_Reduce(&mine, &largest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, 0, comm);
  if (const char* reason = why_preemption_is_not_seen(recording.clock.watch()))
    return std::string("preemption is not detected: ") + reason;
  const double total = sum[1] + sum[2];
  char text[256];
  std::snprintf(
      text, sizeof text,
      "preemption: %.0f compute times, %.3f ms subtracted from them, %.2f %% of computing, at most "
      "%.2f %% on rank %d, not known of %.0f, clamped at 0 %.0f by %.3f ms",
      sum[0], sum[1], total > 0 ? 100 * sum[1] / total : 0, 100 * largest.share, largest.rank,
      sum[3], sum[4], sum[5]);
  return text;
}

void tell_of_trace(const Recording& recording) {
  struct stat facts {};
  const char* const path = recording.settings.output;
  const long long bytes = stat(path, &facts) == 0 ? static_cast<long long>(facts.st_size) : 0;
  std::fprintf(stderr, "reprise: recorded %d ranks in %lld bytes: %s\n", recording.process.ranks,
               bytes, path);
}

void note_unseen_preemption(Recording& recording) noexcept try {
  const Watch watch = recording.clock.watch();
  if (watch == Watch::no_rseq || watch == Watch::no_waits)
    recording.losses.add(
        std::string("ranks whose preemption is not detected: ") + why_preemption_is_not_seen(watch),
        trace_io::Severity::notice, {});
  else if (const std::uint64_t unknown = recording.preemptions().unknown; unknown != 0)
    recording.losses.add("times whose preemption is not detected: the program uses rseq",
                         trace_io::Severity::notice, {}, unknown);
} catch (...) {  // out of memory: the trace goes without
}

void note_packed_buffers(Recording& recording) noexcept try {
  const HandlesLock lock;
  if (handles().scattered_buffers > 0)
    recording.losses.add(trace_io::kPackedBuffers, trace_io::Severity::notice, {},
                         handles().scattered_buffers);
} catch (...) {  // likewise
}

}  // namespace reprise::recorder
