// SPDX-License-Identifier: MIT
// What NetPIPE 3 leaves in np.out: rows of size in bytes, throughput in Mbit/s (of 2²⁰ bits), and seconds one way
// (Snell, Mikler, Gustafson, NetPIPE: A Network Protocol Independent Performance Evaluator, 1996). Sizes come in clusters around
// each step and may repeat: the least time of a size counts.
#include <cmath>
#include <filesystem>
#include <map>

#include "platforms/calibration/measurements.hpp"
#include "platforms/calibration/text_files.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {

Measurements parse_netpipe(const std::string& text, const std::string& name, Path of) {
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
      refuse("the size is no whole number above zero");
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

Measurements read_netpipe_file(const std::string& path, Path of) {
  return parse_netpipe(read_table_file(path), path, of);
}

}  // namespace reprise::platforms
