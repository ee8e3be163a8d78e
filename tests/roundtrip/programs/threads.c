/* SPDX-License-Identifier: MIT
 * Two threads of every rank send round the ring at once, each with its own tag, under MPI_THREAD_MULTIPLE. */
#include <pthread.h>

#include "ring.h"

enum { kRounds = 200 };

static void* go_round(void* tag_of) {
  const int tag = *(const int*)tag_of;
  for (int round = 0; round < kRounds; ++round) {
    int out = 1000 * tag + round, in = -1;
    MPI_Request request;
    MPI_Irecv(&in, 1, MPI_INT, left, tag, MPI_COMM_WORLD, &request);
    MPI_Send(&out, 1, MPI_INT, right, tag, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT(in == out);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  find_ring();
  EXPECT(provided == MPI_THREAD_MULTIPLE);
  int tags[2] = {1, 2};
  pthread_t other;
  pthread_create(&other, NULL, go_round, &tags[1]);
  go_round(&tags[0]);
  pthread_join(other, NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  finish("threads");
  return 0;
}
