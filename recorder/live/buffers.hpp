// SPDX-License-Identifier: MIT
// Memory for payloads, and how so many bytes are told to MPI.
//
// Payload   random bytes that are finite numbers when read as float or double. A buffer for sending is shared by all sends.
// Memory    the largest payload, once for sending and once for blocking receives, and one for each request in flight.
// Time      that making room takes is the replay's own: it is counted (time_making_room) and left out of the waits to come.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace reprise::live {

// A count and a type of exactly that many bytes; beyond 2³¹−1 bytes a type made for it (and kept).
struct Extent {
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
};
Extent extent_of(std::int64_t bytes);

std::int64_t bytes_of_this_machine();  // its memory

class Buffer {
 public:
  void* of(std::int64_t bytes);  // at least that many bytes, never null

 private:
  void grow(std::size_t wanted);
  std::vector<unsigned char> memory_;
};

// Nanoseconds that this thread spent on growing buffers since it was asked last.
std::int64_t time_making_room();

// An operand of a reduction: elements of the recorded size, and an operator that commutes or not as recorded.
struct Operands {
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
  MPI_Op op = MPI_BOR;
};
// bytes need not be a multiple of element_bytes: then single bytes are reduced.
Operands operands_of(std::int64_t bytes, std::int64_t element_bytes, bool commutes);

}  // namespace reprise::live
