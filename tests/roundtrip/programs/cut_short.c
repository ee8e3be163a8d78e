/* SPDX-License-Identifier: MIT
 * Messages that are longer than the room for them, under MPI_ERRORS_RETURN: a receive that blocks, a non-blocking one, and one that finds
 * its message waiting. The calls return MPI_ERR_TRUNCATE, and the program goes on. */
#include "ring.h"

static int class_of(int code) {
  int class = MPI_SUCCESS;
  MPI_Error_class(code, &class);
  return class;
}

int main(int argc, char** argv) {
  int out[4] = {1, 2, 3, 4}, in[4] = {0};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  find_ring();
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int round = 0; round < 3; ++round) {
    MPI_Irecv(in, 1, MPI_INT, left, 5, MPI_COMM_WORLD, &request);
    MPI_Send(out, 4, MPI_INT, right, 5, MPI_COMM_WORLD);
    EXPECT(class_of(MPI_Wait(&request, MPI_STATUS_IGNORE)) == MPI_ERR_TRUNCATE);
    MPI_Send(out, 4, MPI_INT, right, 6, MPI_COMM_WORLD);
    EXPECT(class_of(MPI_Recv(in, 2, MPI_INT, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE)) ==
           MPI_ERR_TRUNCATE);
    MPI_Sendrecv(out, 4, MPI_INT, right, 7, in, 4, MPI_INT, left, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    EXPECT(in[3] == 4);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  finish("cut_short");
  return 0;
}
