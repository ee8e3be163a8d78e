/* SPDX-License-Identifier: MIT
 * Communicators of every make, each used: copies, splits with reversed keys and with absent ranks, groups, grids, graphs,
 * intercommunicators; made and freed again and again. */
#include "ring.h"

enum { kRounds = 3, kMost = 4 };

static void sum_over(MPI_Comm comm) {
  int one = 1, sum = 0, size;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  MPI_Comm_size(comm, &size);
  EXPECT(sum == size);
}

static void copies_and_splits(void) {
  MPI_Comm copy, reversed, some, node, idle;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  sum_over(copy);
  MPI_Comm_split(copy, 0, ranks - rank, &reversed); /* the last rank becomes the first */
  int place, word = rank == ranks - 1 ? 7 : 0;
  MPI_Comm_rank(reversed, &place);
  EXPECT(place == ranks - 1 - rank);
  MPI_Bcast(&word, 1, MPI_INT, 0, reversed);
  EXPECT(word == 7);
  int out = rank, in = -1;
  MPI_Sendrecv(&out, 1, MPI_INT, (place + 1) % ranks, 1, &in, 1, MPI_INT,
               (place + ranks - 1) % ranks, 1, reversed, MPI_STATUS_IGNORE);
  EXPECT(in == right);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, -rank, &some);
  EXPECT((some == MPI_COMM_NULL) == (rank == 0));
  if (some != MPI_COMM_NULL) {
    sum_over(some);
    MPI_Comm_free(&some);
  }
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  sum_over(node);
  MPI_Comm_idup(MPI_COMM_WORLD, &idle, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  sum_over(idle);
  MPI_Comm_free(&idle);
  MPI_Comm_free(&node);
  MPI_Comm_free(&reversed);
  MPI_Comm_free(&copy);
}

static void groups(void) {
  MPI_Group world, backwards;
  MPI_Comm by_all, by_members;
  int order[kMost];
  for (int i = 0; i < ranks; ++i) order[i] = ranks - 1 - i;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, ranks - 1, order, &backwards); /* all but rank 0 */
  MPI_Comm_create(MPI_COMM_WORLD, backwards, &by_all);
  if (rank != 0) {
    MPI_Comm_create_group(MPI_COMM_WORLD, backwards, 3, &by_members);
    MPI_Barrier(by_members);
    MPI_Barrier(by_all);
    MPI_Comm_free(&by_members);
    MPI_Comm_free(&by_all);
  }
  MPI_Group_free(&backwards);
  MPI_Group_free(&world);
}

static void topologies(void) {
  MPI_Comm cart, row, graph, near;
  int shape[2] = {ranks, 1}, periodic[2] = {1, 0}, keep[2] = {1, 0}, up, down, mine = rank,
      around[4] = {-1, -1, -1, -1}, two[2];
  MPI_Cart_create(MPI_COMM_WORLD, 2, shape, periodic, 0, &cart);
  MPI_Cart_shift(cart, 0, 1, &up, &down);
  MPI_Sendrecv_replace(&mine, 1, MPI_INT, down, 2, up, 2, cart, MPI_STATUS_IGNORE);
  EXPECT(mine == left);
  mine = rank;
  MPI_Neighbor_allgather(&mine, 1, MPI_INT, around, 1, MPI_INT, cart);
  EXPECT(around[0] == left && around[1] == right && around[2] == -1);
  int out[4] = {rank, rank + 100, 0, 0};
  MPI_Neighbor_alltoall(out, 1, MPI_INT, around, 1, MPI_INT, cart);
  EXPECT(around[2] == -1);
  MPI_Cart_sub(cart, keep, &row);
  sum_over(row);
  int degree = 1, self = rank;
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &self, &degree, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                        &graph);
  MPI_Neighbor_allgather(&mine, 1, MPI_INT, two, 1, MPI_INT, graph);
  EXPECT(two[0] == left);
  int from[2] = {left, rank}, to[2] = {right, rank};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &near);
  MPI_Request request;
  MPI_Ineighbor_allgather(&mine, 1, MPI_INT, two, 1, MPI_INT, near, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(two[0] == left && two[1] == rank);
  MPI_Comm_free(&near);
  MPI_Comm_free(&graph);
  MPI_Comm_free(&row);
  MPI_Comm_free(&cart);
}

/* Rank 0 on one side, all others on the other. */
static void bridges(void) {
  MPI_Comm side, bridge, merged;
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 1, 5, &bridge);
  int word = rank == 0 ? 11 : 0;
  MPI_Bcast(&word, 1, MPI_INT, rank == 0 ? MPI_ROOT : 0, bridge);
  EXPECT(word == 11);
  MPI_Barrier(bridge);
  int in = -1;
  if (rank == 0) MPI_Recv(&in, 1, MPI_INT, ranks - 2, 6, bridge, MPI_STATUS_IGNORE);
  if (rank == ranks - 1) MPI_Send(&rank, 1, MPI_INT, 0, 6, bridge);
  EXPECT(rank != 0 || in == ranks - 1);
  MPI_Intercomm_merge(bridge, rank == 0, &merged); /* rank 0 comes last */
  int place;
  MPI_Comm_rank(merged, &place);
  EXPECT(place == (rank == 0 ? ranks - 1 : rank - 1));
  sum_over(merged);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&bridge);
  MPI_Comm_disconnect(&side);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  for (int round = 0; round < kRounds; ++round) {
    copies_and_splits();
    groups();
    topologies();
    bridges();
  }
  finish("communicators");
  return 0;
}
