/* SPDX-License-Identifier: MIT
 * A transport sweep on a grid of ranks: from each of the four corners, for each of a few groups, what comes from two neighbours is awaited,
 * computed on, and sent on to the two others. What is ready first is done first, found by MPI_Testany, MPI_Testsome and MPI_Waitsome in turn; which
 * that is, how many complete at a time, and what is sent when, differs from step to step and from run to run.
 *
 * usage: sweep_polls [STEPS [in_order|count]]   in_order: what comes is awaited in the program's order, for comparison;
 *        count: says how often each of the three completed something, over all ranks */
#include "ring.h"

enum { kCorners = 4, kGroups = 3, kChunks = kCorners * kGroups, kPoints = 200 };

static int columns, rows, column, row;
static double inbox[kChunks][2][kPoints], outbox[kChunks][2][kPoints];
static MPI_Request receives[2 * kChunks], sends[2 * kChunks];
static int missing[kChunks], sent, done, taken[3];

/* The neighbour that a chunk comes from, or goes to, along a direction; MPI_PROC_NULL at the edge. */
static int neighbour(int chunk, int vertical, int downstream) {
  const int corner = chunk % kCorners;
  int step = ((corner >> vertical) & 1) ? -1 : 1;
  if (!downstream) step = -step;
  const int x = column + (vertical ? 0 : step), y = row + (vertical ? step : 0);
  return x < 0 || x >= columns || y < 0 || y >= rows ? MPI_PROC_NULL : y * columns + x;
}

static void compute(int chunk, int step) {
  volatile double sum = 0;
  const int work = 2000 + 400 * ((rank * 7 + chunk * 3 + step) % 5) + rand() % 4000;
  for (int i = 0; i < work; ++i) sum += inbox[chunk][0][i % kPoints] * 0.5;
  for (int v = 0; v < 2; ++v) {
    const int to = neighbour(chunk, v, 1);
    if (to == MPI_PROC_NULL) continue;
    outbox[chunk][v][0] = chunk + 100 * step;
    MPI_Isend(outbox[chunk][v], kPoints, MPI_DOUBLE, to, chunk, MPI_COMM_WORLD, &sends[sent++]);
  }
  ++done;
}

static void arrived(int index, int step) {
  const int chunk = index / 2;
  EXPECT(inbox[chunk][index % 2][0] == chunk + 100 * step);
  if (--missing[chunk] == 0) compute(chunk, step);
}

static void take_what_is_ready(int step) {
  int indices[2 * kChunks], count = 0, flag = 0;
  if (step % 3 == 0) {
    while (!flag) MPI_Testany(2 * kChunks, receives, indices, &flag, MPI_STATUS_IGNORE);
    count = indices[0] != MPI_UNDEFINED;
  } else if (step % 3 == 1) {
    while (count == 0) MPI_Testsome(2 * kChunks, receives, &count, indices, MPI_STATUSES_IGNORE);
  } else {
    MPI_Waitsome(2 * kChunks, receives, &count, indices, MPI_STATUSES_IGNORE);
  }
  ++taken[step % 3];
  for (int i = 0; i < count; ++i) arrived(indices[i], step);
}

static void sweep(int step, int in_order) {
  int pending = 0;
  sent = done = 0;
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    missing[chunk] = 0;
    for (int v = 0; v < 2; ++v) {
      const int from = neighbour(chunk, v, 0);
      receives[2 * chunk + v] = MPI_REQUEST_NULL;
      if (from == MPI_PROC_NULL) continue;
      MPI_Irecv(inbox[chunk][v], kPoints, MPI_DOUBLE, from, chunk, MPI_COMM_WORLD,
                &receives[2 * chunk + v]);
      ++missing[chunk];
      ++pending;
    }
  }
  for (int chunk = 0; chunk < kChunks; ++chunk)
    if (missing[chunk] == 0) compute(chunk, step);
  if (in_order)
    for (int i = 0; i < 2 * kChunks; ++i) {
      if (receives[i] == MPI_REQUEST_NULL) continue;
      MPI_Wait(&receives[i], MPI_STATUS_IGNORE);
      arrived(i, step);
    }
  else
    while (done < kChunks) take_what_is_ready(step);
  MPI_Waitall(sent, sends, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  double sum, all;
  MPI_Init(&argc, &argv);
  find_ring();
  const int steps = argc > 1 ? atoi(argv[1]) : 100,
            in_order = argc > 2 && strcmp(argv[2], "in_order") == 0;
  for (columns = 1; (columns + 1) * (columns + 1) <= ranks; ++columns) {
  }
  while (ranks % columns != 0) --columns;
  rows = ranks / columns;
  column = rank % columns;
  row = rank / columns;
  srand((unsigned)rank + 1);
  for (int step = 0; step < steps; ++step) {
    sweep(step, in_order);
    sum = done;
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(all == ranks * kChunks);
  }
  if (argc > 2 && strcmp(argv[2], "count") == 0) {
    int sums[3];
    MPI_Reduce(taken, sums, 3, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d %d %d\n", sums[0], sums[1], sums[2]);
  }
  finish("sweep_polls");
  return 0;
}
