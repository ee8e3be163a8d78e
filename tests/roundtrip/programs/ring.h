/* SPDX-License-Identifier: MIT
 * What the programs of this folder share: who is who in a ring of all ranks, and a check that shows on stdout. A program prints
 * "NAME: ok" on rank 0 as its last word; a failed check prints a line more, and the runner wants that one line and no other. */
#ifndef REPRISE_TESTS_ROUNDTRIP_RING_H
#define REPRISE_TESTS_ROUNDTRIP_RING_H
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, left, right;

#define EXPECT(fact)                                                                      \
  do {                                                                                    \
    if (!(fact)) printf("rank %d, %s:%d: not so: %s\n", rank, __FILE__, __LINE__, #fact); \
  } while (0)

static void find_ring(void) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  left = (rank + ranks - 1) % ranks;
  right = (rank + 1) % ranks;
}

static void finish(const char* name) {
  MPI_Finalize();
  if (rank == 0) printf("%s: ok\n", name);
}
#endif
