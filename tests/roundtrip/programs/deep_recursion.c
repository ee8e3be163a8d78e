/* SPDX-License-Identifier: MIT
 * A recursion whose way down differs from call to call: an allreduce at PATHS call paths, one after the other, again and again, all through one line.
 *
 * usage: deep_recursion PATHS ROUNDS    PATHS: at most 16384, each binary digit of a path's number is a call from another line */
#include "ring.h"

enum { kLevels = 14 };

static int sum;

static __attribute__((noinline)) void down(int levels, int path) {
  if (levels == 0)
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  else if (path % 2 == 0) {
    down(levels - 1, path / 2);
    __asm__ volatile("# even" ::: "memory");
  } else {
    down(levels - 1, path / 2);
    __asm__ volatile("# odd" ::: "memory");
  }
  __asm__ volatile("" ::: "memory"); /* the frame has to stay */
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  const int paths = atoi(argv[1]), rounds = atoi(argv[2]);
  for (int round = 0; round < rounds; ++round)
    for (int path = 0; path < paths; ++path) down(kLevels, path);
  EXPECT(sum == ranks * (ranks - 1) / 2);
  finish("deep_recursion");
  return 0;
}
