/* SPDX-License-Identifier: MIT
 * The smallest one-sided program: a window, a put between two fences. */
#include "ring.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  int* shared;
  MPI_Win window;
  MPI_Win_allocate(sizeof *shared, sizeof *shared, MPI_INFO_NULL, MPI_COMM_WORLD, &shared, &window);
  *shared = -1;
  for (int i = 0; i < 5; ++i) {
    MPI_Win_fence(0, window);
    MPI_Put(&rank, 1, MPI_INT, right, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    EXPECT(*shared == left);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_free(&window);
  finish("one_sided");
  return 0;
}
