/* SPDX-License-Identifier: MIT
 * Everybody with everybody, each message with a tag of its own: sender * ranks + receiver. */
#include "ring.h"

enum { kSteps = 20, kMaxRanks = 64 };

int main(int argc, char** argv) {
  static int out[kMaxRanks], in[kMaxRanks];
  MPI_Request requests[2 * kMaxRanks];
  MPI_Init(&argc, &argv);
  find_ring();
  if (ranks > kMaxRanks) MPI_Abort(MPI_COMM_WORLD, 2);
  for (int step = 0; step < kSteps; ++step) {
    int count = 0;
    for (int other = 0; other < ranks; ++other)
      if (other != rank)
        MPI_Irecv(&in[other], 1, MPI_INT, other, other * ranks + rank, MPI_COMM_WORLD,
                  &requests[count++]);
    for (int other = 0; other < ranks; ++other)
      if (other != rank)
        MPI_Isend(&out[other], 1, MPI_INT, other, rank * ranks + other, MPI_COMM_WORLD,
                  &requests[count++]);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  }
  finish("tagged_exchange");
  return 0;
}
