// SPDX-License-Identifier: MIT
// C++ exceptions thrown over many frames between MPI calls: the recorder's walk up the stack must not mind frames that are gone.
#include <stdexcept>

#include "ring.h"

namespace {

int depth_reached = 0;

void descend(int depth) {
  ++depth_reached;
  int in = -1;
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  EXPECT(in == left);
  if (depth == 0) throw std::runtime_error("bottom");
  descend(depth - 1);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  int caught = 0;
  for (int round = 0; round < 20; ++round) {
    try {
      descend(round % 4);
    } catch (const std::runtime_error&) {
      ++caught;
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
  EXPECT(caught == 20 && depth_reached == 50);
  finish("exceptions");
  return 0;
}
