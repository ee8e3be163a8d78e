// SPDX-License-Identifier: MIT
// `reprise-probe --recorder`: what the recorder adds to compute times here, by how often MPI is called (recorder/wrappers/own_overhead.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recorder/wrappers/own_overhead.hpp"

namespace reprise::probe {

struct CurvePoint {
  double frequency = 0;  // calls a second as asked for; 0: one after the other
  recorder::MeasuredOverhead measured;
};

struct RecorderCurve {
  std::string clock;                 // what reads the time: "counter", "monotonic", "thread CPU"
  std::vector<CurvePoint> calls[2];  // by OverheadKind, in the order of their frequencies
};

// From 10 to 10⁶ calls a second and as often as can be; about SECONDS, at least some 5. `cpu_time`: as recorded with --clock cpu.
RecorderCurve measure_recorder(bool cpu_time, double seconds);

std::string to_text(const RecorderCurve&);
std::string to_json(const RecorderCurve&);

}  // namespace reprise::probe
