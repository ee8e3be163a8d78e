// SPDX-License-Identifier: MIT
// Beside the program, beneath the recorder: a tool that times each call of its rank, and tells what each procedure took in MPI_Finalize.
#include <mpi.h>
#include <stdio.h>

enum { ALLREDUCE, BCAST, SENDRECV, BARRIER, REDUCE, PROCEDURES };
static const char* const names[] = {"Allreduce", "Bcast", "Sendrecv", "Barrier", "Reduce"};
static double begin, spent[PROCEDURES];

#define TIMED(which, call)               \
  const double before = PMPI_Wtime();    \
  const int result = call;               \
  spent[which] += PMPI_Wtime() - before; \
  return result;

int MPI_Init(int* argc, char*** argv) {
  const int result = PMPI_Init(argc, argv);
  begin = PMPI_Wtime();
  return result;
}

int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  TIMED(ALLREDUCE, PMPI_Allreduce(from, to, count, type, op, comm))
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  TIMED(BCAST, PMPI_Bcast(data, count, type, root, comm))
}

int MPI_Sendrecv(const void* from, int from_count, MPI_Datatype from_type, int receiver,
                 int send_tag, void* to, int to_count, MPI_Datatype to_type, int sender,
                 int receive_tag, MPI_Comm comm, MPI_Status* status) {
  TIMED(SENDRECV, PMPI_Sendrecv(from, from_count, from_type, receiver, send_tag, to, to_count,
                                to_type, sender, receive_tag, comm, status))
}

int MPI_Barrier(MPI_Comm comm) { TIMED(BARRIER, PMPI_Barrier(comm)) }

int MPI_Reduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  TIMED(REDUCE, PMPI_Reduce(from, to, count, type, op, root, comm))
}

int MPI_Finalize(void) {
  const double end = PMPI_Wtime();
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < PROCEDURES; ++i) printf("rank %d %s %.9f\n", rank, names[i], spent[i]);
  printf("rank %d ran %.9f\n", rank, end - begin);
  fflush(stdout);
  return PMPI_Finalize();
}
