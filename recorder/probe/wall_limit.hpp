// SPDX-License-Identifier: MIT
// When the probe ends, measured or not: on cores that others have as well, its rows take many times what was planned.
//
// Each rank has its own; those who measure together ask one of them and tell the others (machine_state.hpp).
#pragma once

#include <mpi.h>

#include <cstdint>

namespace reprise::probe {

class WallLimit {
 public:
  static constexpr double kTimesAsLong = 6;  // as --seconds

  explicit WallLimit(double seconds) : end_(MPI_Wtime() + kTimesAsLong * seconds) {}
  bool is_over() const { return MPI_Wtime() > end_; }
  double left() const { return end_ - MPI_Wtime(); }  // below 0 afterwards

  void leave_out() { ++left_out_; }  // a row
  std::uint64_t left_out() const { return left_out_; }

 private:
  double end_;
  std::uint64_t left_out_ = 0;
};

}  // namespace reprise::probe
