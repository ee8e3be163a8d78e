/* SPDX-License-Identifier: MIT
 * Communicators made of communicators by keys that are in no order, neighbourhood collectives with unequal counts on a grid,
 * and every collective between two groups. */
#include "ring.h"

enum { kRounds = 3, kMost = 16 };

/* A key that neither rises nor falls with the rank. */
static int shuffled(int number, int count) { return (5 * number + 3) % (count * 7); }

static void nest(MPI_Comm comm, int depth) {
  int place, size, sum = 0;
  MPI_Comm_rank(comm, &place);
  MPI_Comm_size(comm, &size);
  int word = place == size - 1 ? 100 + depth : 0;
  MPI_Bcast(&word, 1, MPI_INT, size - 1, comm);
  EXPECT(word == 100 + depth);
  int out = place, in = -1;
  MPI_Sendrecv(&out, 1, MPI_INT, (place + 1) % size, depth, &in, 1, MPI_INT,
               (place + size - 1) % size, depth, comm, MPI_STATUS_IGNORE);
  EXPECT(in == (place + size - 1) % size);
  MPI_Allreduce(&out, &sum, 1, MPI_INT, MPI_SUM, comm);
  EXPECT(sum == size * (size - 1) / 2);
  if (size == 1 || depth == 3) return;
  MPI_Comm part;
  MPI_Comm_split(comm, place % 2, shuffled(place, size), &part);
  nest(part, depth + 1);
  MPI_Comm_free(&part);
}

/* One number to each neighbour in the first dimension, three to each in the second. */
static void grid(void) {
  MPI_Comm cart;
  int shape[2] = {0, 0}, periodic[2] = {1, 1};
  MPI_Dims_create(ranks, 2, shape);
  MPI_Cart_create(MPI_COMM_WORLD, 2, shape, periodic, 1, &cart);
  int send_counts[4] = {1, 1, 3, 3}, receive_counts[4] = {1, 1, 3, 3}, offsets[4] = {0, 1, 2, 5},
      places[4] = {0, 1, 2, 5};
  int out[8], in[8];
  for (int i = 0; i < 8; ++i) {
    out[i] = rank;
    in[i] = -1;
  }
  MPI_Neighbor_alltoallv(out, send_counts, offsets, MPI_INT, in, receive_counts, places, MPI_INT,
                         cart);
  for (int i = 0; i < 8; ++i) EXPECT(in[i] >= 0 && in[i] < ranks);
  int all[16];
  int counts[4] = {2, 2, 2, 2}, starts[4] = {0, 4, 8, 12};
  MPI_Neighbor_allgatherv(out, 2, MPI_INT, all, counts, starts, MPI_INT, cart);
  MPI_Request request;
  MPI_Ineighbor_alltoallv(out, send_counts, offsets, MPI_INT, in, receive_counts, places, MPI_INT,
                          cart, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&cart);
}

/* Even ranks on one side, odd ones on the other. */
static void between_groups(void) {
  MPI_Comm side, bridge;
  int others, one = 1, sum = 0, all[kMost], out[kMost], counts[kMost], starts[kMost];
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank % 2 ? (ranks - 1) / 2 * 2 : ranks / 2 * 2 - 1,
                       5, &bridge);
  MPI_Comm_remote_size(bridge, &others);
  for (int i = 0; i < kMost; ++i) {
    out[i] = rank;
    counts[i] = 1;
    starts[i] = i;
  }
  MPI_Barrier(bridge);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, bridge);
  EXPECT(sum == others);
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, bridge);
  EXPECT(all[0] % 2 != rank % 2);
  MPI_Allgatherv(&rank, 1, MPI_INT, all, counts, starts, MPI_INT, bridge);
  MPI_Alltoall(out, 1, MPI_INT, all, 1, MPI_INT, bridge);
  MPI_Alltoallv(out, counts, starts, MPI_INT, all, counts, starts, MPI_INT, bridge);
  EXPECT(all[others - 1] % 2 != rank % 2);
  int place;
  MPI_Comm_rank(bridge, &place);
  const int root = rank % 2     ? 0
                   : place == 0 ? MPI_ROOT
                                : MPI_PROC_NULL; /* the even side's first gives and takes */
  MPI_Bcast(&sum, 1, MPI_INT, root, bridge);
  MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, root, bridge);
  EXPECT(root != MPI_ROOT || sum == others);
  MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, root, bridge);
  MPI_Scatter(out, 1, MPI_INT, all, 1, MPI_INT, root, bridge);
  MPI_Comm_free(&bridge);
  MPI_Comm_free(&side);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  for (int round = 0; round < kRounds; ++round) {
    nest(MPI_COMM_WORLD, 0);
    grid();
    between_groups();
  }
  finish("nested_communicators");
  return 0;
}
