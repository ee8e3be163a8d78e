/* SPDX-License-Identifier: MIT
 * Linked with MPI, but never calls it. */
#include <stdio.h>

int main(void) {
  printf("without_mpi: ok\n");
  return 3;
}
