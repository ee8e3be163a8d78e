// SPDX-License-Identifier: MIT
// What could not be represented, counted by name; becomes Trace::losses.
//
// Cost    a look-up under a lock: not for calls that are recorded with their meaning.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::recorder {

class Losses {
 public:
  void add(std::string_view name, trace_io::Severity severity, Nanoseconds time,
           std::uint64_t count = 1);
  std::vector<trace_io::Loss> rows() const;  // ordered by name

 private:
  mutable std::mutex mutex_;
  std::map<std::string, trace_io::Loss, std::less<>> rows_;
};

}  // namespace reprise::recorder
