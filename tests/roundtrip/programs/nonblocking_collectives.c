/* SPDX-License-Identifier: MIT
 * Nonblocking collectives, several under way at once, completed in another order than started and mixed with messages. */
#include "ring.h"

enum { kRounds = 6, kMost = 4, kAtOnce = 8 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  for (int round = 0; round < kRounds; ++round) {
    int mine = rank + 1, sum = 0, most = 0, before = 0, word = rank == 0 ? round : -1, sent[kMost],
        swapped[kMost], all[kMost], part = 0, ring = -1;
    for (int r = 0; r < kMost; ++r) sent[r] = 10 * rank + r;
    MPI_Request request[kAtOnce];
    MPI_Ibarrier(MPI_COMM_WORLD, &request[0]);
    MPI_Ibcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request[2]);
    MPI_Ireduce(&mine, &most, 1, MPI_INT, MPI_MAX, ranks - 1, MPI_COMM_WORLD, &request[3]);
    MPI_Ialltoall(sent, 1, MPI_INT, swapped, 1, MPI_INT, MPI_COMM_WORLD, &request[4]);
    MPI_Iscan(&mine, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request[5]);
    MPI_Irecv(&ring, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &request[6]);
    MPI_Isend(&mine, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &request[7]);
    MPI_Wait(&request[2], MPI_STATUS_IGNORE);
    EXPECT(sum == ranks * (ranks + 1) / 2);
    MPI_Waitall(kAtOnce, request, MPI_STATUSES_IGNORE);
    EXPECT(word == round && ring == left + 1 && before == (rank + 1) * (rank + 2) / 2 &&
           swapped[left] == 10 * left + rank);
    EXPECT(rank != ranks - 1 || most == ranks);
    MPI_Igather(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Iscatter(all, 1, MPI_INT, &part, 1, MPI_INT, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    EXPECT(part == mine);
    MPI_Iallgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &request[0]);
    int flag = 0;
    while (!flag) MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
    EXPECT(all[left] == left + 1);
  }
  finish("nonblocking_collectives");
  return 0;
}
