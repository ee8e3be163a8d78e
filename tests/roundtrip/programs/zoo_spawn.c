/* SPDX-License-Identifier: MIT
 * A program that starts another one by MPI_Comm_spawn and talks to it: the children have the recorder loaded as well. */
#include "ring.h"

int main(int argc, char** argv) {
  MPI_Comm others, all;
  int value = 42, sum = 0, one = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&others);
  if (others != MPI_COMM_NULL) { /* a child */
    MPI_Recv(&value, 1, MPI_INT, 0, 1, others, MPI_STATUS_IGNORE);
    value += 1;
    MPI_Send(&value, 1, MPI_INT, 0, 2, others);
    MPI_Intercomm_merge(others, 1, &all);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&others);
    MPI_Finalize();
    return 0;
  }
  find_ring();
  MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others,
                 MPI_ERRCODES_IGNORE);
  if (rank == 0) {
    MPI_Send(&value, 1, MPI_INT, 0, 1, others);
    MPI_Recv(&value, 1, MPI_INT, 0, 2, others, MPI_STATUS_IGNORE);
    EXPECT(value == 43);
  }
  MPI_Intercomm_merge(others, 0, &all);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all);
  EXPECT(sum == ranks + 1);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&others);
  MPI_Barrier(MPI_COMM_WORLD);
  finish("zoo_spawn");
  return 0;
}
