/* SPDX-License-Identifier: MIT
 * A model of weather models: in each step `dynamics` moves air between columns in five short steps (a halo exchange with two
 * neighbours in each) and `physics` works in each column alone, three times as much where it is day; a sum over all ranks ends the step.
 *
 * usage: layers [STEPS [COLUMNS]]    COLUMNS: of all ranks together (default 4096), STEPS: default 200
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEVELS = 32, HALO_WEST = 1, HALO_EAST = 2 };

typedef struct {
  int rank, size, columns;
  double *air, *moved; /* (columns + 2) x LEVELS: a column of each neighbour at either end */
} Strip;

/* Moves air between columns; the compute time before the calls of this function is its own. */
__attribute__((noinline)) static void dynamics(Strip* s) {
  for (int c = 1; c <= s->columns; ++c)
    for (int l = 0; l < LEVELS; ++l) {
      double here = s->air[c * LEVELS + l];
      s->moved[c * LEVELS + l] =
          here + 0.2 * (s->air[(c - 1) * LEVELS + l] - 2 * here + s->air[(c + 1) * LEVELS + l]);
    }
  double* before = s->air;
  s->air = s->moved;
  s->moved = before;
  int west = (s->rank + s->size - 1) % s->size, east = (s->rank + 1) % s->size;
  double* a = s->air;
  MPI_Sendrecv(a + LEVELS, LEVELS, MPI_DOUBLE, west, HALO_WEST, a + (s->columns + 1) * LEVELS,
               LEVELS, MPI_DOUBLE, east, HALO_WEST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(a + s->columns * LEVELS, LEVELS, MPI_DOUBLE, east, HALO_EAST, a, LEVELS, MPI_DOUBLE,
               west, HALO_EAST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Both are functions of their own in the program as it is built: samples tell them apart. */
__attribute__((noinline)) static void sweep(double* column) {
  for (int l = 1; l < LEVELS; ++l)
    column[l] += 1e-3 * (column[l - 1] - column[l]) / (1 + column[l] * column[l]);
}
__attribute__((noinline)) static void clouds(Strip* s) {
  for (int c = 1; c <= s->columns; ++c) sweep(s->air + c * LEVELS);
}
__attribute__((noinline)) static void radiation(Strip* s) {
  for (int c = 1; c <= s->columns; ++c)
    for (int band = 0; band < 2; ++band) sweep(s->air + c * LEVELS);
}

/* Clouds everywhere, light where it is day: on half of the ranks. Returns the energy of all columns. */
__attribute__((noinline)) static double physics(Strip* s) {
  double mine = 0, all = 0;
  clouds(s);
  if (s->rank < s->size / 2) radiation(s);
  for (int c = 1; c <= s->columns; ++c)
    for (int l = 0; l < LEVELS; ++l) mine += s->air[c * LEVELS + l];
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Strip s;
  int steps = argc > 1 ? atoi(argv[1]) : 200;
  int columns = argc > 2 ? atoi(argv[2]) : 4096;
  MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &s.size);
  s.columns = columns / s.size;
  if (steps < 0 || s.columns < 1) {
    fprintf(stderr, "usage: layers [STEPS [COLUMNS]]  (at least one column per rank)\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  size_t cells = (size_t)(s.columns + 2) * LEVELS;
  s.air = calloc(cells, sizeof(double));
  s.moved = calloc(cells, sizeof(double));
  if (!s.air || !s.moved) MPI_Abort(MPI_COMM_WORLD, 1);
  for (size_t i = 0; i < cells; ++i) s.air[i] = (double)(i % 17) + s.rank;
  double energy = 0;
  for (int step = 0; step < steps; ++step) {
    for (int part = 0; part < 5; ++part) dynamics(&s);
    energy = physics(&s);
  }
  if (s.rank == 0)
    printf("layers: %d ranks, %d columns each, %d steps, energy %.6e\n", s.size, s.columns, steps,
           energy);
  free(s.air);
  free(s.moved);
  MPI_Finalize();
  return 0;
}
