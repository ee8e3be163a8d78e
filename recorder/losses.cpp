// SPDX-License-Identifier: MIT
#include "recorder/losses.hpp"

namespace reprise::recorder {

void Losses::add(std::string_view name, trace_io::Severity severity, Nanoseconds time,
                 std::uint64_t count) {
  const std::lock_guard lock(mutex_);
  auto row = rows_.find(name);
  if (row == rows_.end()) {
    trace_io::Loss loss;
    loss.name = name;
    loss.severity = severity;
    row = rows_.emplace(loss.name, std::move(loss)).first;
  }
  row->second.count += count;
  row->second.time += time;
}

std::vector<trace_io::Loss> Losses::rows() const {
  const std::lock_guard lock(mutex_);
  std::vector<trace_io::Loss> rows;
  for (const auto& [name, loss] : rows_) rows.push_back(loss);
  return rows;
}

}  // namespace reprise::recorder
