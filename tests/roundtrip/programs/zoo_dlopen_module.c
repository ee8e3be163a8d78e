/* SPDX-License-Identifier: MIT
 * What zoo_dlopen.c loads. */
#include <mpi.h>

int meet_all(MPI_Comm comm, int round) {
  int sum = 0;
  MPI_Allreduce(&round, &sum, 1, MPI_INT, MPI_SUM, comm);
  return 1;
}

int pass_round(MPI_Comm comm, int round) {
  int rank, ranks, in;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  MPI_Sendrecv(&round, 1, MPI_INT, (rank + 1) % ranks, 1, &in, 1, MPI_INT,
               (rank + ranks - 1) % ranks, 1, comm, MPI_STATUS_IGNORE);
  return in == round;
}
