// SPDX-License-Identifier: MIT
// Pools the times of a trace that keeps each call's own, so that sizes and replays can be compared over one recording.
//
// usage: time_pools IN OUT SHARE [KEPT [SPREAD]]    IN: recorded with --times each. SHARE: of the time that may be misplaced, in percent. KEPT: distributions at
//                                          which pooling stops (as the recorder's).
// SPREAD: a file for the same trace with each call's times written out.
// Prints the bytes of both files, the distributions, how many are in pools, the pools, and the shares of time pooled and misplaced.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "trace-io/file/trace_file.hpp"
#include "trace-io/merge/finalize.hpp"
#include "trace-io/merge/pool_choice.hpp"
#include "trace-io/model/time_pools.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

std::vector<double> sums_of(const Trace& trace, bool of_compute) {
  std::vector<double> sums;
  for_each_class(trace, [&](const DeltaClass& delta, bool is_compute) {
    if (is_compute == of_compute) sums.push_back(static_cast<double>(delta.durations.sum().value));
  });
  return sums;
}

double misplaced_percent(const Trace& before, const Trace& after, bool of_compute) {
  const auto own = sums_of(before, of_compute), pooled = sums_of(after, of_compute);
  double apart = 0, all = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    apart += std::abs(own[i] - pooled[i]);
    all += own[i];
  }
  return all > 0 ? 100 * apart / all : 0;
}

double percent(Nanoseconds part, Nanoseconds whole) {
  return whole.value > 0 ? 100 * static_cast<double>(part.value) / static_cast<double>(whole.value)
                         : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fputs("usage: time_pools IN OUT SHARE [KEPT [SPREAD]]\n", stderr);
    return 2;
  }
  const Trace own = load(argv[1]);
  Trace trace = own;
  pool_times(trace, std::atof(argv[3]) / 100,
             argc > 4 ? static_cast<std::size_t>(std::atol(argv[4])) : kTimesKept);
  round_durations(trace);
  save(trace, argv[2]);
  if (argc > 5) {  // as an older reprise can read it
    Trace spread = trace;
    release_pools(spread);
    save(spread, argv[5]);
  }
  const PooledTimes pooled = pooled_times(trace);
  std::printf(
      "bytes %ju -> %ju, distributions %ju, in pools %ju, pools %zu, of compute %.2f %% pooled, "
      "%.3f %% misplaced, of communicate %.2f %%, %.3f %%\n",
      std::uintmax_t{std::filesystem::file_size(argv[1])},
      std::uintmax_t{std::filesystem::file_size(argv[2])}, std::uintmax_t{pooled.classes},
      std::uintmax_t{pooled.pooled}, trace.pools.size(),
      percent(pooled.pooled_compute, pooled.compute), misplaced_percent(own, trace, true),
      percent(pooled.pooled_communicate, pooled.communicate), misplaced_percent(own, trace, false));
  return 0;
}
