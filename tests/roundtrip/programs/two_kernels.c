/* SPDX-License-Identifier: MIT
 * Two kernels between the same two MPI calls: one moves memory (half a MB, from the caches: other processes disturb it less), one computes. The call path that leads to MPI tells nothing about how the time
 * between the calls is divided among them; samples of functions do.
 * Usage: two_kernels STEPS [SWEEPS ROUNDS [own]]: passes over memory and rounds of polynomials in each step (defaults 80 and 2); own: the program
 * has a handler of its own for SIGURG.
 * Prints the CPU time of each kernel on all ranks and the wall time of the loop, in seconds: "kernels MOVE EVALUATE run RUN".
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CELLS = 1 << 15, POINTS = 1 << 13, DEGREE = 64 };

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

__attribute__((noinline)) static void move_cells(double* restrict to, const double* restrict from,
                                                 int sweeps) {
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int i = 0; i < CELLS; ++i) to[i] = 0.5 * to[i] + 0.25 * from[i];
}

__attribute__((noinline)) static double evaluate_terms(double x, int rounds) {
  double sum = 0;
  for (int round = 0; round < rounds; ++round)
    for (int point = 0; point < POINTS; ++point) {
      const double at = x + 1e-6 * point;
      double value = 1;
      for (int k = 0; k < DEGREE; ++k) value = value * at + 0.5;
      sum += value;
    }
  return sum;
}

static void ignore(int number) { (void)number; }

int main(int argc, char** argv) {
  if (argc > 4) signal(SIGURG, ignore);
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int steps = argc > 1 ? atoi(argv[1]) : 40;
  const int sweeps = argc > 2 ? atoi(argv[2]) : 80, rounds = argc > 3 ? atoi(argv[3]) : 2;
  double *to = calloc(CELLS, sizeof *to), *from = calloc(CELLS, sizeof *from);
  double moved = 0, evaluated = 0, sum = 0, all[2];
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = now(CLOCK_MONOTONIC);
  for (int step = 0; step < steps; ++step) {
    const double before = now(CLOCK_THREAD_CPUTIME_ID);
    move_cells(to, from, sweeps);
    const double between = now(CLOCK_THREAD_CPUTIME_ID);
    double part = evaluate_terms(0.3 + to[step % CELLS], rounds);
    const double after = now(CLOCK_THREAD_CPUTIME_ID);
    moved += between - before;
    evaluated += after - between;
    MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  const double run = now(CLOCK_MONOTONIC) - begin;
  const double own[2] = {moved, evaluated};
  MPI_Reduce(own, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("kernels %.6f %.6f run %.6f sum %g\n", all[0], all[1], run, sum);
  free(to);
  free(from);
  MPI_Finalize();
  return 0;
}
