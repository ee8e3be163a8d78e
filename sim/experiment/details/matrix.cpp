// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sim/experiment/details/rank_blocks.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

TrafficMatrix matrix_of(const TrafficMeter& traffic) {
  TrafficMatrix matrix;
  const std::size_t size = traffic.matrix_size();
  for (std::size_t cell = 0; cell <= size; ++cell)
    matrix.first_ranks.push_back(traffic.first_rank(cell));
  for (std::size_t from = 0; from < size; ++from)
    for (std::size_t to = 0; to < size; ++to) {
      matrix.bytes.push_back(traffic.cell(from, to).bytes);
      matrix.messages.push_back(traffic.cell(from, to).messages);
    }
  return matrix;
}

std::string ranks_at(const std::vector<std::int32_t>& first, std::size_t at) {
  const auto last = first[at + 1] - 1;
  return first[at] == last ? "rank " + std::to_string(last)
                           : "ranks " + std::to_string(first[at]) + "-" + std::to_string(last);
}

}  // namespace

nlohmann::ordered_json TrafficMatrix::json() const {
  const std::size_t size = first_ranks.size() - 1;
  const auto as_is = [](std::uint64_t value) { return value; };
  return {{"first_ranks", first_ranks},
          {"bytes", rows_of(bytes, size, as_is)},
          {"messages", rows_of(messages, size, as_is)}};
}

std::string TrafficMatrix::text() const {
  const std::size_t size = first_ranks.size() - 1;
  std::uint64_t all_bytes = 0, all_messages = 0;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    all_bytes += bytes[i];
    all_messages += messages[i];
    pairs += messages[i] > 0;
  }
  std::string text =
      "\ntraffic             " + counted(all_bytes, "byte") + " in " +
      counted(all_messages, "message") + " between " +
      counted(pairs,
              size < static_cast<std::size_t>(first_ranks.back()) ? "pair of blocks" : "pair") +
      (pairs == 1 ? "" : " (of " + grouped(bytes.size()) + ")") + "\n";
  const auto most =
      static_cast<std::size_t>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
  if (all_bytes > 0)
    text += "most traffic        " + ranks_at(first_ranks, most / size) + " to " +
            ranks_at(first_ranks, most % size) + ", " + counted(bytes[most], "byte") + "\n";
  return text;
}

nlohmann::ordered_json TrafficMatrix::rows() const {
  const std::size_t size = first_ranks.size() - 1;
  auto rows = nlohmann::ordered_json::array();
  for (std::size_t cell = 0; cell < bytes.size(); ++cell) {
    if (messages[cell] == 0) continue;
    const std::size_t from = cell / size, to = cell % size;
    rows.push_back({{"from_first_rank", first_ranks[from]},
                    {"from_last_rank", first_ranks[from + 1] - 1},
                    {"to_first_rank", first_ranks[to]},
                    {"to_last_rank", first_ranks[to + 1] - 1},
                    {"messages", messages[cell]},
                    {"bytes", bytes[cell]}});
  }
  return rows;
}

extern const Detail kMatrix = {
    .name = "matrix",
    .key = "matrix",
    .cost = "",
    .scope = DetailScope::baseline,
    .watched = {.traffic = true},
    .measure = [](const Replayed& replayed) -> std::unique_ptr<Figure> {
      return std::make_unique<TrafficMatrix>(matrix_of(replayed.observation.traffic()));
    }};

}  // namespace reprise::sim
