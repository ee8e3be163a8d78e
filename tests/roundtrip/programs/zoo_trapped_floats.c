/* SPDX-License-Identifier: MIT
 * A program that traps floating-point exceptions, as OpenFOAM does: what the recorder computes, without an order of compute times as well, neither
 * ends it nor is left among its flags. */
#define _GNU_SOURCE
#include <fenv.h>

#include "ring.h"

#define TRAPPED (FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW)

int main(int argc, char** argv) {
  setenv("REPRISE_ORDER", "none", 1);
  feenableexcept(TRAPPED);
  MPI_Init(&argc, &argv);
  find_ring();
  for (int round = 0; round < 20; ++round) {
    double own = rank, sum = 0;
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(sum == ranks * (ranks - 1) / 2.0);
    MPI_Sendrecv(&own, 1, MPI_DOUBLE, right, round, &sum, 1, MPI_DOUBLE, left, round,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(sum == left);
  }
  EXPECT(fegetexcept() == TRAPPED);
  finish("zoo_trapped_floats");
  return fegetexcept() == TRAPPED && fetestexcept(TRAPPED | FE_UNDERFLOW) == 0 ? 0 : 3;
}
