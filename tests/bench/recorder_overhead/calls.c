/* SPDX-License-Identifier: MIT
 * One kind of MPI call in a tight loop, below a given number of stack frames; prints the CPU time of the loop per call.
 *
 * usage: calls KIND CALLS DEPTH     KIND: sendrecv (64 bytes to self) | allreduce (8 bytes) | halo (6 Irecv, 6 Isend, Waitall)
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static long loop(const char* kind, long calls) {
  char out[64] = {0}, in[64];
  double x = 1, sum;
  if (!strcmp(kind, "sendrecv")) {
    for (long i = 0; i < calls; ++i)
      MPI_Sendrecv(out, 64, MPI_CHAR, 0, 7, in, 64, MPI_CHAR, 0, 7, MPI_COMM_SELF,
                   MPI_STATUS_IGNORE);
    return calls;
  }
  if (!strcmp(kind, "allreduce")) {
    for (long i = 0; i < calls; ++i) MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
    return calls;
  }
  const int neighbours = 6;
  char room[6][64];
  MPI_Request requests[12];
  const long steps = calls / (2 * neighbours + 1);
  for (long i = 0; i < steps; ++i) {
    for (int n = 0; n < neighbours; ++n)
      MPI_Irecv(room[n], 64, MPI_CHAR, 0, n, MPI_COMM_SELF, &requests[n]);
    for (int n = 0; n < neighbours; ++n)
      MPI_Isend(out, 64, MPI_CHAR, 0, n, MPI_COMM_SELF, &requests[neighbours + n]);
    MPI_Waitall(2 * neighbours, requests, MPI_STATUSES_IGNORE);
  }
  return steps * (2 * neighbours + 1);
}

static __attribute__((noinline)) long below(int depth, const char* kind, long calls) {
  volatile long result = depth > 0 ? below(depth - 1, kind, calls) : loop(kind, calls);
  return result; /* volatile: no tail call, every level keeps its frame */
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  MPI_Init(&argc, &argv);
  below(atoi(argv[3]), argv[1], 1000);
  const double start = cpu_now();
  const long made = below(atoi(argv[3]), argv[1], atol(argv[2]));
  printf("%.2f\n", (cpu_now() - start) / (double)made * 1e9);
  MPI_Finalize();
  return 0;
}
