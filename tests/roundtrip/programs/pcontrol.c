/* SPDX-License-Identifier: MIT
 * Recording switched off and on again around a part of the program. */
#include "ring.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  int in = -1;
  for (int i = 0; i < 10; ++i) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(0);
  for (int i = 0; i < 7; ++i) {
    MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    EXPECT(in == left);
  }
  MPI_Pcontrol(1);
  for (int i = 0; i < 5; ++i) MPI_Barrier(MPI_COMM_WORLD);
  finish("pcontrol");
  return 0;
}
