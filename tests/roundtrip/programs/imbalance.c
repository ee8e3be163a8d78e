// SPDX-License-Identifier: MIT
// Steps of computation whose length depends on the rank: "one" rank 30 % slower, "two" groups of ranks, a "gradient" over ranks.
// Each rank says, on one line, the CPU time between its MPI calls: "rank 3 computed 0.123456789".
// Steps are long enough (3 ms) for what a recorder adds to a call not to count. usage: imbalance one|two|gradient [STEPS [MICROSECONDS]]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double slowness(const char* mode, int rank, int ranks) {
  if (strcmp(mode, "one") == 0) return rank == ranks / 3 ? 1.3 : 1;
  if (strcmp(mode, "two") == 0) return rank % 4 < 2 ? 1 : 1.5;
  return 1 + (double)rank / (ranks - 1);
}

// Burns CPU time, so that a rank that is not given the CPU does not count as slow.
static void compute(double seconds) {
  const double end = cpu_seconds() + seconds;
  while (cpu_seconds() < end) continue;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double mark = cpu_seconds(), computed = 0, sum = 0;
  const char* mode = argc > 1 ? argv[1] : "gradient";
  const int steps = argc > 2 ? atoi(argv[2]) : 20;
  const double step_seconds = (argc > 3 ? atof(argv[3]) : 3000) * 1e-6;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const double factor = slowness(mode, rank, ranks);
  for (int step = 0; step < steps; ++step) {
    compute(step_seconds * factor * (step % 5 == 0 ? 2 : 1));
    computed += cpu_seconds() - mark;
    int got = 0;
    MPI_Sendrecv(&step, 1, MPI_INT, (rank + 1) % ranks, 0, &got, 1, MPI_INT,
                 (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    mark = cpu_seconds();
    if (step % 10 != 9) continue;
    compute(step_seconds);
    computed += cpu_seconds() - mark;
    MPI_Allreduce(&computed, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    mark = cpu_seconds();
  }
  printf("rank %d computed %.9f\n", rank, computed + cpu_seconds() - mark);
  MPI_Finalize();
  return 0;
}
