// SPDX-License-Identifier: MIT
// MPI is finalised by an object that is older than MPI_Init, as wrappers in C++ are: after all that MPI_Init had exit() call. What is called there is part of
// the program, and MPI_Finalize is its end.
#include <cstring>

#include "ring.h"

namespace {

void add_up(int times) {
  for (int i = 0; i < times; ++i) {
    int sum = 0;
    const int own = i + 1;
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(sum == ranks * own);
  }
}

struct Environment {
  ~Environment() {
    int is_initialized = 0;
    MPI_Initialized(&is_initialized);
    if (is_initialized == 0) return;
    MPI_Request request;
    int in = -1;
    MPI_Irecv(&in, 1, MPI_INT, left, 5, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, right, 5, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT(in == left);
    add_up(7);
    finish("zoo_late_finalize");
  }
};

Environment environment;

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  add_up(100);
  return 0;
}
