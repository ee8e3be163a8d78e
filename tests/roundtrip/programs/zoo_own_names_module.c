/* SPDX-License-Identifier: MIT
 * What zoo_own_names.c loads. */
#include <mpi.h>
#include <stdarg.h>
#include <stddef.h>

static double given[10];

/* More arguments than registers have, of either kind. */
double mpi_send(double a, int i, double b, long j, double c, const char* k, double d, int l,
                double e, int m, double f, int n, double g, double h, int o, double p) {
  const double all[] = {
      a, b, c, d, e, f, g, h, p, i + 10.0 * j + 100.0 * *k + 1e4 * l + 1e5 * m + 1e6 * n + 1e7 * o};
  double sum = 0;
  for (int at = 0; at < 10; ++at) sum += given[at] == all[at] ? 1 : 0;
  return sum / 4;
}

/* xmm registers are counted in al. */
double mpi_finalize(int count, ...) {
  va_list all;
  double sum = 0;
  va_start(all, count);
  for (int at = 0; at < count; ++at) sum += va_arg(all, double);
  va_end(all);
  return sum;
}

/* For who calls through a pointer, from another file. */
double mpi_comm_spawn(double a, int b) { return a + b; }
double (*const given_away)(double, int) = mpi_comm_spawn;

/* A stand-in for MPI's: no communication at all. */
void mpi_barrier_(const int* comm, int* ierror) { *ierror = 4711 + (comm == NULL); }

int pass_on(MPI_Comm comm, int to_right, int round) {
  const char seven = 7;
  const double all[] = {1.5, 2.5, 3.5, 4.5, 5.5,
                        6.5, 7.5, 8.5, 9.5, 1 + 20.0 + 700.0 + 4e4 + 5e5 + 6e6 + 8e7};
  int faults = 0, ierror = 0;
  for (int at = 0; at < 10; ++at) given[at] = all[at];
  faults += mpi_send(1.5, 1, 2.5, 2, 3.5, &seven, 4.5, 4, 5.5, 5, 6.5, 6, 7.5, 8.5, 8, 9.5) != 2.5;
  faults += mpi_finalize(9, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, (double)round) != 36 + round;
  mpi_barrier_(&faults, &ierror);
  faults += ierror != 4711;
  if (round % 5 == 0) MPI_Barrier(comm);
  return faults + (to_right < 0);
}
