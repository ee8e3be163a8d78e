/* SPDX-License-Identifier: MIT
 * Runs that end badly, in the way that the argument names. Every rank has made calls before; where saving what was recorded
 * depends on snapshots, it has made them for half a second. killed_at_once: the last rank ends before it has saved anything,
 * killed_before_init: rank 2 never comes to MPI_Init. stdout is one line by rank 0, flushed before the end. */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "ring.h"

static void pass(double seconds) {
  const double begin = MPI_Wtime();
  int go = 1, in;
  while (go) { /* rank 0 decides, so that all make the same calls */
    MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    nanosleep(&(struct timespec){0, 1000000}, NULL);
    go = MPI_Wtime() - begin < seconds;
    MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
}

/* All but the last rank, until each has saved something. */
static void pass_without_last(double seconds) {
  int go = rank < ranks - 1;
  for (const double begin = MPI_Wtime(); go;) { /* rank 0 decides */
    nanosleep(&(struct timespec){0, 1000000}, NULL);
    go = MPI_Wtime() - begin < seconds;
    if (rank == 0) {
      for (int other = 1; other < ranks - 1; ++other)
        MPI_Send(&go, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
    } else {
      MPI_Recv(&go, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
}

/* The last rank has waited for that without a recorded call. */
static void let_last_go(void) {
  int none = 0;
  if (rank < ranks - 1) PMPI_Send(&none, 1, MPI_INT, ranks - 1, 2, MPI_COMM_WORLD);
  for (int other = 0; rank == ranks - 1 && other < rank; ++other)
    PMPI_Recv(&none, 1, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void fall_over(void) {
  volatile int* volatile nowhere = NULL;
  *nowhere = 1;
}

int main(int argc, char** argv) {
  const char* end = argc > 1 ? argv[1] : "well";
  const char* number = getenv("OMPI_COMM_WORLD_RANK");
  if (!strcmp(end, "killed_before_init") && number && !strcmp(number, "2")) raise(SIGKILL);
  MPI_Init(&argc, &argv);
  find_ring();
  const int at_once = !strcmp(end, "killed_at_once");
  if (at_once)
    pass_without_last(0.5);
  else
    pass(!strcmp(end, "killed") ? 0.5 : 0.2);
  if (rank == 0) {
    printf("about to end: %s\n", end);
    fflush(stdout);
    /* Hydra loses what it has not forwarded yet when a rank aborts, one time in 25. */
    nanosleep(&(struct timespec){0, 100000000}, NULL);
  }
  if (at_once)
    let_last_go();
  else
    MPI_Barrier(MPI_COMM_WORLD);
  if (!strcmp(end, "abort") && rank == ranks - 1) MPI_Abort(MPI_COMM_WORLD, 5);
  if (!strcmp(end, "exit")) exit(7);
  if ((at_once || !strcmp(end, "killed")) && rank == ranks - 1) raise(SIGKILL);
  if (!strcmp(end, "terminated") && rank == ranks - 1) raise(SIGTERM);
  if (!strcmp(end, "segv") && rank == ranks - 1) fall_over();
  pass(100); /* the others work on until they are ended */
  MPI_Finalize();
  return 0;
}
