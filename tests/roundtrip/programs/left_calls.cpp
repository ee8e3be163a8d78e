// SPDX-License-Identifier: MIT
// MPI calls that are left out of an error handler, by longjmp and by C++ exceptions, from several depths of the stack: they are losses, and
// what comes after them is recorded.
#include <csetjmp>
#include <stdexcept>

#include "ring.h"

namespace {

std::jmp_buf before;
bool throws = false;

void leave(MPI_Comm*, int*, ...) {
  if (throws) throw std::runtime_error("left");
  std::longjmp(before, 1);
}

[[gnu::noinline]] int send_to_nobody(int depth) {
  volatile char room[256] = {};
  if (depth > 0) return send_to_nobody(depth - 1) + room[0];
  int value = 0;
  return MPI_Send(&value, 1, MPI_INT, ranks + 5, 0, MPI_COMM_WORLD);
}

void meet() {
  for (int i = 0; i < 20; ++i) MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(leave, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  volatile int times_left = 0;
  for (volatile int depth = 0; depth < 5; depth = depth + 1) {
    if (setjmp(before) == 0)
      send_to_nobody(depth);
    else
      times_left = times_left + 1;
    meet();
  }
  throws = true;
  for (int depth = 0; depth < 5; ++depth) {
    try {
      send_to_nobody(depth);
    } catch (const std::runtime_error&) {
      times_left = times_left + 1;
    }
    meet();
  }
  EXPECT(times_left == 10);
  finish("left_calls");
  return 0;
}
