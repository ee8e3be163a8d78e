// SPDX-License-Identifier: MIT
#include "recorder/live/buffers.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <ctime>
#include <map>
#include <mutex>
#include <utility>

namespace reprise::live {
namespace {

std::mutex made_types;
thread_local std::int64_t making_room = 0;  // ns

std::int64_t monotonic_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

MPI_Datatype contiguous(std::int64_t bytes) {
  static std::map<std::int64_t, MPI_Datatype> types;
  const std::lock_guard lock(made_types);
  const auto known = types.find(bytes);
  if (known != types.end()) return known->second;
  constexpr std::int64_t kBlock = 1 << 20;
  MPI_Datatype block = MPI_DATATYPE_NULL, made = MPI_DATATYPE_NULL;
  PMPI_Type_contiguous(static_cast<int>(kBlock), MPI_BYTE, &block);
  const int lengths[] = {static_cast<int>(bytes / kBlock), static_cast<int>(bytes % kBlock)};
  const MPI_Aint places[] = {0, static_cast<MPI_Aint>(bytes / kBlock * kBlock)};
  const MPI_Datatype parts[] = {block, MPI_BYTE};
  PMPI_Type_create_struct(2, lengths, places, parts, &made);
  PMPI_Type_commit(&made);
  PMPI_Type_free(&block);
  return types[bytes] = made;
}

void leave_as_it_is(void*, void*, int*, MPI_Datatype*) {}

MPI_Op own_operator(bool commutes) {
  static MPI_Op operators[2] = {MPI_OP_NULL, MPI_OP_NULL};
  const std::lock_guard lock(made_types);
  MPI_Op& op = operators[commutes ? 1 : 0];
  if (op == MPI_OP_NULL) PMPI_Op_create(&leave_as_it_is, commutes ? 1 : 0, &op);
  return op;
}

}  // namespace

Extent extent_of(std::int64_t bytes) {
  if (bytes <= INT_MAX) return {static_cast<int>(bytes < 0 ? 0 : bytes), MPI_BYTE};
  return {1, contiguous(bytes)};
}

void* Buffer::of(std::int64_t bytes) {
  const auto wanted = static_cast<std::size_t>(bytes < 1 ? 1 : bytes);
  if (memory_.size() < wanted) grow(wanted);
  return memory_.data();
}

void Buffer::grow(std::size_t wanted) {
  const std::int64_t begin = monotonic_ns();
  // A quarter more than asked for: sizes that rise a little each time would make room anew each time.
  memory_.assign(wanted + (memory_.empty() ? 0 : wanted / 4) + 8, 0);
  // A page of random bytes, copied: payloads may be gigabytes.
  const std::size_t page = std::min<std::size_t>(memory_.size(), 4096);
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < page; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    memory_[i] =
        static_cast<unsigned char>((state >> 33) & 0x3f);  // exponents of small finite numbers
  }
  for (std::size_t i = page; i < memory_.size(); i += page)
    std::memcpy(&memory_[i], memory_.data(), std::min(page, memory_.size() - i));
  making_room += monotonic_ns() - begin;
}

std::int64_t time_making_room() { return std::exchange(making_room, 0); }

Operands operands_of(std::int64_t bytes, std::int64_t element_bytes, bool commutes) {
  if (element_bytes <= 0 || bytes % element_bytes != 0 || bytes / element_bytes > INT_MAX) {
    const Extent extent = extent_of(bytes);
    return {extent.count, extent.type, extent.type == MPI_BYTE ? MPI_BOR : own_operator(true)};
  }
  Operands operands{static_cast<int>(bytes / element_bytes), MPI_BYTE, MPI_SUM};
  if (element_bytes == 8)
    operands.type = MPI_DOUBLE;
  else if (element_bytes == 4)
    operands.type = MPI_FLOAT;
  else if (element_bytes == 2)
    operands.type = MPI_SHORT;
  else if (element_bytes == 1)
    operands.op = MPI_BOR;
  else {
    operands.type = contiguous(element_bytes);
    operands.op = own_operator(commutes);
  }
  if (!commutes) operands.op = own_operator(false);
  return operands;
}

}  // namespace reprise::live
