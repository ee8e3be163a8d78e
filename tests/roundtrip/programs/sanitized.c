/* SPDX-License-Identifier: MIT
 * Built with -fsanitize=address. With an argument rank 0 writes behind an array, which the sanitizer finds. */
#include <stdlib.h>

#include "ring.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  for (int i = 0; i < 10; ++i) MPI_Barrier(MPI_COMM_WORLD);
  volatile char* array = malloc(8);
  if (argc > 1 && rank == 0) array[8] = 1;
  free((void*)array);
  finish("sanitized");
  return 0;
}
