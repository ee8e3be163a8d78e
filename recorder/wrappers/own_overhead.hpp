// SPDX-License-Identifier: MIT
// What of the recorder's own work stands in compute times, measured: the part of a wrapper before its first and after its last reading of
// the clock, and what the program's caches have lost meanwhile.
//
// How     the benchmark of Farah, Schnorr and Vincent (trace-io/model/compensation.hpp): calls of nothing are recorded by the real
//         wrapper, with the real unwinder, on a recording that is thrown away, and between them some memory is walked through for as long as
//         the period asks; the same walks without calls are the reference. One replication is the difference of what the recorder took for
//         computing and of the reference, a call. Replications go on until their mean is positive and its standard error small, or the
//         time is over. Of the replications a quarter at either end is left out: a rank that lost its core spoils some. What interrupts add in the mean
//         is added to all points of a calibration alike.
// Parts   every other replication samples all its calls (wrapper_samples.hpp), to know what samples of the program's calls are to be compared with.
// Walk    at most kHead of it is a fixed amount of work, which takes longer where the recorder has emptied the caches; the rest of a
//         long period lasts until a time, and would hide the same at any length.
// Never calls MPI. REQUIRES: nothing is being recorded, no other thread is in MPI.
#pragma once

#include <array>
#include <cstdint>

#include "recorder/capture/recording.hpp"
#include "trace-io/model/compensation.hpp"

namespace reprise::recorder {

struct MeasuredOverhead {
  double period = 0, overhead = 0,
         error = 0;               // ns; period: what is recorded before and inside a call
  double wrappers = 0, rest = 0;  // ns: of the overhead, what samples find, and what is left of it
  int replications = 0;
  double recorded = 0,
         undisturbed =
             0;  // ns: of all replications, as they were, and each as the mean of the middle half
};

struct OverheadPlan {
  static constexpr Nanoseconds kHead{4096};
  Nanoseconds gap{};           // of walking between two calls
  Nanoseconds budget{};        // for this point, about
  Nanoseconds small_error{1};  // or a hundredth of the overhead
};

// One point. `settings`: how calls would be recorded.
MeasuredOverhead measure_overhead(const Settings&, const RecordingClock&, trace_io::OverheadKind,
                                  const OverheadPlan&);

// What a recording takes: some 5 ms. ns between two calls. Seldomer calls have the last one's overhead, which is below 1 % of their time.
inline constexpr std::array<std::int64_t, 5> kCalibratedGaps{0, 64, 256, 1024, 4096};
using CalibratedOverhead =
    std::array<std::array<MeasuredOverhead, kCalibratedGaps.size()>, trace_io::kOverheadKinds>;
CalibratedOverhead calibrate_overhead(const Settings&, const RecordingClock&);
// As curves, in whole nanoseconds, without the points whose standard error is above them, but for the first.
trace_io::Compensation compensation_by(const CalibratedOverhead&);
// Curves for the same points; none where nothing was sampled.
OverheadParts overhead_parts_by(const CalibratedOverhead&);

}  // namespace reprise::recorder
