// SPDX-License-Identifier: MIT
// What a thread has that is the program's and that the recorder's work would change: its floating-point environment and errno, put aside meanwhile.
//
// Why    programs that trap exceptions (feenableexcept, gfortran -ffpe-trap, OpenFOAM by default) would be killed by a quotient of ours that they
//        have no part in, and exceptions that we raise would be found among theirs: Fortran prints them at STOP. A call of MPI that succeeds leaves errno as
//        it was, as far as programs know.
// Where  around all work that is more than adding a call: calibration, a thread's first call, snapshots, MPI_Finalize, the end without it. Adding a call
//        raises nothing but FE_INEXACT, and sets errno where there is no memory at most. Handlers of signals begin with an environment of their own.
#pragma once

#include <cerrno>
#include <cfenv>

namespace reprise::recorder {

class CallerStateHeld {
 public:
  CallerStateHeld() noexcept { std::feholdexcept(&environment_); }
  ~CallerStateHeld() {
    std::fesetenv(&environment_);
    errno = errno_;
  }
  CallerStateHeld(const CallerStateHeld&) = delete;
  CallerStateHeld& operator=(const CallerStateHeld&) = delete;

 private:
  int errno_ = errno;
  std::fenv_t environment_;
};

}  // namespace reprise::recorder
