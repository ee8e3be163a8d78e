/* SPDX-License-Identifier: MIT */
/* usage: long_steps STEPS [DIES]. Each step computes for 0.2 ms of CPU time, every tenth for 5 ms, on all ranks at once, and ends with an
   MPI_Allreduce; rank 1 aborts in step DIES. */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static double cpu_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int steps = argc > 1 ? atoi(argv[1]) : 100, dies = argc > 2 ? atoi(argv[2]) : -1;
  double sum = 0;
  for (int step = 0; step < steps; ++step) {
    const double end = cpu_time() + (step % 10 == 9 ? 5e-3 : 2e-4);
    while (cpu_time() < end)
      ;
    if (rank == 1 && step == dies) abort();
    double one = step;
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
