/* SPDX-License-Identifier: MIT
 * Heat conduction in a square plate: Jacobi iteration on a 2D grid, split into blocks over a Cartesian communicator.
 * Each step exchanges one row or column with every neighbour, updates the block and sums the residual over all ranks.
 *
 * usage: heat2d [STEPS [POINTS]]    POINTS: the grid's edge (default 512; the grid is POINTS x POINTS), STEPS: default 1000
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WEST, EAST, SOUTH, NORTH, DIRECTIONS };

typedef struct {
  int nx, ny;         /* points of this rank's block, without the border */
  double *now, *next; /* (nx+2) x (ny+2), row by row */
} Block;

static double* at(double* grid, const Block* b, int x, int y) {
  return grid + (size_t)y * (size_t)(b->nx + 2) + x;
}

static int share(int points, int parts, int index) {
  return points / parts + (index < points % parts ? 1 : 0);
}

static void exchange_halo(const Block* b, MPI_Comm grid, const int neighbour[DIRECTIONS],
                          MPI_Datatype column) {
  double* g = b->now;
  MPI_Request requests[2 * DIRECTIONS];
  MPI_Irecv(at(g, b, 0, 1), 1, column, neighbour[WEST], EAST, grid, &requests[0]);
  MPI_Irecv(at(g, b, b->nx + 1, 1), 1, column, neighbour[EAST], WEST, grid, &requests[1]);
  MPI_Irecv(at(g, b, 1, 0), b->nx, MPI_DOUBLE, neighbour[SOUTH], NORTH, grid, &requests[2]);
  MPI_Irecv(at(g, b, 1, b->ny + 1), b->nx, MPI_DOUBLE, neighbour[NORTH], SOUTH, grid, &requests[3]);
  MPI_Isend(at(g, b, 1, 1), 1, column, neighbour[WEST], WEST, grid, &requests[4]);
  MPI_Isend(at(g, b, b->nx, 1), 1, column, neighbour[EAST], EAST, grid, &requests[5]);
  MPI_Isend(at(g, b, 1, 1), b->nx, MPI_DOUBLE, neighbour[SOUTH], SOUTH, grid, &requests[6]);
  MPI_Isend(at(g, b, 1, b->ny), b->nx, MPI_DOUBLE, neighbour[NORTH], NORTH, grid, &requests[7]);
  MPI_Waitall(2 * DIRECTIONS, requests, MPI_STATUSES_IGNORE);
}

static double update(Block* b) {
  double residual = 0;
  for (int y = 1; y <= b->ny; ++y) {
    for (int x = 1; x <= b->nx; ++x) {
      double mean = 0.25 * (*at(b->now, b, x - 1, y) + *at(b->now, b, x + 1, y) +
                            *at(b->now, b, x, y - 1) + *at(b->now, b, x, y + 1));
      double change = mean - *at(b->now, b, x, y);
      *at(b->next, b, x, y) = mean;
      residual += change * change;
    }
  }
  double* last = b->now;
  b->now = b->next;
  b->next = last;
  return residual;
}

static void heat_south_edge(Block* b) {
  for (int x = 0; x < b->nx + 2; ++x) *at(b->now, b, x, 0) = *at(b->next, b, x, 0) = 100.0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int steps = argc > 1 ? atoi(argv[1]) : 1000;
  int points = argc > 2 ? atoi(argv[2]) : 512;
  int size, rank, dims[2] = {0, 0}, periods[2] = {0, 0}, place[2];
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  if (steps < 0 || points < dims[0] || points < dims[1]) {
    fprintf(stderr,
            "usage: heat2d [STEPS [POINTS]]  (at least one point per rank and direction)\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 2, place);
  int neighbour[DIRECTIONS];
  MPI_Cart_shift(grid, 0, 1, &neighbour[WEST], &neighbour[EAST]);
  MPI_Cart_shift(grid, 1, 1, &neighbour[SOUTH], &neighbour[NORTH]);

  Block b = {share(points, dims[0], place[0]), share(points, dims[1], place[1]), NULL, NULL};
  size_t cells = (size_t)(b.nx + 2) * (size_t)(b.ny + 2);
  b.now = calloc(cells, sizeof(double));
  b.next = calloc(cells, sizeof(double));
  if (!b.now || !b.next) MPI_Abort(MPI_COMM_WORLD, 1);
  if (neighbour[SOUTH] == MPI_PROC_NULL) heat_south_edge(&b);

  MPI_Datatype column;
  MPI_Type_vector(b.ny, 1, b.nx + 2, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);

  double residual = 0;
  for (int step = 0; step < steps; ++step) {
    exchange_halo(&b, grid, neighbour, column);
    double mine = update(&b);
    MPI_Allreduce(&mine, &residual, 1, MPI_DOUBLE, MPI_SUM, grid);
  }
  if (rank == 0)
    printf("heat2d: %d ranks (%d x %d), %d steps, residual %.6e\n", size, dims[0], dims[1], steps,
           residual);

  MPI_Type_free(&column);
  free(b.now);
  free(b.next);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
