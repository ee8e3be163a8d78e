/* SPDX-License-Identifier: MIT
 * Sizes beyond any number of bytes: the count and the datatype are fine, their product has more than 63 bits. Nothing is sent: the
 * partner is MPI_PROC_NULL. */
#include "ring.h"

int main(int argc, char** argv) {
  MPI_Datatype block, huge;
  int nothing = 0;
  MPI_Init(&argc, &argv);
  find_ring();
  MPI_Type_contiguous(1 << 30, MPI_DOUBLE, &block);
  MPI_Type_contiguous(16, block, &huge);
  MPI_Type_commit(&huge);
  MPI_Send(&nothing, 2147483647, huge, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Recv(&nothing, 2147483647, huge, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(&nothing, 1, huge, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&huge);
  MPI_Type_free(&block);
  MPI_Barrier(MPI_COMM_WORLD);
  finish("huge_counts");
  return 0;
}
