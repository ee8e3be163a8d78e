/* SPDX-License-Identifier: MIT
 * What a timer chooses: each step computes for about a millisecond, then sends five messages one after the other, each from a line of its own.
 *
 * usage: after_computing STEPS    on two ranks
 */
#include <mpi.h>
#include <stdlib.h>

static char out[1024], in[1024];
static int other;

static void compute(void) {
  const double end = MPI_Wtime() + 1e-3;
  volatile double x = 1;
  while (MPI_Wtime() < end)
    for (int i = 0; i < 1000; ++i) x = x * 1.0000001;
}

static void receive(int tag) {
  MPI_Recv(in, 1024, MPI_BYTE, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  const int steps = argc > 1 ? atoi(argv[1]) : 1000;
  for (int step = 0; step < steps; ++step) {
    compute();
    MPI_Send(out, 1024, MPI_BYTE, other, 1, MPI_COMM_WORLD);
    MPI_Send(out, 512, MPI_BYTE, other, 2, MPI_COMM_WORLD);
    MPI_Send(out, 256, MPI_BYTE, other, 3, MPI_COMM_WORLD);
    MPI_Send(out, 128, MPI_BYTE, other, 4, MPI_COMM_WORLD);
    MPI_Send(out, 64, MPI_BYTE, other, 5, MPI_COMM_WORLD);
    for (int tag = 1; tag <= 5; ++tag) receive(tag);
  }
  MPI_Finalize();
  return 0;
}
