// SPDX-License-Identifier: MIT
// Three ranks of which two wait for what never comes, until SIGTERM ends all of them after a second; or the process ends in another way. Line numbers do not
// matter to the test: calls are told by their names.
// usage: hang MODE     stuck    rank 0 in MPI_Recv, rank 1 in MPI_Barrier, rank 2 polls by MPI_Iprobe
//                      loop     rank 2 computes for ever; the others wait for it in MPI_Barrier
//                      finalize rank 2 computes for ever; the others are in MPI_Finalize
//                      killed   as stuck, but by SIGKILL
//                      exit     all end by exit() while they should be in MPI_Barrier
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void compute_for_ever(void) {
  for (volatile double sum = 0;;) sum = sum + 1;
}

static void poll_for_ever(void) {
  int flag = 0;
  while (!flag) MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  const char* const mode = argc > 1 ? argv[1] : "stuck";
  int rank = 0, in = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 20; ++i) MPI_Barrier(MPI_COMM_WORLD);
  // Launchers end the others when one has ended: by then they have left the last barrier, and end by themselves.
  if (!strcmp(mode, "exit")) {
    signal(SIGTERM, SIG_IGN);
    sleep(1);
    exit(0);
  }
  const int is_killed = !strcmp(mode, "killed");
  // Each rank gets the signal, as from a launcher that ends the job.
  const pid_t own = getpid();
  if (fork() == 0) {
    sleep(1);
    if (getppid() == own) kill(own, is_killed ? SIGKILL : SIGTERM);
    _exit(0);
  }
  if (is_killed || !strcmp(mode, "stuck")) {
    if (rank == 0) MPI_Recv(&in, 1, MPI_INT, 1, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 2) poll_for_ever();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 2) compute_for_ever();
  if (!strcmp(mode, "loop")) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
