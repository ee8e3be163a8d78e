/* SPDX-License-Identifier: MIT
 * Requests that one thread starts and another completes, under MPI_THREAD_MULTIPLE: who was first is in no trace. */
#include <pthread.h>

#include "ring.h"

enum { kRounds = 50 };
static MPI_Request requests[2];
static int out, in;
static pthread_barrier_t turn;

static void* complete(void* unused) {
  for (int round = 0; round < kRounds; ++round) {
    pthread_barrier_wait(&turn); /* started */
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    pthread_barrier_wait(&turn); /* complete */
  }
  return unused;
}

int main(int argc, char** argv) {
  int level = MPI_THREAD_SINGLE;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  find_ring();
  EXPECT(level == MPI_THREAD_MULTIPLE);
  pthread_barrier_init(&turn, NULL, 2);
  pthread_create(&thread, NULL, complete, NULL);
  for (int round = 0; round < kRounds; ++round) {
    out = rank + round;
    MPI_Irecv(&in, 1, MPI_INT, left, round, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, right, round, MPI_COMM_WORLD, &requests[1]);
    pthread_barrier_wait(&turn);
    pthread_barrier_wait(&turn);
    EXPECT(in == left + round);
  }
  pthread_join(thread, NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  finish("zoo_handed_over");
  return 0;
}
