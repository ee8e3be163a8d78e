// SPDX-License-Identifier: MIT
#include "recorder/capture/caller_state.hpp"

#include <fenv.h>

#include <catch2/catch.hpp>
#include <cerrno>

using namespace reprise::recorder;

// A trap would end the test.
TEST_CASE("float environment: nothing is trapped while it is held, and nothing is left behind",
          "[recorder]") {
  fenv_t before;
  REQUIRE(fegetenv(&before) == 0);
  feclearexcept(FE_ALL_EXCEPT);
  feraiseexcept(FE_OVERFLOW);  // the program's own
  feenableexcept(FE_INVALID | FE_DIVBYZERO);
  const volatile double zero = 0;
  double quotient = 1;
  {
    const CallerStateHeld held;
    quotient = zero / zero;
    CHECK(fetestexcept(FE_INVALID) != 0);
  }
  const int left = fetestexcept(FE_ALL_EXCEPT), trapped = fegetexcept();
  fesetenv(&before);
  CHECK(quotient != quotient);
  CHECK(left == FE_OVERFLOW);
  CHECK(trapped == (FE_INVALID | FE_DIVBYZERO));
}

TEST_CASE("caller's state: errno is as it was", "[recorder]") {
  errno = ENOTTY;
  {
    const CallerStateHeld held;
    errno = EAGAIN;
  }
  CHECK(errno == ENOTTY);
}
