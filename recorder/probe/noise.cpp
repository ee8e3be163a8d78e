// SPDX-License-Identifier: MIT
#include "recorder/probe/noise.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
#include <type_traits>

namespace reprise::probe {
namespace {

constexpr std::uint64_t kDetour = 9;  // as Beckman et al.

std::uint64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(time.tv_nsec);
}

// The least distance of two readings, ns.
std::uint64_t usual_distance() {
  constexpr int kReadings = 100'000;
  std::uint64_t least = ~std::uint64_t{0}, before = now();
  for (int i = 0; i < kReadings; ++i) {
    const std::uint64_t reading = now();
    least = std::min(least, std::max<std::uint64_t>(reading - before, 1));
    before = reading;
  }
  return least;
}

void take_detours(double seconds, CoreNoise& noise) {
  const std::uint64_t distance = usual_distance(), begin = now();
  const std::uint64_t end = begin + static_cast<std::uint64_t>(seconds * 1e9);
  std::uint64_t before = begin, last_detour = 0;
  while (before < end) {
    const std::uint64_t reading = now(), apart = reading - before;
    if (apart > kDetour * distance) {
      const std::uint64_t took = apart - distance;
      auto& octave = noise.octaves[std::min<std::size_t>(
          static_cast<std::size_t>(std::bit_width(took)), noise.octaves.size() - 1)];
      octave.count += 1;
      octave.seconds += static_cast<double>(took) * 1e-9;
      if (last_detour != 0) {
        const double interval = static_cast<double>(before - last_detour) * 1e-9;
        noise.interval += interval;
        noise.interval_squares += interval * interval;
      }
      last_detour = before;
    }
    before = reading;
  }
  noise.seconds = static_cast<double>(before - begin) * 1e-9;
}

void take_quanta(double seconds, CoreNoise& noise) {
  constexpr int kQuantum = 400'000;  // additions: some tenths of a millisecond
  const std::uint64_t end = now() + static_cast<std::uint64_t>(seconds * 1e9);
  double sum = 0, least = std::numeric_limits<double>::infinity(), count = 0;
  volatile std::uint64_t result = 0;
  for (std::uint64_t before = now(); before < end;) {
    std::uint64_t value = result;
    for (int i = 0; i < kQuantum; ++i) value = value * 6364136223846793005u + 1442695040888963407u;
    result = value;
    const std::uint64_t reading = now();
    const auto took = static_cast<double>(reading - before);
    sum += took;
    least = std::min(least, took);
    count += 1;
    before = reading;
  }
  noise.quantum_excess = count > 0 ? sum / count / least - 1 : 0;
}

template <class... Value>
std::string printed(const char* form, Value... value) {
  char text[256];
  std::snprintf(text, sizeof text, form, value...);
  return text;
}

std::string quoted_name(const std::string& text) {
  std::string made = "\"";
  for (const char c : text)
    if (c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20) made += c;
  return made + '"';
}

}  // namespace

double CoreNoise::count() const {
  double sum = 0;
  for (const Octave& octave : octaves) sum += octave.count;
  return sum;
}

double CoreNoise::taken() const {
  double sum = 0;
  for (const Octave& octave : octaves) sum += octave.seconds;
  return sum;
}

bool MachineNoise::is_periodic() const {
  double intervals = 0, sum = 0, squares = 0;
  for (const CoreNoise& core : cores) {
    intervals += std::max(0.0, core.count() - 1);
    sum += core.interval;
    squares += core.interval_squares;
  }
  if (intervals < 2 || sum <= 0) return false;
  const double mean = sum / intervals, variance = squares / intervals - mean * mean;
  constexpr double kRegular = 0.5;
  return variance < kRegular * kRegular * mean * mean;
}

MachineNoise measure_noise(double seconds, MPI_Comm comm) {
  static_assert(std::is_trivially_copyable_v<CoreNoise>);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  CoreNoise own;
  MPI_Barrier(comm);
  take_detours(seconds, own);
  take_quanta(seconds / 2, own);
  MachineNoise machine;
  machine.seconds = seconds;
  machine.cores.resize(rank == 0 ? static_cast<std::size_t>(ranks) : 0);
  constexpr int kDoubles = sizeof(CoreNoise) / sizeof(double);
  static_assert(sizeof(CoreNoise) == kDoubles * sizeof(double));
  MPI_Gather(&own, kDoubles, MPI_DOUBLE, machine.cores.data(), kDoubles, MPI_DOUBLE, 0, comm);
  return machine;
}

std::string to_text(const MachineNoise& machine) {
  std::string text =
      "core   detours a second   mean       time taken   fixed work quanta, mean over least\n";
  for (std::size_t i = 0; i < machine.cores.size(); ++i) {
    const CoreNoise& core = machine.cores[i];
    const double count = core.count();
    text += printed("%4zu %18.1f %9.2f us %9.3f %% %17.3f %%\n", i, count / core.seconds,
                    count > 0 ? core.taken() / count * 1e6 : 0, 100 * core.taken() / core.seconds,
                    100 * core.quantum_excess);
  }
  return text;
}

std::string to_json(const MachineNoise& machine) {
  std::string text =
      "{\n  \"format\": 1,\n  \"measured_by\": \"reprise-probe --noise\",\n  \"date\": " +
      quoted_name(machine.date) + ",\n  \"host\": " + quoted_name(machine.host) +
      ",\n  \"for\": " + printed("\"%g s\"", machine.seconds) + ",\n  \"arrivals\": \"" +
      (machine.is_periodic() ? "periodic" : "random") + "\",\n  \"cores\": [";
  for (std::size_t i = 0; i < machine.cores.size(); ++i) {
    const CoreNoise& core = machine.cores[i];
    const double count = core.count();
    text += (i > 0 ? ",\n    {" : "\n    {") + printed("\"core\": %zu", i);
    // interruptions come in a rank's computing time, so the time that they take themselves is left out
    if (count > 0)
      text += printed(", \"every\": \"%.6g us\"", (core.seconds - core.taken()) / count * 1e6);
    text += ", \"durations\": [";
    const char* before = "";
    for (const CoreNoise::Octave& octave : core.octaves) {
      if (octave.count == 0) continue;
      text += before + printed("\n      {\"share\": %.9g, \"duration\": \"%.6g us\"}",
                               octave.count / count, octave.seconds / octave.count * 1e6);
      before = ",";
    }
    text += "]}";
  }
  return text + "\n  ]\n}\n";
}

}  // namespace reprise::probe
