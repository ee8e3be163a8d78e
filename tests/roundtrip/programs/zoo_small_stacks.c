/* SPDX-License-Identifier: MIT
 * Threads with stacks of 64 KiB that call MPI one after the other and end, and new ones in their place. The libraries themselves need more than
 * the least stack there is for a transfer, so the messages are small. */
#include <limits.h>
#include <pthread.h>

#include "ring.h"

enum { kThreads = 40, kRounds = 20, kStack = 64 << 10 };

static void* work(void* number) {
  const int tag = (int)(long)number;
  for (int round = 0; round < kRounds; ++round) {
    int in = -1;
    MPI_Request request;
    MPI_Irecv(&in, 1, MPI_INT, left, tag, MPI_COMM_WORLD, &request);
    MPI_Send(&round, 1, MPI_INT, right, tag, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT(in == round);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int level = MPI_THREAD_SINGLE;
  pthread_attr_t small;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  find_ring();
  EXPECT(level == MPI_THREAD_MULTIPLE);
  EXPECT(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, kStack) == 0);
  for (long i = 0; i < kThreads; i += 4) {
    pthread_t threads[4];
    for (long k = 0; k < 4; ++k)
      EXPECT(pthread_create(&threads[k], &small, work, (void*)(i + k)) == 0);
    for (int k = 0; k < 4; ++k) pthread_join(threads[k], NULL);
  }
  finish("zoo_small_stacks");
  return 0;
}
