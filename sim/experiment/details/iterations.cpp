// SPDX-License-Identifier: MIT
// How the iterations of the main loop differ in the predicted run, over time and over ranks. `reprise trace iterations` shows the same of what
// was recorded.
#include <cstdlib>

#include "sim/experiment/details/rank_blocks.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;
using Metric = IterationMeter::Metric;

constexpr std::size_t kLines = 20;
constexpr std::array kMapped{Metric::time, Metric::compute, Metric::wait};

std::size_t at(Metric metric) { return static_cast<std::size_t>(metric); }

// Six digits are more than a picture shows, and keep the answer small.
double six_digits(double value) { return std::strtod(formatted("%.6g", value).c_str(), nullptr); }

std::string ranks_text(const std::vector<Rank>& ranks) {
  return trace_io::RankList::from_ranks(ranks).text();
}

class Iterations : public Figure {
 public:
  explicit Iterations(const IterationMeter& seen) : seen_(seen) {}

  ordered_json json() const override;
  std::string text() const override;
  ordered_json rows() const override;  // for each row of ranks and column

 private:
  std::int32_t end_of_ranks() const { return seen_.loops().ranks.back().value + 1; }
  std::uint64_t last_of(std::size_t column) const {
    return std::min(seen_.iterations(), (column + 1) * seen_.iterations_per_column()) - 1;
  }
  ordered_json graph(Metric metric) const;
  ordered_json map(Metric metric) const;
  ordered_json mean(std::size_t row, std::size_t column, Metric metric) const;

  IterationMeter seen_;
};

ordered_json Iterations::graph(Metric metric) const {
  ordered_json largest = ordered_json::array(), median = largest, smallest = largest;
  for (const IterationMeter::Column& column : seen_.columns()) {
    largest.push_back(six_digits(column.most[at(metric)]));
    median.push_back(
        six_digits(column.medians[at(metric)] / static_cast<double>(column.iterations)));
    smallest.push_back(six_digits(column.least[at(metric)]));
  }
  return {{"largest", largest}, {"median", median}, {"smallest", smallest}};
}

ordered_json Iterations::mean(std::size_t row, std::size_t column, Metric metric) const {
  const IterationMeter::Cell& cell = seen_.at(row, column);
  if (cell.iterations == 0) return nullptr;
  return six_digits(cell.sums[at(metric)] / static_cast<double>(cell.iterations));
}

ordered_json Iterations::map(Metric metric) const {
  auto rows = ordered_json::array();
  for (std::size_t row = 0; row < seen_.row_count(); ++row) {
    auto& values = rows.emplace_back(ordered_json::array());
    for (std::size_t column = 0; column < seen_.columns().size(); ++column)
      values.push_back(mean(row, column, metric));
  }
  return rows;
}

ordered_json Iterations::json() const {
  const IterationMeter::Whole whole = seen_.whole();
  ordered_json all = {{"loop", seen_.loops().name},
                      {"begin_s", whole.begin},
                      {"end_s", whole.end},
                      {"slowest_rank", whole.slowest_rank.value},
                      {"slowest_rank_s", whole.slowest},
                      {"iterations", seen_.iterations()},
                      {"iterations_per_column", seen_.iterations_per_column()},
                      {"ranks", ranks_text(seen_.loops().ranks)},
                      {"other_ranks", ranks_text(seen_.loops().others)},
                      {"first_ranks", ordered_json::array()},
                      {"graph", ordered_json::object()},
                      {"map", ordered_json::object()}};
  for (std::size_t row = 0; row < seen_.row_count(); ++row)
    all["first_ranks"].push_back(seen_.first_rank(row).value);
  if (seen_.row_count() > 0) all["first_ranks"].push_back(end_of_ranks());
  for (std::size_t m = 0; m < IterationMeter::kMetrics; ++m)
    all["graph"][std::string(IterationMeter::kNames[m])] = graph(static_cast<Metric>(m));
  for (const Metric metric : kMapped)
    all["map"][std::string(IterationMeter::kNames[at(metric)])] = map(metric);
  return all;
}

std::string Iterations::text() const {
  if (seen_.iterations() == 0) return "\niterations: no loop takes the ranks' time\n";
  const IterationMeter::Whole whole = seen_.whole();
  std::string text =
      "\niterations of " + seen_.loops().name + ": " + std::to_string(seen_.iterations()) +
      " on ranks " + ranks_text(seen_.loops().ranks) + "\n" +
      formatted("the loop runs from %.6f s to %.6f s; rank %d takes longest in it, %.6f s\n",
                whole.begin, whole.end, whole.slowest_rank.value, whole.slowest);
  if (!seen_.loops().others.empty())
    text += "ranks " + ranks_text(seen_.loops().others) + " spend their time in another loop\n";
  const auto& columns = seen_.columns();
  const std::size_t lines = std::min(kLines, columns.size());
  const bool is_one_each = lines == seen_.iterations();
  const char* const middle = is_one_each ? "median" : "mean median";
  if (!is_one_each)
    text +=
        "largest and smallest: of any rank and iteration; mean median: the median over the ranks, "
        "as a mean over the iterations\n";
  text += formatted("%19s  %33s  %22s  %22s\n", "", "time us", "compute us", "wait us");
  text += formatted("%19s  %10s %11s %10s  %10s %11s  %10s %11s\n", "iterations", "largest", middle,
                    "smallest", "largest", middle, "largest", middle);
  for (std::size_t line = 0; line < lines; ++line) {
    const std::size_t begin = line * columns.size() / lines,
                      end = (line + 1) * columns.size() / lines;
    IterationMeter::Values most = columns[begin].most, least = columns[begin].least, medians{};
    double iterations = 0;
    for (std::size_t c = begin; c < end; ++c) {
      iterations += static_cast<double>(columns[c].iterations);
      for (std::size_t m = 0; m < IterationMeter::kMetrics; ++m) {
        most[m] = std::max(most[m], columns[c].most[m]);
        least[m] = std::min(least[m], columns[c].least[m]);
        medians[m] += columns[c].medians[m];
      }
    }
    const auto median = [&](Metric metric) { return 1e6 * medians[at(metric)] / iterations; };
    const std::uint64_t first = begin * seen_.iterations_per_column(), last = last_of(end - 1);
    const std::string range =
        first == last ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
    text += formatted("%19s  %10.2f %11.2f %10.2f  %10.2f %11.2f  %10.2f %11.2f\n", range.c_str(),
                      1e6 * most[at(Metric::time)], median(Metric::time),
                      1e6 * least[at(Metric::time)], 1e6 * most[at(Metric::compute)],
                      median(Metric::compute), 1e6 * most[at(Metric::wait)], median(Metric::wait));
  }
  return text;
}

ordered_json Iterations::rows() const {
  auto rows = ordered_json::array();
  for (std::size_t row = 0; row < seen_.row_count(); ++row)
    for (std::size_t column = 0; column < seen_.columns().size(); ++column) {
      if (seen_.at(row, column).iterations == 0) continue;
      const std::int32_t last =
          row + 1 < seen_.row_count() ? seen_.first_rank(row + 1).value - 1 : end_of_ranks() - 1;
      ordered_json one = {{"first_rank", seen_.first_rank(row).value},
                          {"last_rank", last},
                          {"first_iteration", column * seen_.iterations_per_column()},
                          {"last_iteration", last_of(column)}};
      for (std::size_t m = 0; m < IterationMeter::kMetrics; ++m) {
        const bool is_count = m >= at(Metric::bytes);
        one[std::string(IterationMeter::kNames[m]) + (is_count ? "" : "_s")] =
            mean(row, column, static_cast<Metric>(m));
      }
      rows.push_back(std::move(one));
    }
  return rows;
}

}  // namespace

extern const Detail kIterations = {
    .name = "iterations",
    .key = "iterations",
    .cost = "",
    .scope = DetailScope::baseline,
    .watched = {.iterations = true},
    .measure = [](const Replayed& replayed) -> std::unique_ptr<Figure> {
      return std::make_unique<Iterations>(replayed.observation.iterations());
    }};

}  // namespace reprise::sim
