/* SPDX-License-Identifier: MIT
 * Sizes that follow no rule: every call of the ring has another one, alike on all ranks, so that nothing folds but the loop. */
#include "ring.h"

enum { kRounds = 20000, kRoom = 4096 };

int main(int argc, char** argv) {
  static char out[kRoom], in[kRoom];
  unsigned long long state = 42;
  MPI_Init(&argc, &argv);
  find_ring();
  for (int round = 0; round < kRounds; ++round) {
    state = state * 6364136223846793005ull + 1442695040888963407ull; /* Knuth, MMIX */
    const int bytes = (int)(state >> 52);
    MPI_Sendrecv(out, bytes, MPI_CHAR, right, 1, in, bytes, MPI_CHAR, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  finish("irregular");
  return 0;
}
