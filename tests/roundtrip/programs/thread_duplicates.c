/* SPDX-License-Identifier: MIT
 * Threads that make and free duplicates at the same time, each of a communicator of its own: no two ranks make them in one order, and
 * still every barrier has to meet the one that it met. */
#include <pthread.h>

#include "ring.h"

enum { kThreads = 8, kRounds = 10 };
static MPI_Comm own[kThreads];

static void* work(void* number) {
  const int thread = (int)(long)number;
  for (int round = 0; round < kRounds; ++round) {
    MPI_Comm first, second;
    MPI_Comm_dup(own[thread], &first);
    for (int i = 0; i <= thread % 3; ++i) MPI_Barrier(first);
    MPI_Comm_dup(first, &second);
    MPI_Barrier(second);
    MPI_Comm_free(&first);
    MPI_Barrier(second);
    MPI_Comm_free(&second);
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
  finish("thread_duplicates");
  return 0;
}
