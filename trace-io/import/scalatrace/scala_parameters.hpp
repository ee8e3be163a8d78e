// SPDX-License-Identifier: MIT
// The parameters of a record's calls, one call after the other, and what a record tells of its calls at all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include "trace-io/import/scalatrace/scala_records.hpp"
#include "trace-io/model/procedure.hpp"

namespace reprise::trace_io {

inline constexpr std::int32_t kKnownOperations = 14;  // MPI_OP_NULL to MPI_REPLACE
inline constexpr std::int64_t kEndOfStructures = 32;  // MPI_UB, and MPI_LB behind it: of no size
inline constexpr std::int32_t kAnySourceNumber = 2'147'483'647;

// Bytes of one of MPI's types by its number in the file; 0 for a type of the program's own.
std::int64_t scala_type_bytes(std::int64_t number);

// Whether a collective has a root.
bool is_rooted(Collective);

// What a trace of ours calls the procedure of a record: its own name, or that of a call whose time alone is known.
std::string imported_procedure(const ScalaRecord&);

// The values of a rank's parameters at a record, call after call.
class ScalaParameters {
 public:
  ScalaParameters(const ScalaTrace& trace, const ScalaRecord& record, Rank rank)
      : trace_(trace), record_(record), rank_(rank) {}

  // The next value. Where only a histogram is known, its mean, which is then noted.
  std::int64_t next(ScalaField field);
  bool begins_anew() const {
    return std::all_of(at_.begin(), at_.end(), [](const auto& one) { return one.second == 0; });
  }
  bool uses_mean() const { return uses_mean_; }
  [[noreturn]] void refuse(const std::string& problem, const std::string& hint = "") const;

 private:
  const ScalaValues& of(ScalaField field) const;

  const ScalaTrace& trace_;
  const ScalaRecord& record_;
  Rank rank_;
  std::map<ScalaField, std::size_t> at_;
  bool uses_mean_ = false;
};

}  // namespace reprise::trace_io
