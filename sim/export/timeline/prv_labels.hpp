// SPDX-License-Identifier: MIT
// The numbers that a Paraver trace uses for procedures, functions and places, and the .pcf and .row that name them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::sim {

class PrvLabelTables {
 public:
  static constexpr std::int64_t kMostLevels = 99;  // of callers
  static constexpr std::int64_t kDeadlockEvent = 98000010;

  explicit PrvLabelTables(const trace_io::Trace& trace) : trace_(trace) {}
  // Type and value of the entry into a procedure: Extrae's three groups of MPI calls.
  std::pair<std::int64_t, std::int64_t> event_of(const std::string& procedure);
  // Values of a caller's function and of its line.
  std::pair<std::int64_t, std::int64_t> caller_of(trace_io::Frame);
  void mark_deadlock() { has_deadlock_ = true; }  // calls have kDeadlockEvent
  // NAME.pcf and NAME.row beside NAME.prv. Throws RunError.
  void write(const std::string& prv) const;

 private:
  using Values = std::map<std::string, std::int64_t>;
  const trace_io::Trace& trace_;
  std::map<std::int64_t, Values> procedures_;  // by type
  Values functions_, places_;
  std::map<trace_io::Frame, std::pair<std::int64_t, std::int64_t>> callers_;
  bool has_deadlock_ = false;
};

}  // namespace reprise::sim
