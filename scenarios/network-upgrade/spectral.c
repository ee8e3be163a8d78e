/* SPDX-License-Identifier: MIT
 * The communication of a spectral solver: in each step the field is transposed across all ranks (large messages), and an iteration with
 * two global sums a round (small ones) follows.
 *
 * usage: spectral [STEPS [POINTS]]    POINTS: the field's edge (default 512), STEPS: default 50
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 10 };

static void transform(double* field, size_t points) {
  for (size_t i = 1; i < points; ++i) field[i] = 0.5 * field[i] + 0.25 * field[i - 1] + 1e-3;
}

static void transpose(const double* field, double* turned, int block) {
  MPI_Alltoall(field, block, MPI_DOUBLE, turned, block, MPI_DOUBLE, MPI_COMM_WORLD);
}

static double iterate(const double* field, size_t points) {
  double norm = 1;
  for (int round = 0; round < ROUNDS; ++round) {
    double mine = 0, all = 0;
    for (size_t i = (size_t)round; i < points; i += ROUNDS) mine += field[i] * field[i];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    mine = all / norm;
    MPI_Allreduce(&mine, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  return norm;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int steps = argc > 1 ? atoi(argv[1]) : 50;
  int edge = argc > 2 ? atoi(argv[2]) : 512;
  int block = edge / size * (edge / size);
  if (steps < 0 || block < 1) {
    fprintf(stderr,
            "usage: spectral [STEPS [POINTS]]  (at least one point of the edge per rank)\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  size_t points = (size_t)block * (size_t)size;
  double *field = malloc(points * sizeof *field), *turned = malloc(points * sizeof *turned);
  if (!field || !turned) MPI_Abort(MPI_COMM_WORLD, 1);
  for (size_t i = 0; i < points; ++i) field[i] = (double)(i % 13) + rank;
  double norm = 0;
  for (int step = 0; step < steps; ++step) {
    transform(field, points);
    transpose(field, turned, block);
    transform(turned, points);
    transpose(turned, field, block);
    norm = iterate(field, points);
  }
  if (rank == 0)
    printf("spectral: %d ranks, blocks of %d points, %d steps, norm %.6e\n", size, block, steps,
           norm);
  free(field);
  free(turned);
  MPI_Finalize();
  return 0;
}
