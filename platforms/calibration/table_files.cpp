// SPDX-License-Identifier: MIT
// Measurement tools' tables of numbers, line by line: NetPIPE's and those of the OSU micro-benchmarks.
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>

#include "platforms/calibration/measurements.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

// The file's text. Throws InputError: it cannot be read, or is larger than any table of measurements.
std::string read_table_file(const std::string& path) {
  constexpr std::size_t kMost = std::size_t{16} << 20;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (!file) throw InputError(path, std::string("cannot be read: ") + std::strerror(errno));
  std::string text;
  char buffer[65536];
  errno = 0;
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, file.get())) {
    text.append(buffer, got);
    if (text.size() > kMost) throw InputError(path, "larger than 16 MiB: no table of measurements");
  }
  if (std::ferror(file.get()))
    throw InputError(path, std::string("cannot be read: ") + std::strerror(errno));
  return text;
}

struct TableLine {
  std::size_t number = 0;  // from 1
  std::string text;        // without its line break and trailing blanks
};

std::vector<TableLine> lines_of(const std::string& text) {
  std::vector<TableLine> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
      line.pop_back();
    lines.push_back({lines.size() + 1, std::move(line)});
    at = end + 1;
  }
  return lines;
}

// The numbers of a line; empty where anything in it is none. Finite ones only.
std::vector<double> numbers_of(const std::string& line) {
  std::vector<double> numbers;
  const char* at = line.data();
  const char* const end = at + line.size();
  for (;;) {
    while (at != end && (*at == ' ' || *at == '\t')) ++at;
    if (at == end) return numbers;
    double number = 0;
    const auto [after, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || !std::isfinite(number) ||
        (after != end && *after != ' ' && *after != '\t'))
      return {};
    numbers.push_back(number);
    at = after;
  }
}

}  // namespace

// What NetPIPE 3 leaves in np.out: rows of size in bytes, throughput in Mbit/s (of 2²⁰ bits), and seconds one way
// (Snell, Mikler, Gustafson, NetPIPE: A Network Protocol Independent Performance Evaluator, 1996). Sizes come in clusters around
// each step and may repeat: the least time of a size counts.
Measurements parse_netpipe(const std::string& text, const std::string& name, MeasuredPath of) {
  std::map<std::uint64_t, double> times;
  for (const TableLine& line : lines_of(text)) {
    if (line.text.empty()) continue;
    const auto refuse = [&](const std::string& problem, const std::string& hint = "") {
      throw InputError(name + ":" + std::to_string(line.number), problem, hint);
    };
    const auto numbers = numbers_of(line.text);
    if (numbers.size() != 3)
      refuse("expected size, Mbit/s and seconds, found \"" + line.text.substr(0, 60) + "\"",
             "is it NetPIPE's np.out?");
    const double bytes = numbers[0], rate = numbers[1], seconds = numbers[2];
    if (bytes < 1 || bytes != std::floor(bytes) || bytes > 1e15)
      refuse("the size is not a whole number above zero");
    if (seconds <= 0 || rate <= 0) refuse("the time and the throughput are not both above zero");
    // Times are rounded to 10 ns, so a throughput tells a wrong column only as well as that.
    const double expected = bytes * 8 / 1048576 / seconds;
    if (std::abs(rate - expected) > (0.02 + 1e-8 / seconds) * expected)
      refuse("the throughput does not follow from size and time", "is it NetPIPE's np.out?");
    const auto [at, is_new] = times.emplace(static_cast<std::uint64_t>(bytes), seconds);
    if (!is_new) at->second = std::min(at->second, seconds);
  }
  if (times.empty()) throw InputError(name, "no rows in it", "is it NetPIPE's np.out?");
  Series series{Series::What::kOneWay,
                of,
                1,
                "NetPIPE",
                std::filesystem::path(name).filename().string() + ", NetPIPE",
                {}};
  for (const auto& [bytes, seconds] : times)
    series.samples.push_back({Bytes{bytes}, Seconds{seconds}});
  Measurements measured;
  measured.series.push_back(std::move(series));
  return measured;
}

Measurements read_netpipe_file(const std::string& path, MeasuredPath of) {
  return parse_netpipe(read_table_file(path), path, of);
}

// Text of the OSU micro-benchmarks, versions 3 to 7 (https://mvapich.cse.ohio-state.edu/benchmarks): a line "# OSU MPI … Test v5.6.2",
// lines of column titles, then rows of size and value: microseconds, or 10⁶ bytes per second (osu_mbw_mr: and messages per second, not read).
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
    Benchmark{"Multiple Bandwidth / Message Rate Test", "osu_mbw_mr", What::kPairs, true},
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
                   "\"" + title + "\" is not a supported OSU benchmark",
                   "supported are osu_latency, osu_multi_lat, osu_bw, osu_bibw, osu_mbw_mr and "
                   "blocking collectives");
}

// osu_mbw_mr says how many pairs there were: "# [ pairs: 4 ] [ window size: 64 ]".
void read_pairs(const std::string& line, Series& series) {
  unsigned pairs = 0;
  if (series.what == What::kPairs && std::sscanf(line.c_str(), "# [ pairs: %u ]", &pairs) == 1 &&
      pairs > 0)
    series.pairs = pairs;
}

}  // namespace

Measurements parse_osu(const std::string& text, const std::string& name, MeasuredPath of) {
  Measurements measured;
  bool is_rate = false;
  for (const TableLine& line : lines_of(text)) {
    const auto refuse = [&](const std::string& problem, const std::string& hint = "") {
      throw InputError(name + ":" + std::to_string(line.number), problem, hint);
    };
    if (line.text.empty()) continue;
    if (line.text[0] == '#') {
      if (line.text.find("OSU MPI") == std::string::npos) {
        if (!measured.series.empty()) read_pairs(line.text, measured.series.back());
        continue;
      }
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
      refuse("the size is not a whole number");
    if (numbers[1] <= 0)
      refuse("the value is not above zero", "the run was too short for the benchmark's clock");
    const Bytes bytes{static_cast<std::uint64_t>(numbers[0])};
    if (!series.samples.empty() && bytes <= series.samples.back().bytes)
      refuse("the size is not above the one before it");
    // osu_bibw counts both directions, osu_mbw_mr all pairs.
    const double per_message = numbers[0] * (series.what == What::kBothWays ? 2
                                             : series.what == What::kPairs  ? series.pairs
                                                                            : 1);
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

Measurements read_osu_file(const std::string& path, MeasuredPath of) {
  return parse_osu(read_table_file(path), path, of);
}

}  // namespace reprise::platforms
