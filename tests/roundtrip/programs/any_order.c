/* SPDX-License-Identifier: MIT
 * Rank 0 hands out work and takes what is ready: Waitany, Waitsome, Testany and Testsome over receives from every rank, persistent
 * and not, and over receives from any source; answers go to whoever was taken. */
#include "ring.h"

enum { kTasks = 24, kMost = 16, kTask = 3, kStop = 4, kResult = 2 };

static void answer(int worker, int* given, int* stopped) {
  int task = *given;
  const int tag = *given < kTasks ? kTask : kStop;
  if (tag == kTask)
    ++*given;
  else
    ++*stopped;
  MPI_Send(&task, 1, MPI_INT, worker, tag, MPI_COMM_WORLD);
}

/* One receive per worker, started again as long as it works. */
static void lead_by_waitany(int persistent) {
  MPI_Request requests[kMost];
  int results[kMost], given = 0, stopped = 0;
  for (int worker = 1; worker < ranks; ++worker) {
    if (persistent) {
      MPI_Recv_init(&results[worker], 1, MPI_INT, worker, kResult, MPI_COMM_WORLD,
                    &requests[worker - 1]);
      MPI_Start(&requests[worker - 1]);
    } else {
      MPI_Irecv(&results[worker], 1, MPI_INT, worker, kResult, MPI_COMM_WORLD,
                &requests[worker - 1]);
    }
  }
  while (stopped < ranks - 1) {
    int index;
    MPI_Waitany(ranks - 1, requests, &index, MPI_STATUS_IGNORE);
    const int before = stopped;
    answer(index + 1, &given, &stopped);
    if (stopped > before) continue;
    if (persistent)
      MPI_Start(&requests[index]);
    else
      MPI_Irecv(&results[index + 1], 1, MPI_INT, index + 1, kResult, MPI_COMM_WORLD,
                &requests[index]);
  }
  for (int worker = 1; persistent && worker < ranks; ++worker)
    MPI_Request_free(&requests[worker - 1]);
}

/* Results of a fixed number of tasks from anybody, taken as they come. */
static void lead_by_some(void) {
  MPI_Request requests[kMost];
  int results[kMost], indices[kMost], open = ranks - 1, taken;
  for (int i = 0; i < ranks - 1; ++i)
    MPI_Irecv(&results[i], 1, MPI_INT, MPI_ANY_SOURCE, kResult, MPI_COMM_WORLD, &requests[i]);
  while (open > 0) {
    int index, flag = 0;
    MPI_Status status;
    if (open % 3 == 0) {
      MPI_Waitsome(ranks - 1, requests, &taken, indices, MPI_STATUSES_IGNORE);
    } else if (open % 3 == 1) {
      while (!flag) MPI_Testany(ranks - 1, requests, &index, &flag, &status);
      taken = 1;
    } else {
      do MPI_Testsome(ranks - 1, requests, &taken, indices, MPI_STATUSES_IGNORE);
      while (taken == 0);
    }
    open -= taken;
  }
}

static void work(void) {
  int result = 0, task;
  MPI_Status status;
  for (;;) {
    MPI_Send(&result, 1, MPI_INT, 0, kResult, MPI_COMM_WORLD);
    MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == kStop) return;
    volatile double sum = 0;
    for (int i = 0; i < 2000 * (1 + task % 5); ++i) sum += i;
    result = task;
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  for (int persistent = 0; persistent < 2; ++persistent) {
    if (rank == 0)
      lead_by_waitany(persistent);
    else
      work();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  for (int round = 0; round < 4; ++round) {
    if (rank == 0)
      lead_by_some();
    else
      MPI_Send(&round, 1, MPI_INT, 0, kResult, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  finish("any_order");
  return 0;
}
