// SPDX-License-Identifier: MIT
// What could not be represented, counted by name; becomes Trace::losses.
//
// Cost    a look-up under a lock: not for calls that are recorded with their meaning.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::recorder {

class Losses {
 public:
  void add(std::string_view name, trace_io::Severity severity, Nanoseconds time,
           std::uint64_t count = 1) {
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
  std::vector<trace_io::Loss> rows() const {  // ordered by name
    const std::lock_guard lock(mutex_);
    std::vector<trace_io::Loss> rows;
    for (const auto& [name, loss] : rows_) rows.push_back(loss);
    return rows;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, trace_io::Loss, std::less<>> rows_;
};

}  // namespace reprise::recorder
