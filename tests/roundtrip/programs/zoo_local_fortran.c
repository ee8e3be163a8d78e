/* SPDX-License-Identifier: MIT
 * A library of Fortran that a program of C opens for itself alone, as Python does with extension modules: MPI's Fortran binding is one of that
 * library's own, and of nothing else in the program. */
#include "own_module.h"
#include "ring.h"

typedef int (*AddUp)(int);

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  void* library = open_own_module();
  EXPECT(library != NULL);
  AddUp add_up = library ? (AddUp)dlsym(library, "add_up") : NULL;
  EXPECT(add_up != NULL);
  for (int round = 1; add_up && round <= 50; ++round) EXPECT(add_up(round) == ranks * round);
  finish("zoo_local_fortran");
  return 0;
}
