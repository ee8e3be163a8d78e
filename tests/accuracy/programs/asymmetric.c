// SPDX-License-Identifier: MIT
// Ranks that compute unevenly and wait for each other: asymmetric STEPS [REPEATS]
//
// In every step each pair of ranks computes and then exchanges a message, so that a step takes as long as the slower of the two. Computing
// changes from step to step between short and long, on even ranks in another rhythm than on odd ones (Ratn et al., ICS 2008, have
// such a program in their figure 3). With equal rhythms the mean would be exact and nothing could be seen.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void compute(double seconds) {
  const double until = MPI_Wtime() + seconds;
  while (MPI_Wtime() < until) {
  }
}

int main(int argc, char** argv) {
  int rank, steps, repeats;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  steps = argc > 1 ? atoi(argv[1]) : 20;
  repeats = argc > 2 ? atoi(argv[2]) : 20;
  const int partner = rank ^ 1;
  char out[1000] = {0}, in[1000];
  for (int repeat = 0; repeat < repeats; ++repeat)
    for (int step = 0; step < steps; ++step) {
      // Even ranks: 1 step of 4 takes long. Odd ranks: 2 steps of 5. Both drift a little within the steps.
      const int is_long = rank % 2 == 0 ? step % 4 == 1 : step % 5 >= 3;
      compute((is_long ? 3e-3 : 0.5e-3) * (1 + 0.2 * step / steps));
      if (rank % 2 == 0) {
        MPI_Send(out, sizeof out, MPI_CHAR, partner, 0, MPI_COMM_WORLD);
        MPI_Recv(in, sizeof in, MPI_CHAR, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else {
        MPI_Recv(in, sizeof in, MPI_CHAR, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(out, sizeof out, MPI_CHAR, partner, 0, MPI_COMM_WORLD);
      }
    }
  MPI_Finalize();
  return 0;
}
