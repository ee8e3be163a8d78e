// SPDX-License-Identifier: MIT
// The program's floating-point environment, put aside while the recorder computes.
//
// Why    programs that trap exceptions (feenableexcept, gfortran -ffpe-trap, OpenFOAM by default) would be killed by a quotient of ours that they
//        have no part in, and exceptions that we raise would be found among theirs: Fortran prints them at STOP.
// Where  around all work that is more than adding a call: calibration, snapshots, MPI_Finalize, the end without it. Adding a call raises
//        nothing but FE_INEXACT. Handlers of signals begin with an environment of their own.
#pragma once

#include <cfenv>

namespace reprise::recorder {

class FloatEnvironmentHeld {
 public:
  FloatEnvironmentHeld() noexcept { std::feholdexcept(&program_); }
  ~FloatEnvironmentHeld() { std::fesetenv(&program_); }
  FloatEnvironmentHeld(const FloatEnvironmentHeld&) = delete;
  FloatEnvironmentHeld& operator=(const FloatEnvironmentHeld&) = delete;

 private:
  std::fenv_t program_;
};

}  // namespace reprise::recorder
