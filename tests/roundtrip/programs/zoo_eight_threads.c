/* SPDX-License-Identifier: MIT
 * Eight threads of every rank at once under MPI_THREAD_MULTIPLE: messages, matched probes, requests, and collectives, blocking and not, on a
 * communicator of each thread's own. */
#include <pthread.h>

#include "ring.h"

enum { kThreads = 8, kRounds = 50 };
static MPI_Comm own[kThreads];

static void* work(void* number) {
  const int thread = (int)(long)number;
  for (int round = 0; round < kRounds; ++round) {
    int in = -1, later = -1, sum = 0;
    MPI_Status status;
    MPI_Message message;
    MPI_Request requests[3];
    MPI_Send(&round, 1, MPI_INT, right, thread, MPI_COMM_WORLD);
    MPI_Mprobe(left, thread, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(&in, 1, MPI_INT, &message, &status);
    EXPECT(in == round);
    MPI_Allreduce(&round, &sum, 1, MPI_INT, MPI_SUM, own[thread]);
    EXPECT(sum == ranks * round);
    MPI_Irecv(&later, 1, MPI_INT, left, kThreads + thread, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&round, 1, MPI_INT, right, kThreads + thread, MPI_COMM_WORLD, &requests[1]);
    MPI_Ibarrier(own[thread], &requests[2]);
    for (int done = 0; !done;) MPI_Testall(3, requests, &done, MPI_STATUSES_IGNORE);
    EXPECT(later == round);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  find_ring();
  EXPECT(level == MPI_THREAD_MULTIPLE);
  for (int i = 0; i < kThreads; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &own[i]);
  for (long i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < kThreads; ++i) MPI_Comm_free(&own[i]);
  finish("zoo_eight_threads");
  return 0;
}
