// SPDX-License-Identifier: MIT
#include "trace-io/check/times_apart.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace reprise::trace_io {
namespace {

constexpr std::int64_t kLongest = std::numeric_limits<std::int64_t>::max();

std::string text(Nanoseconds time) { return std::to_string(time.value) + " ns"; }

std::string curve_problem(const OverheadCurve& curve) {
  if (curve.empty() || curve.size() > kMostOverheadPoints)
    return std::to_string(curve.size()) + " points, 1 to " + std::to_string(kMostOverheadPoints) +
           " can be";
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const OverheadPoint& point = curve[i];
    if (point.period.value < 0 || point.overhead.value < 0 || point.error.value < 0)
      return "a negative time";
    if (i > 0 && point.period <= curve[i - 1].period) return "not in the order of the periods";
  }
  return "";
}

// TIME, of COUNT calls, is at most what the curves take off them; in double precision, for the product may be large.
bool is_covered(Nanoseconds time, std::uint64_t count, Nanoseconds largest) {
  return time.value >= 0 && static_cast<double>(time.value) <=
                                static_cast<double>(count) * static_cast<double>(largest.value);
}

}  // namespace

std::string compensation_problem(const Trace& trace) {
  const auto row = std::ranges::find(trace.times_apart, TimeApart::compensation, &ApartTime::what);
  if (!trace.compensation)
    return row == trace.times_apart.end() ? "" : "time was taken off without overhead curves";
  if (row == trace.times_apart.end()) return "overhead curves without what was taken off";
  const Compensation& all = *trace.compensation;
  Nanoseconds largest{};
  for (std::size_t kind = 0; kind < kOverheadKinds; ++kind) {
    const OverheadCurve& curve = all.curves[kind];
    const std::string problem = curve_problem(curve);
    if (!problem.empty())
      return "the curve of " + std::string(name_of(static_cast<OverheadKind>(kind))) + ": " +
             problem;
    for (const OverheadPoint& point : curve) largest = std::max(largest, point.overhead);
  }
  if (!is_covered(row->time, row->count, largest))
    return text(row->time) + " taken off " + std::to_string(row->count) + " times, at most " +
           text(largest) + " each can be";
  if (all.clamped_count > row->count || !is_covered(all.clamped_time, all.clamped_count, largest))
    return text(all.clamped_time) + " clamped in " + std::to_string(all.clamped_count) + " of " +
           std::to_string(row->count) + " times, at most " + text(largest) + " each can be";
  const auto threads = static_cast<std::int64_t>(std::max<std::size_t>(trace.threads.size(), 1));
  const Nanoseconds elapsed = trace.header.elapsed;
  if (elapsed.value > 0 && row->most.value.value / threads > elapsed.value)
    return text(row->most.value) + " taken off on rank " + std::to_string(row->most.rank.value) +
           ", more than the " + text(elapsed) + " of the run";
  return "";
}

std::string preemptions_problem(const Trace& trace) {
  if (!trace.preemptions) return "";
  std::uint64_t ranks_count = 0, count = 0;
  std::int64_t ranks_time = 0, time = 0;
  Rank next{0};
  for (const RankPreemptions& row : trace.preemptions->ranks) {
    if (row.rank < next || row.rank.value >= trace.header.ranks)
      return "not ascending, or beyond the job's " + std::to_string(trace.header.ranks);
    if (row.count == 0 || row.time.value < 0 || row.compute.value < 0 ||
        row.time.value > kLongest - ranks_time)
      return "rank " + std::to_string(row.rank.value) +
             " without preemptions, or of a time that cannot be";
    next = Rank{row.rank.value + 1};
    ranks_count += row.count;
    ranks_time += row.time.value;
  }
  std::uint32_t octave = 0;
  for (const PreemptionOctave& row : trace.preemptions->durations) {
    if (row.octave < octave || row.octave >= kPreemptionOctaves)
      return "durations not ascending, or beyond the octaves";
    if (row.count == 0 || row.time.value < 0 || row.time.value > kLongest - time)
      return "octave " + std::to_string(row.octave) +
             " without preemptions, or of a time that cannot be";
    const auto mean = static_cast<std::uint64_t>(row.time.value) / row.count;
    const bool fits = row.octave + 1 == kPreemptionOctaves
                          ? mean >> (row.octave - 1) != 0
                          : static_cast<std::uint32_t>(std::bit_width(mean)) == row.octave;
    if (!fits) return "durations that are not of their octave " + std::to_string(row.octave);
    octave = row.octave + 1;
    count += row.count;
    time += row.time.value;
  }
  if (count != ranks_count || time != ranks_time)
    return "durations that do not add up to those of the ranks";
  return "";
}

}  // namespace reprise::trace_io
