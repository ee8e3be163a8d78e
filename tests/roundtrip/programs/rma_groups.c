/* SPDX-License-Identifier: MIT
 * Post, start, complete, wait: every rank exposes its window to its left neighbour and puts into its right one's; then even ranks
 * get from odd ones, which poll with MPI_Win_test. */
#include "ring.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  int mine[16], other[16];
  MPI_Win window;
  MPI_Group world, left_group, right_group;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &left, &left_group);
  MPI_Group_incl(world, 1, &right, &right_group);
  MPI_Win_create(mine, sizeof mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  for (int step = 0; step < 8; ++step) {
    for (int i = 0; i < 16; ++i) other[i] = 100 * rank + step;
    MPI_Win_post(left_group, 0, window);
    MPI_Win_start(right_group, 0, window);
    MPI_Put(other, 16, MPI_INT, right, 0, 16, MPI_INT, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    EXPECT(mine[15] == 100 * left + step);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int step = 0; step < 4; ++step) {
    if (rank % 2 == 1) {
      int done = 0;
      mine[0] = step;
      MPI_Win_post(left_group, MPI_MODE_NOPUT, window);
      while (!done) MPI_Win_test(window, &done);
    } else if (right % 2 == 1) {
      int got = -1;
      MPI_Win_start(right_group, 0, window);
      MPI_Get(&got, 1, MPI_INT, right, 0, 1, MPI_INT, window);
      MPI_Win_complete(window);
      EXPECT(got == step);
    }
  }
  MPI_Group_free(&world);
  MPI_Group_free(&left_group);
  MPI_Group_free(&right_group);
  MPI_Win_free(&window);
  finish("rma_groups");
  return 0;
}
