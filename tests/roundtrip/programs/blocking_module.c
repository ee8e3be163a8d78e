// SPDX-License-Identifier: MIT
// Beside the program: a tool that wraps MPI as the recorder does, such as a profiler. It counts sends, and crashes where it is called without
// having seen MPI_Init.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int is_ready;
static long sends;

static int begin(int result) {
  is_ready = 1;
  return result;
}

int MPI_Init(int* argc, char*** argv) { return begin(PMPI_Init(argc, argv)); }

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return begin(PMPI_Init_thread(argc, argv, required, provided));
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  if (!is_ready) abort();
  ++sends;
  return PMPI_Send(data, count, type, to, tag, comm);
}

// The recorder does not wrap it.
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
  if (!is_ready) abort();
  return PMPI_Get_count(status, type, count);
}

int MPI_Finalize(void) {
  long all = 0;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Reduce(&sends, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) fprintf(stderr, "other tool: %ld sends\n", all);
  return PMPI_Finalize();
}
