/* SPDX-License-Identifier: MIT */
/* usage: own_heap [damaged]. Each rank sends 50 000 messages to itself, whose tags and sizes repeat in no order, so that a recorder needs memory for them, and says
   by how many bytes its heap has grown meanwhile. damaged: then rank 0 overwrites the length of a block that it has freed, and dies in the next malloc. */
#include <malloc.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned state = 1;
static unsigned next(void) { return (state = state * 1664525u + 1013904223u) >> 12; }

static void exchange(int rank, int count) {
  static char out[64], in[64];
  for (int i = 0; i < count; ++i) {
    const int tag = (int)(next() % 1000), size = (int)(next() % 64);
    MPI_Sendrecv(out, size, MPI_CHAR, rank, tag, in, size, MPI_CHAR, rank, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  exchange(rank, 1000); /* what the MPI library itself allocates once */
  const struct mallinfo2 before = mallinfo2();
  exchange(rank, 50000);
  const struct mallinfo2 after = mallinfo2();
  printf("%lld\n",
         (long long)(after.uordblks + after.hblkhd) - (long long)(before.uordblks + before.hblkhd));
  fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  if (argc > 1 && rank == 0) {
    const size_t size = 5000; /* too large for lists of small blocks */
    char* const block = malloc(size);
    char* volatile const after_it = malloc(size);
    free(block);
    memset((void*)((uintptr_t)block - sizeof(size_t)), 0xff, sizeof(size_t)); /* its length */
    fprintf(stderr, "%p %p\n", malloc(size / 2), after_it);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
