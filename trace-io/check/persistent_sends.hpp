// SPDX-License-Identifier: MIT
// The bytes that persistent sends move each time that they are started: MPI_Send_init says how many, MPI_Start and MPI_Startall only which request.
//
// How     what each request of a rank was made for is read from the calls that make it; how often it was started is counted in the folded
//         sequences (SequenceSums), so no event is walked.
// Cost    O(persistent requests made, over all ranks) + O(starting calls · requests · terms).
// Limits  none is known where a rank makes requests of different sizes under one number (it freed the first), or where more than kMostMade
//         are made: that would take more memory than a summary is worth.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "trace-io/check/executions.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

class PersistentSends {
 public:
  static constexpr std::uint64_t kMostMade = 1 << 20;

  // REQUIRES: a trace that check_structure() accepts.
  explicit PersistentSends(const Trace&);

  // Over the ranks of a call of MPI_Start or MPI_Startall; none where it is not known. Saturates.
  std::optional<std::uint64_t> bytes_of(const Leaf&, const Procedure&, const NodeExecutions&) const;
  bool has_null_sends() const { return has_null_sends_; }  // some were made for MPI_PROC_NULL

 private:
  using BytesByNumber = std::map<std::int64_t, std::int64_t>;  // kUnlike: not of one size

  void add(const Leaf&, const Procedure&, const NodeExecutions&);

  std::map<Rank, BytesByNumber> made_;  // receives have 0 bytes
  std::uint64_t count_ = 0;
  bool has_null_sends_ = false;
};

}  // namespace reprise::trace_io
