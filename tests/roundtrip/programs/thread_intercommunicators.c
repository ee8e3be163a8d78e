/* SPDX-License-Identifier: MIT
 * Intercommunicators where several threads may make communicators (as Python's mpi4py asks for): both sides know each by one name,
 * and what is made of it, although each made it of a communicator of its own. */
#include "ring.h"

static void use(MPI_Comm between, int high) {
  MPI_Comm copy, all, own;
  MPI_Group group;
  int sum = 0, number = rank;
  MPI_Comm_dup(between, &copy);
  MPI_Intercomm_merge(copy, high, &all);
  MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, all);
  EXPECT(sum == ranks * (ranks - 1) / 2);
  MPI_Comm_group(copy, &group);
  MPI_Comm_create(all, group, &own);
  MPI_Barrier(own);
  MPI_Group_free(&group);
  MPI_Barrier(copy);
  MPI_Comm_free(&all);
  MPI_Comm_free(&own);
  MPI_Comm_free(&copy);
}

int main(int argc, char** argv) {
  int provided = 0, sent, got = -1;
  MPI_Comm half, between[2];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  find_ring();
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 2; ++i)
      MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 11 + i, &between[i]);
    for (int i = 0; i < 2; ++i) use(between[i], rank % 2);
    sent = rank + round;
    MPI_Sendrecv(&sent, 1, MPI_INT, rank / 2, round, &got, 1, MPI_INT, rank / 2, round,
                 between[round % 2], MPI_STATUS_IGNORE);
    EXPECT(got == (rank ^ 1) + round);
    for (int i = 0; i < 2; ++i) MPI_Comm_free(&between[(i + round) % 2]);
  }
  MPI_Comm_free(&half);
  finish("thread_intercommunicators");
  return 0;
}
