// SPDX-License-Identifier: MIT
// Text of the OSU micro-benchmarks, versions 3 to 7 (https://mvapich.cse.ohio-state.edu/benchmarks): a line "# OSU MPI … Test v5.6.2",
// lines of column titles, then rows of size and value: microseconds, or 10⁶ bytes per second.
#include <algorithm>
#include <array>
#include <filesystem>

#include "platforms/calibration/measurements.hpp"
#include "platforms/calibration/text_files.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

using What = Series::What;

struct Benchmark {
  std::string_view title, name;  // "Latency Test": what follows "OSU MPI" or "OSU MPI-CUDA"
  What what;
  bool is_rate;
};
constexpr std::array kBenchmarks{
    Benchmark{"Latency Test", "osu_latency", What::kOneWay, false},
    Benchmark{"Multi Latency Test", "osu_multi_lat", What::kOneWay, false},
    Benchmark{"Bandwidth Test", "osu_bw", What::kStream, true},
    Benchmark{"Bi-Directional Bandwidth Test", "osu_bibw", What::kBothWays, true},
    Benchmark{"Allreduce Latency Test", "osu_allreduce", What::kOther, false},
    Benchmark{"Reduce Latency Test", "osu_reduce", What::kOther, false},
    Benchmark{"All-to-All Personalized Exchange Latency Test", "osu_alltoall", What::kOther, false},
    Benchmark{"All-to-All Latency Test", "osu_alltoall", What::kOther, false},
    Benchmark{"Allgather Latency Test", "osu_allgather", What::kOther, false},
    Benchmark{"Broadcast Latency Test", "osu_bcast", What::kOther, false},
    Benchmark{"Barrier Latency Test", "osu_barrier", What::kOther, false},
    Benchmark{"Gather Latency Test", "osu_gather", What::kOther, false},
    Benchmark{"Scatter Latency Test", "osu_scatter", What::kOther, false},
    Benchmark{"Reduce_scatter Latency Test", "osu_reduce_scatter", What::kOther, false},
};

// The title without what stands around it: "# OSU MPI-CUDA Latency Test v7.2" → "Latency Test".
std::string title_of(const std::string& line) {
  const std::size_t mark = line.find("OSU MPI");
  if (line[0] != '#' || mark == std::string::npos) return "";
  const std::size_t begin = line.find(' ', mark + 4);
  const std::size_t end = line.find(" Test", mark);
  if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
  return line.substr(begin + 1, end + 5 - begin - 1);
}

const Benchmark& benchmark_of(const TableLine& line, const std::string& name) {
  const std::string title = title_of(line.text);
  const auto found = std::find_if(kBenchmarks.begin(), kBenchmarks.end(),
                                  [&](const Benchmark& one) { return one.title == title; });
  if (found != kBenchmarks.end()) return *found;
  throw InputError(name + ":" + std::to_string(line.number),
                   "\"" + title + "\" is no OSU benchmark that is understood",
                   "osu_latency, osu_multi_lat, osu_bw, osu_bibw and blocking collectives are");
}

}  // namespace

Measurements parse_osu(const std::string& text, const std::string& name, Path of) {
  Measurements measured;
  bool is_rate = false;
  for (const TableLine& line : lines_of(text)) {
    const auto refuse = [&](const std::string& problem, const std::string& hint = "") {
      throw InputError(name + ":" + std::to_string(line.number), problem, hint);
    };
    if (line.text.empty()) continue;
    if (line.text[0] == '#') {
      if (line.text.find("OSU MPI") == std::string::npos) continue;
      const Benchmark& benchmark = benchmark_of(line, name);
      is_rate = benchmark.is_rate;
      measured.series.push_back(
          {benchmark.what,
           of,
           1,
           std::string(benchmark.name),
           std::filesystem::path(name).filename().string() + ", " + std::string(benchmark.name),
           {}});
      continue;
    }
    if (measured.series.empty()) {
      // mpirun and batch systems may write in front of the table; numbers there would have no meaning.
      if (!numbers_of(line.text).empty())
        refuse("numbers before any line \"# OSU MPI … Test\"", "keep the benchmark's own heading");
      continue;
    }
    const auto numbers = numbers_of(line.text);
    Series& series = measured.series.back();
    if (series.name == "osu_barrier") continue;  // one value without a size
    if (numbers.size() < 2)
      refuse("expected a size and a value, found \"" + line.text.substr(0, 60) + "\"");
    if (numbers[0] < 0 || numbers[0] != static_cast<double>(static_cast<std::uint64_t>(numbers[0])))
      refuse("the size is no whole number");
    if (numbers[1] <= 0)
      refuse("the value is not above zero", "the run was too short for the benchmark's clock");
    const Bytes bytes{static_cast<std::uint64_t>(numbers[0])};
    if (!series.samples.empty() && bytes <= series.samples.back().bytes)
      refuse("the size is not above the one before it");
    const double per_message = series.what == What::kBothWays
                                   ? 2 * numbers[0]
                                   : numbers[0];  // osu_bibw counts both directions
    series.samples.push_back(
        {bytes, Seconds{is_rate ? per_message / (numbers[1] * 1e6) : numbers[1] * 1e-6}});
  }
  std::erase_if(measured.series, [](const Series& series) { return series.name == "osu_barrier"; });
  if (measured.series.empty())
    throw InputError(name, "no line \"# OSU MPI … Test\" in it",
                     "is it the output of an OSU micro-benchmark?");
  for (const Series& series : measured.series)
    if (series.samples.empty())
      throw InputError(name, "no rows under the heading of " + series.name);
  return measured;
}

Measurements read_osu_file(const std::string& path, Path of) {
  return parse_osu(read_table_file(path), path, of);
}

}  // namespace reprise::platforms
