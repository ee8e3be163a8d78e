// SPDX-License-Identifier: MIT
// Figures over blocks of ranks: who sends how much to whom, and what ranks do when. Pictures in HTML, whole in JSON and CSV; as text
// their main figures.
#pragma once

#include "sim/experiment/details/detail.hpp"
#include "sim/experiment/details/window_calls.hpp"

namespace reprise::sim {

struct TrafficMatrix : Figure {
  std::vector<std::int32_t> first_ranks;       // of the cells, and at the end the number of ranks
  std::vector<std::uint64_t> bytes, messages;  // row by row: by sender, then receiver

  nlohmann::ordered_json json() const override;
  std::string text() const override;
  nlohmann::ordered_json rows() const override;  // for each cell with a message
};

// Columns over the whole run; where a window was asked for, its calls besides, and in text and CSV these alone.
struct TimeLine : Figure {
  std::shared_ptr<const WindowCalls> window;  // none: not asked for
  Seconds bin;
  std::vector<std::int32_t> first_ranks;  // of the rows, and at the end the number of ranks
  std::size_t bins = 0;
  std::vector<TimeBins::Share>
      shares;  // row by row; of the time that the row's ranks have in a bin

  nlohmann::ordered_json json() const override;
  std::string text() const override;
  nlohmann::ordered_json rows() const override;  // for each row and bin
};

// VALUES as rows of WIDTH, each made by NUMBER.
template <class Values, class Number>
nlohmann::ordered_json rows_of(const Values& values, std::size_t width, Number number) {
  auto rows = nlohmann::ordered_json::array();
  for (std::size_t first = 0; first < values.size(); first += width) {
    auto row = nlohmann::ordered_json::array();
    for (std::size_t i = first; i < first + width; ++i) row.push_back(number(values[i]));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace reprise::sim
