/* SPDX-License-Identifier: MIT
 * A hundred thousand communicators: a thousand alive at once, freed in another order than they were made in, then one after the other. */
#include "ring.h"

enum { kAlive = 1000, kMany = 100000 };

static void meet(MPI_Comm comm) {
  int one = 1, sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  EXPECT(sum == 1);
}

int main(int argc, char** argv) {
  static MPI_Comm alive[kAlive];
  MPI_Init(&argc, &argv);
  find_ring();
  for (int i = 0; i < kAlive; ++i) MPI_Comm_dup(MPI_COMM_SELF, &alive[i]);
  for (int i = 0; i < kAlive; i += 10) meet(alive[i]);
  for (int i = 0; i < kAlive; ++i) MPI_Comm_free(&alive[(i * 7 + 3) % kAlive]);
  for (int i = 0; i < kMany; ++i) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    if (i % 1000 == 0) meet(comm);
    MPI_Comm_free(&comm);
  }
  for (int i = 0; i < 200; ++i) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? rank : -rank, &comm);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
  }
  finish("zoo_many_communicators");
  return 0;
}
