/* SPDX-License-Identifier: MIT
 * Persistent requests, started one by one and all at once, in three modes, freed at the end; one request is cancelled. */
#include "ring.h"

enum { kRounds = 30 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  int out[2], in[2], never = 0, cancelled = 0;
  MPI_Request request[4], lonely;
  MPI_Status status;
  MPI_Recv_init(&in[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &request[0]);
  MPI_Recv_init(&in[1], 1, MPI_INT, left, 2, MPI_COMM_WORLD, &request[1]);
  MPI_Send_init(&out[0], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &request[2]);
  MPI_Ssend_init(&out[1], 1, MPI_INT, right, 2, MPI_COMM_WORLD, &request[3]);
  for (int round = 0; round < kRounds; ++round) {
    out[0] = round + rank;
    out[1] = round - rank;
    if (round % 2) {
      for (int i = 0; i < 4; ++i) MPI_Start(&request[i]);
    } else {
      MPI_Startall(4, request);
    }
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    EXPECT(in[0] == round + left && in[1] == round - left);
  }
  for (int i = 0; i < 4; ++i) MPI_Request_free(&request[i]);
  MPI_Irecv(&never, 1, MPI_INT, left, 99, MPI_COMM_WORLD, &lonely);
  MPI_Cancel(&lonely);
  MPI_Wait(&lonely, &status);
  MPI_Test_cancelled(&status, &cancelled);
  EXPECT(cancelled);
  finish("persistent");
  return 0;
}
