/* SPDX-License-Identifier: MIT
 * Sizes and loops that are new in every step: an all-to-all of pseudo-random counts that every rank computes for all pairs, then as many
 * exchanges around the ring as the step says, each of another size. varying.py computes the same numbers. */
#include "ring.h"

enum { kSteps = 200, kRoom = 4096, kMaxRanks = 16 };

static unsigned next(unsigned long long* state) {
  *state = *state * 6364136223846793005ull + 1442695040888963407ull; /* Knuth, MMIX */
  return (unsigned)(*state >> 52);
}

int main(int argc, char** argv) {
  static char out[kMaxRanks * kRoom], in[kMaxRanks * kRoom];
  int send[kMaxRanks], receive[kMaxRanks], places[kMaxRanks];
  unsigned long long state = 42;
  MPI_Init(&argc, &argv);
  find_ring();
  for (int i = 0; i < kMaxRanks; ++i) places[i] = i * kRoom;
  for (int step = 0; step < kSteps; ++step) {
    for (int from = 0; from < ranks; ++from)
      for (int to = 0; to < ranks; ++to) {
        const int bytes = (int)next(&state);
        if (from == rank) send[to] = bytes;
        if (to == rank) receive[from] = bytes;
      }
    MPI_Alltoallv(out, send, places, MPI_CHAR, in, receive, places, MPI_CHAR, MPI_COMM_WORLD);
    const int rounds = (int)(next(&state) % 6);
    for (int round = 0; round < rounds; ++round) {
      const int bytes = (int)next(&state);
      MPI_Sendrecv(out, bytes, MPI_CHAR, right, 1, in, bytes, MPI_CHAR, left, 1, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    }
  }
  finish("varying");
  return 0;
}
