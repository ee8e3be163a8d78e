// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sim/experiment/details/rank_blocks.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

// Four decimals are more than a picture shows, and keep the answer small.
double rounded_share(double share) { return std::round(share * 1e4) / 1e4; }

TimeLine timeline_of(const TimeBins& seen) {
  TimeLine line;
  line.bin = seen.width();
  line.bins = seen.used_bins();
  for (std::size_t row = 0; row <= seen.row_count(); ++row)
    line.first_ranks.push_back(seen.first_rank(row));
  for (std::size_t row = 0; row < seen.row_count(); ++row) {
    const double whole =
        line.bin.value * static_cast<double>(line.first_ranks[row + 1] - line.first_ranks[row]);
    for (std::size_t bin = 0; bin < line.bins; ++bin) {
      const auto& share = seen.at(row, bin);
      line.shares.push_back(
          {share.compute / whole, share.communication / whole, share.wait / whole});
    }
  }
  return line;
}

}  // namespace

nlohmann::ordered_json TimeLine::json() const {
  const auto part = [&](double TimeBins::Share::*kind) {
    return rows_of(shares, bins, [&](const TimeBins::Share& s) { return rounded_share(s.*kind); });
  };
  nlohmann::ordered_json json = {{"bin_s", bin.value},
                                 {"first_ranks", first_ranks},
                                 {"compute", part(&TimeBins::Share::compute)},
                                 {"communication", part(&TimeBins::Share::communication)},
                                 {"wait", part(&TimeBins::Share::wait)}};
  if (window) json[window->is_moment ? "moment" : "window"] = window->json();
  return json;
}

std::string TimeLine::text() const {
  if (window) return window->text();
  std::string text =
      formatted("\n%22s  %9s  %13s  %9s\n", "time s", "compute", "communicate", "wait");
  const std::size_t blocks = first_ranks.size() - 1, parts = std::min<std::size_t>(10, bins);
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t begin = part * bins / parts, end = (part + 1) * bins / parts;
    TimeBins::Share sum;
    double ranks = 0;
    for (std::size_t row = 0; row < blocks; ++row) {
      const double weight = first_ranks[row + 1] - first_ranks[row];
      ranks += weight;
      for (std::size_t i = begin; i < end; ++i) {
        const auto& share = shares[row * bins + i];
        sum += {share.compute * weight, share.communication * weight, share.wait * weight};
      }
    }
    const double whole = ranks * static_cast<double>(end - begin) / 100;
    text += formatted("%10.6f … %9.6f  %8.1f%%  %12.1f%%  %8.1f%%\n",
                      bin.value * static_cast<double>(begin), bin.value * static_cast<double>(end),
                      sum.compute / whole, sum.communication / whole, sum.wait / whole);
  }
  return text;
}

nlohmann::ordered_json TimeLine::rows() const {
  if (window) return window->rows();
  auto rows = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const std::size_t row = i / bins;
    const auto at = static_cast<double>(i % bins);
    rows.push_back({{"first_rank", first_ranks[row]},
                    {"last_rank", first_ranks[row + 1] - 1},
                    {"begin_s", bin.value * at},
                    {"end_s", bin.value * (at + 1)},
                    {"compute", rounded_share(shares[i].compute)},
                    {"communication", rounded_share(shares[i].communication)},
                    {"wait", rounded_share(shares[i].wait)}});
  }
  return rows;
}

extern const Detail kTimeline = {
    .name = "timeline",
    .key = "timeline",
    .cost = "",
    .scope = DetailScope::baseline,
    .watched = {.timeline = true},
    .measure = [](const Replayed& replayed) -> std::unique_ptr<Figure> {
      auto line = std::make_unique<TimeLine>(timeline_of(replayed.observation.timeline()));
      if (const auto* window = replayed.observation.window())
        line->window = std::make_shared<const WindowCalls>(replayed.trace, *window,
                                                           replayed.observation.path());
      return line;
    }};

}  // namespace reprise::sim
