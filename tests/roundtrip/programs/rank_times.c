// SPDX-License-Identifier: MIT
// Two ranks that wait for each other at unlike times: rank 1 is late by 6 ms in each twentieth of 200 rounds, before another of four calls each
// time, and rank 0 once by 80 ms. They sleep, so that nobody waits for a core.
#include <mpi.h>
#include <time.h>

static void be_late(double seconds) {
  const struct timespec time = {0, (long)(seconds * 1e9)};
  nanosleep(&time, NULL);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  double x = 1, sum;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int round = 0; round < 200; ++round) {
    if (rank == 1 && round % 20 == 3) be_late(0.006);
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 1 && round % 20 == 8) be_late(0.006);
    MPI_Bcast(&x, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    if (rank == 1 && round % 20 == 13) be_late(0.006);
    MPI_Sendrecv(&x, 1, MPI_DOUBLE, 1 - rank, 0, &sum, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (rank == 1 && round % 20 == 18) be_late(0.006);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0) be_late(0.08);
  MPI_Reduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, 1, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
