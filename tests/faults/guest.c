/* SPDX-License-Identifier: MIT
 * A small program with something of everything that the recorder keeps tables of: requests, communicators, windows, threads' worth of call paths,
 * long enough for snapshots. How it ends is the argument: well, exit, abort, segv. */
#include <signal.h>
#include <time.h>

#include "tests/roundtrip/programs/ring.h"

static void pass(int depth, int tag) {
  int in = -1;
  MPI_Request requests[2];
  if (depth > 0) {
    pass(depth - 1, tag);
    return;
  }
  MPI_Irecv(&in, 1, MPI_INT, left, tag, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&rank, 1, MPI_INT, right, tag, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  EXPECT(in == left);
}

int main(int argc, char** argv) {
  const char* end = argc > 1 ? argv[1] : "well";
  MPI_Comm copy;
  MPI_Win window;
  int value = 0, sum = 0;
  MPI_Init(&argc, &argv);
  find_ring();
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  for (int round = 0; round < 6; ++round) {
    for (int depth = 0; depth < 4; ++depth) pass(depth, round);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, round % 2 ? copy : MPI_COMM_WORLD);
    EXPECT(sum == ranks * (ranks - 1) / 2);
    MPI_Win_fence(0, window);
    nanosleep(&(struct timespec){0, 4000000}, NULL);
  }
  MPI_Win_free(&window);
  MPI_Comm_free(&copy);
  printf("rank %d is done\n", rank);
  fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!strcmp(end, "exit")) exit(7);
  if (!strcmp(end, "abort")) MPI_Abort(MPI_COMM_WORLD, 5);
  if (!strcmp(end, "segv")) raise(SIGSEGV);
  finish("guest");
  return 0;
}
