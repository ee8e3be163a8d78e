/* SPDX-License-Identifier: MIT
 * Messages taken out of the queue before they are received: Mprobe, Improbe, Mrecv, Imrecv; and Iprobe, polled. */
#include "ring.h"

enum { kRounds = 10 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  for (int round = 0; round < kRounds; ++round)
    for (int way = 0; way < 3; ++way) {
      int out = 100 * round + rank, in = -1, flag = 0;
      MPI_Request sent, received;
      MPI_Message message;
      MPI_Status status;
      MPI_Isend(&out, 1, MPI_INT, right, way, MPI_COMM_WORLD, &sent);
      if (way == 0) {
        MPI_Mprobe(MPI_ANY_SOURCE, way, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
      } else if (way == 1) {
        while (!flag) MPI_Improbe(left, way, MPI_COMM_WORLD, &flag, &message, &status);
        MPI_Imrecv(&in, 1, MPI_INT, &message, &received);
        MPI_Wait(&received, &status);
      } else {
        while (!flag) MPI_Iprobe(MPI_ANY_SOURCE, way, MPI_COMM_WORLD, &flag, &status);
        MPI_Recv(&in, 1, MPI_INT, status.MPI_SOURCE, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
      EXPECT(status.MPI_SOURCE == left && in == 100 * round + left);
      MPI_Wait(&sent, MPI_STATUS_IGNORE);
    }
  finish("matched_probe");
  return 0;
}
