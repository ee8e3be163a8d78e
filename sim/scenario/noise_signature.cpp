// SPDX-License-Identifier: MIT
#include "sim/scenario/noise_signature.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

#include "platforms/json/document.hpp"
#include "platforms/json/document_kind.hpp"
#include "platforms/json/object_reader.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::sim {
namespace {

// "33.826 ms"
std::string milliseconds(Nanoseconds time) {
  constexpr std::int64_t kMicrosecond = 1000, kThousand = 1000;
  const std::int64_t us = (time.value + kMicrosecond / 2) / kMicrosecond;
  return std::to_string(us / kThousand) + "." +
         std::to_string(kThousand + us % kThousand).substr(1) + " ms";
}

using platforms::JsonPlace;
using platforms::ObjectReader;

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kShortestPeriod = 1e-6;  // s, as of noise in scenarios
constexpr std::array<std::string_view, 7> kFileKeys{"format", "measured_by", "date", "host",
                                                    "for",    "arrivals",    "cores"};
constexpr std::array<std::string_view, 3> kCoreKeys{"core", "every", "durations"};
constexpr std::array<std::string_view, 2> kDurationKeys{"share", "duration"};
constexpr std::array<std::string_view, 2> kArrivals{"periodic", "random"};
constexpr std::uint64_t kMostCores = 1 << 20;

std::string counted(std::uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

NoisePattern read_core(const nlohmann::json& value, JsonPlace place) {
  ObjectReader reader(value, std::move(place), kCoreKeys);
  reader.count("core", 0, kMostCores);
  NoisePattern pattern;
  const nlohmann::json& durations = reader.list("durations", 0);
  pattern.every = durations.empty() ? kNever : reader.seconds("every").value;
  if (durations.empty() && reader.has("every"))
    reader.refuse("every", "without durations", "a core without interruptions has neither");
  if (pattern.every < kShortestPeriod)
    reader.refuse("every", to_text(Seconds{pattern.every}) + " is less than 1 us");
  double share = 0;
  for (std::size_t i = 0; i < durations.size(); ++i) {
    ObjectReader row(durations[i], reader.place().child("durations").child(i), kDurationKeys);
    share += row.factor("share");
    const double duration = row.seconds("duration").value;
    if (duration <= 0) row.refuse("duration", "not above zero");
    row.finish();
    pattern.durations.push_back({share, duration});
  }
  constexpr double kClose = 1e-3;  // shares are written with a few digits
  if (!durations.empty() && std::abs(share - 1) > kClose)
    reader.refuse("durations", "shares that add up to " + nlohmann::json(share).dump() + ", not 1");
  if (!durations.empty()) pattern.durations.back().up_to = 1;
  reader.finish();
  return pattern;
}

NamedNoise read_signature(const std::string& path, const std::string& where) {
  const platforms::Document document = platforms::load_json(path);
  refuse_other_kind(document, platforms::DocumentKind::noise);
  ObjectReader reader(document.value, {document.file, ""}, kFileKeys);
  reader.expect_format_1();
  if (const auto by = reader.text("measured_by"); by != "reprise-probe --noise")
    reader.refuse("measured_by", "\"" + by + "\" is not the probe of noise",
                  "measure with: mpirun -n CORES reprise-probe --noise -o FILE; noise that was not "
                  "measured is a change of a scenario (--scenario): {\"noise\": {\"every\": \"10 "
                  "ms\", \"duration\": \"100 us\", \"arrivals\": \"random\"}}");
  reader.text("date");
  reader.seconds("for");
  NamedNoise named;
  NoiseChange& change = named.change.emplace();
  change.where = where;
  change.arrivals = static_cast<NoiseChange::Arrivals>(reader.choice("arrivals", kArrivals));
  change.patterns_are = NoiseChange::Patterns::of_cores;
  const nlohmann::json& cores = reader.list("cores", 1);
  for (std::size_t i = 0; i < cores.size(); ++i)
    change.patterns.push_back(read_core(cores[i], reader.place().child("cores").child(i)));
  named.told = "noise of " + counted(cores.size(), "core") + " of " + reader.text("host") + " (" +
               std::filesystem::path(path).filename().string() + ")";
  reader.finish();
  return named;
}

NamedNoise recorded_noise(const trace_io::Trace& trace, const std::string& where) {
  if (!trace.preemptions)
    throw InputError(where, "the trace has no record of preemption",
                     std::string(trace.header.clock == trace_io::Clock::wall
                                     ? "its wall-clock times include any preemption; "
                                     : "") +
                         "record it on Linux with rseq, or give the noise signature of a machine");
  const trace_io::PreemptionRecord& record = *trace.preemptions;
  NamedNoise named;
  if (record.ranks.empty()) {
    named.told = "noise as recorded: no rank was preempted";
    return named;
  }
  std::uint64_t count = 0;
  Nanoseconds time{};
  for (const auto& row : record.durations) {
    count += row.count;
    time += row.time;
  }
  std::vector<DurationShare> durations;
  std::uint64_t below = 0;
  for (const auto& row : record.durations) {
    below += row.count;
    durations.push_back({static_cast<double>(below) / static_cast<double>(count),
                         row.time.seconds().value / static_cast<double>(row.count)});
  }
  NoiseChange& change = named.change.emplace();
  change.where = where;
  change.patterns_are = NoiseChange::Patterns::of_ranks;
  change.patterns.resize(static_cast<std::size_t>(trace.header.ranks), {kNever, {}, 0, 0});
  for (const auto& row : record.ranks) {
    NoisePattern& pattern = change.patterns[static_cast<std::size_t>(row.rank.value)];
    pattern.count = row.count;
    pattern.total = row.time.seconds().value;
    pattern.every =
        std::max(row.compute.seconds().value / static_cast<double>(row.count), kShortestPeriod);
    pattern.durations = durations;
  }
  named.told = "noise as recorded: " + counted(count, "preemption") + " of " + milliseconds(time) +
               " in all, on " + counted(record.ranks.size(), "rank");
  return named;
}

}  // namespace

NamedNoise named_noise(const std::string& name, const trace_io::Trace& trace,
                       const std::string& where) {
  if (name == "none") return {};
  return name == "recorded" ? recorded_noise(trace, where) : read_signature(name, where);
}

}  // namespace reprise::sim
