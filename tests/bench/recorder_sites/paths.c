/* SPDX-License-Identifier: MIT
 * An allreduce at many call paths, one after the other, again and again; prints the CPU time per call after the first three rounds.
 *
 * usage: paths SITES ROUNDS     SITES at most 100 000: each decimal digit of a path's number is a call from another line
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LINE(digit, call)                                                            \
  case digit:                                                                        \
    call;                                                                            \
    __asm__ volatile("# line %0" ::"i"(digit) : "memory"); /* no two lines united */ \
    break;
#define LINES(call) \
  LINE(0, call)     \
  LINE(1, call)     \
  LINE(2, call)     \
  LINE(3, call) LINE(4, call) LINE(5, call) LINE(6, call) LINE(7, call) LINE(8, call) LINE(9, call)

static double x = 1, sum;

static __attribute__((noinline)) void at(int levels, long path) {
  if (levels == 0) {
    switch (path) { LINES(MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF)) }
  } else {
    switch (path % 10) { LINES(at(levels - 1, path / 10)) }
  }
}

static double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void round_of(long sites) {
  for (long path = 0; path < sites; ++path) at(4, path);
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  MPI_Init(&argc, &argv);
  const long sites = atol(argv[1]), rounds = atol(argv[2]);
  double start = 0;
  for (long i = 0; i < 3 + rounds; ++i) { /* one line: all rounds have the same paths */
    if (i == 3) start = cpu_now();
    round_of(sites);
  }
  printf("%.2f\n", (cpu_now() - start) / ((double)sites * (double)rounds) * 1e9);
  MPI_Finalize();
  return 0;
}
