/* SPDX-License-Identifier: MIT
 * A program that has hooks of -finstrument-functions of its own, and counts with them. Prints what it counted: 3 calls of step, and main's.
 */
#include <mpi.h>
#include <stdio.h>

static int entered;

__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void* function, void* site) {
  (void)function;
  (void)site;
  ++entered;
}
__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void* function, void* site) {
  (void)function;
  (void)site;
}

__attribute__((noinline)) static void step(void) { MPI_Barrier(MPI_COMM_WORLD); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 3; ++i) step();
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("entered %d\n", entered);
  MPI_Finalize();
  return 0;
}
