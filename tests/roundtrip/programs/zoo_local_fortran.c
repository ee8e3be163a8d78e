/* SPDX-License-Identifier: MIT
 * A library of Fortran that a program of C opens for itself alone, as Python does with extension modules: MPI's Fortran binding is one of that
 * library's own, and of nothing else in the program. */
#include <dlfcn.h>
#include <unistd.h>

#include "ring.h"

typedef int (*AddUp)(int);

int main(int argc, char** argv) {
  char module[2100];
  MPI_Init(&argc, &argv);
  find_ring();
  const ssize_t length = readlink("/proc/self/exe", module, sizeof module - 32);
  module[length < 0 ? 0 : length] = 0;
  strcat(module, ".module.so");
  void* library = dlopen(module, RTLD_NOW | RTLD_LOCAL);
  EXPECT(library != NULL);
  AddUp add_up = library ? (AddUp)dlsym(library, "add_up") : NULL;
  EXPECT(add_up != NULL);
  for (int round = 1; add_up && round <= 50; ++round) EXPECT(add_up(round) == ranks * round);
  finish("zoo_local_fortran");
  return 0;
}
