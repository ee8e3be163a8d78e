// SPDX-License-Identifier: MIT
#include "recorder/probe/measurement.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>

namespace reprise::probe {
namespace {

// The clock resolves some ten nanoseconds; a scheduler's time slice is a few milliseconds.
constexpr double kSampleSeconds = 40e-6;
constexpr double kMostInner = 200, kFewestRepetitions = 11, kMostRepetitions = 4000;

double quantile(const std::vector<double>& sorted, double q) {
  return sorted[static_cast<std::size_t>(std::llround(q * static_cast<double>(sorted.size() - 1)))];
}

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return made + '"';
}

void write_series(std::FILE* file, const Series& series, bool is_last) {
  std::fprintf(file, "    {\"what\": %s, \"path\": %s, \"pairs\": %d, ",
               quoted(series.what).c_str(), quoted(series.path).c_str(), series.pairs);
  if (series.after_s >= 0) std::fprintf(file, "\"after_s\": %.3e, ", series.after_s);
  std::fprintf(file, "\"rows\": [");
  const char* before = "\n";
  for (const Row& row : series.rows) {
    std::fprintf(file,
                 "%s      {\"bytes\": %" PRIu64
                 ", \"median_s\": %.6e, \"low_s\": %.6e, \"high_s\": %.6e, \"samples\": %zu}",
                 before, row.bytes, row.time.median_s, row.time.low_s, row.time.high_s,
                 row.time.samples);
    before = ",\n";
  }
  std::fprintf(file, "\n    ]}%s\n", is_last ? "" : ",");
}

}  // namespace

Summary summarise(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return {quantile(samples, 0.1), quantile(samples, 0.5), quantile(samples, 0.9), samples.size()};
}

Repetitions plan(double estimate_s, double budget_s) {
  const double one = std::max(estimate_s, 1e-9);
  const double inner = std::clamp(std::floor(kSampleSeconds / one), 1.0, kMostInner);
  const double samples =
      std::clamp(std::floor(budget_s / (one * inner)), kFewestRepetitions, kMostRepetitions);
  return {static_cast<int>(inner), static_cast<int>(samples)};
}

Reference usual_state(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  std::size_t first = 0, most = 0;
  for (std::size_t begin = 0, end = 0; begin < times.size(); ++begin) {
    while (end < times.size() && times[end] <= times[begin] * Reference::kSameState) ++end;
    if (end - begin > most) {
      first = begin;
      most = end - begin;
    }
  }
  Reference found;
  found.time_s = times[first + (most - 1) / 2];
  found.low_s = times.front();
  found.high_s = times.back();
  found.share = static_cast<double>(most) / static_cast<double>(times.size());
  return found;
}

bool write(const Measurement& measurement, const std::string& path) {
  std::FILE* file = path == "-" ? stdout : std::fopen(path.c_str(), "w");
  if (file == nullptr) return false;
  std::fprintf(file,
               "{\n  \"format\": 1,\n  \"measured_by\": \"reprise-probe\",\n  \"date\": %s,\n  "
               "\"host\": %s,\n  \"mpi_library\": %s,\n",
               quoted(measurement.date).c_str(), quoted(measurement.host).c_str(),
               quoted(measurement.mpi_library).c_str());
  std::fprintf(file, "  \"ranks\": %d,\n  \"nodes\": %d,\n  \"cores\": %d,\n  \"eager_limits\": [",
               measurement.ranks, measurement.nodes, measurement.cores);
  const char* before = "";
  for (const EagerLimit& limit : measurement.eager_limits) {
    std::fprintf(
        file, "%s{\"path\": %s, \"bytes\": %" PRIu64 ", \"is_bound\": %s, \"is_asynchronous\": %s}",
        before, quoted(limit.path).c_str(), limit.bytes, limit.is_bound ? "true" : "false",
        limit.is_asynchronous ? "true" : "false");
    before = ", ";
  }
  std::fprintf(file, "],\n  \"references\": [");
  before = "";
  for (const Reference& reference : measurement.references) {
    std::fprintf(file,
                 "%s{\"path\": %s, \"bytes\": %" PRIu64
                 ", \"time_s\": %.6e, \"low_s\": %.6e, \"high_s\": %.6e, \"share\": %.3f, "
                 "\"other_rows\": %" PRIu64 "}",
                 before, quoted(reference.path).c_str(), Reference::kBytes, reference.time_s,
                 reference.low_s, reference.high_s, reference.share, reference.other_rows);
    before = ", ";
  }
  std::fprintf(file, "],\n  \"not_measured\": %" PRIu64 ",\n  \"series\": [\n",
               measurement.not_measured);
  std::vector<const Series*> measured;
  for (const Series& series : measurement.series)
    if (!series.rows.empty()) measured.push_back(&series);
  for (const Series* series : measured) write_series(file, *series, series == measured.back());
  std::fprintf(file, "  ]\n}\n");
  bool fine = std::ferror(file) == 0;
  if (file == stdout) return std::fflush(file) == 0 && fine;
  return std::fclose(file) == 0 && fine;
}

}  // namespace reprise::probe
