/* SPDX-License-Identifier: MIT
 * Rank 0 hands out work to whoever asks: receives from any source, with any tag, and answers. */
#include "ring.h"

enum { kTasks = 60, kAsk = 1, kResult = 2, kTask = 3, kStop = 4 };

static void lead(void) {
  long sum = 0, message;
  int given = 0, stopped = 0;
  while (stopped < ranks - 1) {
    MPI_Status status;
    MPI_Recv(&message, 1, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    EXPECT(status.MPI_TAG == kAsk || status.MPI_TAG == kResult);
    if (status.MPI_TAG == kResult) sum += message;
    long task = given;
    const int tag = given < kTasks ? kTask : kStop;
    if (tag == kTask)
      ++given;
    else
      ++stopped;
    MPI_Send(&task, 1, MPI_LONG, status.MPI_SOURCE, tag, MPI_COMM_WORLD);
  }
  EXPECT(sum == (long)kTasks * (kTasks - 1));
}

static void work(void) {
  long message = 0;
  MPI_Status status;
  MPI_Send(&message, 1, MPI_LONG, 0, kAsk, MPI_COMM_WORLD);
  for (;;) {
    MPI_Recv(&message, 1, MPI_LONG, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == kStop) return;
    message *= 2;
    MPI_Send(&message, 1, MPI_LONG, 0, kResult, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  if (rank == 0)
    lead();
  else
    work();
  finish("master_worker");
  return 0;
}
