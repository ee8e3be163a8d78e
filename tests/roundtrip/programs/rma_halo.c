/* SPDX-License-Identifier: MIT
 * A halo exchange by MPI_Put between fences, sizes that change from step to step, on the world and on a communicator of its own
 * that is freed before its window. */
#include "ring.h"

enum { kMost = 64, kSteps = 6 };

static void exchange(MPI_Win window, double* halo, int me, int size, MPI_Comm comm) {
  double own[kMost];
  for (int step = 0; step < kSteps; ++step) {
    const int count = kMost - step;
    for (int i = 0; i < count; ++i) own[i] = 1000 * me + step;
    MPI_Win_fence(step == 0 ? MPI_MODE_NOPRECEDE : 0, window);
    MPI_Put(own, count, MPI_DOUBLE, (me + 1) % size, 0, count, MPI_DOUBLE, window);
    MPI_Put(own, count, MPI_DOUBLE, (me + size - 1) % size, kMost, count, MPI_DOUBLE, window);
    MPI_Win_fence(step == kSteps - 1 ? MPI_MODE_NOSUCCEED : 0, window);
    EXPECT(halo[0] == 1000 * ((me + size - 1) % size) + step);
    EXPECT(halo[kMost] == 1000 * ((me + 1) % size) + step);
    MPI_Barrier(comm);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  double *first, *second;
  MPI_Win on_world, on_reversed;
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  MPI_Alloc_mem(2 * kMost * sizeof *first, MPI_INFO_NULL, &first);
  MPI_Win_create(first, 2 * kMost * sizeof *first, sizeof *first, MPI_INFO_NULL, MPI_COMM_WORLD,
                 &on_world);
  MPI_Win_allocate(2 * kMost * sizeof *second, sizeof *second, MPI_INFO_NULL, reversed, &second,
                   &on_reversed);
  exchange(on_world, first, rank, ranks, MPI_COMM_WORLD);
  MPI_Comm_free(&reversed);
  exchange(on_reversed, second, ranks - 1 - rank, ranks, MPI_COMM_WORLD);
  MPI_Win_free(&on_world);
  MPI_Win_free(&on_reversed);
  MPI_Free_mem(first);
  finish("rma_halo");
  return 0;
}
