// SPDX-License-Identifier: MIT
#include "recorder/probe/recorder_curve.hpp"

#include <algorithm>
#include <cstdio>

namespace reprise::probe {
namespace {

constexpr double kFrequencies[] = {10, 30, 100, 300, 1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6, 0};

std::string name_of(recorder::ClockSource source) {
  switch (source) {
    case recorder::ClockSource::counter:
      return "counter";
    case recorder::ClockSource::thread_cpu:
      return "thread CPU";
    default:
      return "monotonic";
  }
}

template <class... Value>
std::string formatted(const char* form, Value... value) {
  char text[256];
  std::snprintf(text, sizeof text, form, value...);
  return text;
}

std::string kind_name(std::size_t kind) {
  return std::string(trace_io::name_of(static_cast<trace_io::OverheadKind>(kind)));
}

}  // namespace

RecorderCurve measure_recorder(bool cpu_time, double seconds) {
  recorder::Settings settings;
  settings.clock = cpu_time ? trace_io::Clock::cpu : trace_io::Clock::wall;
  recorder::RecordingClock clock;
  clock.begin_calibration();
  clock.choose(cpu_time, settings.see_preemption);
  RecorderCurve curve;
  curve.clock = name_of(clock.source());
  const double each = seconds / (2 * std::size(kFrequencies));
  for (std::size_t kind = 0; kind < trace_io::kOverheadKinds; ++kind)
    for (const double frequency : kFrequencies) {
      const recorder::OverheadPlan plan{
          Nanoseconds{frequency > 0 ? static_cast<std::int64_t>(1e9 / frequency) : 0},
          Nanoseconds{static_cast<std::int64_t>(each * 1e9)}};
      curve.calls[kind].push_back(
          {frequency,
           measure_overhead(settings, clock, static_cast<trace_io::OverheadKind>(kind), plan)});
    }
  return curve;
}

std::string to_text(const RecorderCurve& curve) {
  std::string text =
      "Recorder overhead on the compute time before a call, by call rate (clock: " + curve.clock +
      ").\n";
  for (std::size_t kind = 0; kind < trace_io::kOverheadKinds; ++kind) {
    text += "\nbefore a " + kind_name(kind) +
            "\n   calls a second   overhead, standard error   replications\n";
    for (const CurvePoint& point : curve.calls[kind]) {
      const auto& measured = point.measured;
      text += (point.frequency > 0 ? formatted("%17.0f", point.frequency)
                                   : std::string("  back to back   ")) +
              formatted("%11.1f ns %9.1f ns %14d\n", measured.overhead, measured.error,
                        measured.replications);
    }
  }
  return text;
}

std::string to_json(const RecorderCurve& curve) {
  std::string text =
      "{\n  \"format\": 1,\n  \"measured_by\": \"reprise-probe --recorder\",\n  \"clock\": \"" +
      curve.clock + "\",\n  \"curves\": {";
  for (std::size_t kind = 0; kind < trace_io::kOverheadKinds; ++kind) {
    text += (kind > 0 ? ",\n    \"" : "\n    \"") + kind_name(kind) + "\": [";
    const char* before = "\n";
    for (const CurvePoint& point : curve.calls[kind]) {
      const auto& measured = point.measured;
      text +=
          before + formatted(
                       "      {\"calls_per_s\": %.10g, \"period_s\": %.4e, \"overhead_s\": %.4e, "
                       "\"error_s\": %.4e, \"replications\": %d}",
                       point.frequency, measured.period * 1e-9, measured.overhead * 1e-9,
                       measured.error * 1e-9, measured.replications);
      before = ",\n";
    }
    text += "\n    ]";
  }
  return text + "\n  }\n}\n";
}

}  // namespace reprise::probe
