/* SPDX-License-Identifier: MIT
 * Every blocking collective, vectors with unequal shares, and MPI_IN_PLACE; results are checked. */
#include "ring.h"

enum { kRounds = 4, kMost = 4 };

static void rooted(int root) {
  int mine = rank + 1, one = 0, all[kMost], many[kMost * kMost], counts[kMost], at[kMost],
      total = 0;
  for (int r = 0; r < ranks; ++r) {
    counts[r] = r + 1;
    at[r] = total;
    total += counts[r];
    all[r] = 10 * r;
  }
  int word = rank == root ? 42 : 0;
  MPI_Bcast(&word, 1, MPI_INT, root, MPI_COMM_WORLD);
  EXPECT(word == 42);
  MPI_Reduce(&mine, &one, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  EXPECT(rank != root || one == ranks * (ranks + 1) / 2);
  MPI_Scatter(all, 1, MPI_INT, &one, 1, MPI_INT, root, MPI_COMM_WORLD);
  EXPECT(one == 10 * rank);
  MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, root, MPI_COMM_WORLD);
  EXPECT(rank != root || all[ranks - 1] == ranks);
  for (int i = 0; i < total; ++i) many[i] = i;
  int part[kMost];
  MPI_Scatterv(many, counts, at, MPI_INT, part, rank + 1, MPI_INT, root, MPI_COMM_WORLD);
  EXPECT(part[rank] == at[rank] + rank);
  memset(many, 0, sizeof many);
  MPI_Gatherv(part, rank + 1, MPI_INT, many, counts, at, MPI_INT, root, MPI_COMM_WORLD);
  EXPECT(rank != root || many[total - 1] == total - 1);
  if (rank == root)
    MPI_Reduce(MPI_IN_PLACE, &mine, 1, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
  else
    MPI_Reduce(&mine, NULL, 1, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
  EXPECT(mine == (rank == root ? ranks : rank + 1));
}

static void symmetric(void) {
  int mine = rank + 1, one = 0, all[kMost], many[kMost * kMost], counts[kMost], ones[kMost],
      at[kMost], total = 0;
  MPI_Datatype types[kMost];
  for (int r = 0; r < ranks; ++r) {
    counts[r] = r + 1;
    at[r] = total;
    total += counts[r];
    ones[r] = 1;
    types[r] = MPI_INT;
  }
  MPI_Allreduce(&mine, &one, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT(one == ranks * (ranks + 1) / 2);
  one = mine;
  MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT(one == ranks * (ranks + 1) / 2);
  MPI_Scan(&mine, &one, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT(one == (rank + 1) * (rank + 2) / 2);
  MPI_Exscan(&mine, &one, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT(rank == 0 || one == rank * (rank + 1) / 2);
  MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  EXPECT(all[left] == left + 1);
  int share[kMost] = {mine, mine, mine, mine};
  MPI_Allgatherv(share, rank + 1, MPI_INT, many, counts, at, MPI_INT, MPI_COMM_WORLD);
  EXPECT(many[total - 1] == ranks);
  int sent[kMost];
  for (int r = 0; r < ranks; ++r) sent[r] = 10 * rank + r;
  MPI_Alltoall(sent, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  EXPECT(all[left] == 10 * left + rank);
  int received_at[kMost], received[kMost], places[kMost], source[kMost * kMost];
  for (int r = 0; r < ranks; ++r) {
    received[r] = rank + 1;
    received_at[r] = r * (rank + 1);
    places[r] = r * (int)sizeof(int);
  }
  for (int i = 0; i < total; ++i) source[i] = rank;
  MPI_Alltoallv(source, counts, at, MPI_INT, many, received, received_at, MPI_INT, MPI_COMM_WORLD);
  EXPECT(many[left * (rank + 1)] == left);
  MPI_Alltoallw(sent, ones, places, types, all, ones, places, types, MPI_COMM_WORLD);
  EXPECT(all[right] == 10 * right + rank);
  MPI_Reduce_scatter_block(sent, &one, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT(one == 10 * ranks * (ranks - 1) / 2 + ranks * rank);
  MPI_Reduce_scatter(sent, &one, ones, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT(one == 10 * ranks * (ranks - 1) / 2 + ranks * rank);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  for (int round = 0; round < kRounds; ++round) {
    rooted(round % ranks);
    symmetric();
  }
  finish("collectives");
  return 0;
}
