/* SPDX-License-Identifier: MIT
 * A library whose own functions have names that MPI's Fortran bindings have elsewhere: mpi_send and mpi_finalize, as R's Rmpi, and a stand-in
 * for mpi_barrier_ as programs of one process link it. They get their calls, with all arguments, also those made through
 * pointers. */
#include "own_module.h"
#include "ring.h"

typedef int (*Pass)(MPI_Comm, int, int);

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  void* library = open_own_module();
  EXPECT(library != NULL);
  Pass pass = library ? (Pass)dlsym(library, "pass_on") : NULL;
  EXPECT(pass != NULL);
  double (**given_away)(double, int) = library ? dlsym(library, "given_away") : NULL;
  EXPECT(given_away != NULL);
  for (int round = 0; given_away && round < 50; ++round)
    EXPECT((*given_away)(0.5, round) == round + 0.5);
  for (int round = 0; pass && round < 50; ++round) EXPECT(pass(MPI_COMM_WORLD, right, round) == 0);
  finish("zoo_own_names");
  return 0;
}
