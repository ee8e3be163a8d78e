// SPDX-License-Identifier: MIT
#include "tests/fuzz/stub_mpi/library.hpp"

#include "tests/fuzz/stub_mpi/mpi.h"

namespace reprise::fuzz {
namespace stub {
namespace {

struct Request {
  void* into = nullptr;
  std::int64_t bytes = 0;
  bool is_alive = true, is_persistent = false, is_active = true;
};

std::vector<Comm> comms;
std::vector<Request> requests;
std::vector<std::int64_t> made_types;
Objects all_windows, all_files, all_groups, all_messages;

constexpr int kFirstMadeType = 1 << 16;
constexpr std::int64_t kPage = 4096;

}  // namespace

void require(bool fact, const char* what) {
  if (!fact) throw StubError(what);
}

std::int64_t size_of_type(int type) {
  if (type >= kFirstMadeType) {
    require(static_cast<std::size_t>(type - kFirstMadeType) < made_types.size(), "invalid type");
    return made_types[static_cast<std::size_t>(type - kFirstMadeType)];
  }
  require(type >> 8 > 0, "invalid type");
  return type >> 8;
}

int make_type(std::int64_t bytes) {
  made_types.push_back(bytes);
  return kFirstMadeType + static_cast<int>(made_types.size()) - 1;
}

void read(const void* from, std::int64_t count, int type) {
  require(count >= 0, "invalid count");
  const std::int64_t bytes = count * size_of_type(type);
  if (bytes == 0 || from == MPI_IN_PLACE) return;
  require(from != nullptr, "invalid buffer");
  const auto* data = static_cast<const volatile char*>(from);
  for (std::int64_t at = 0; at < bytes; at += kPage) static_cast<void>(data[at]);
  static_cast<void>(data[bytes - 1]);
}

void write(void* to, std::int64_t count, int type) {
  require(count >= 0, "invalid count");
  const std::int64_t bytes = count * size_of_type(type);
  if (bytes == 0 || to == MPI_IN_PLACE) return;
  require(to != nullptr, "invalid buffer");
  auto* data = static_cast<volatile char*>(to);
  for (std::int64_t at = 0; at < bytes; at += kPage) data[at] = 1;
  data[bytes - 1] = 1;
}

Comm& comm(int handle) {
  require(handle > 0 && static_cast<std::size_t>(handle) <= comms.size(), "invalid communicator");
  Comm& found = comms[static_cast<std::size_t>(handle) - 1];
  require(found.is_alive, "invalid communicator");
  return found;
}

int make_comm(int me, int size, std::vector<int> widths) {
  comms.push_back({true, me, size, std::move(widths)});
  return static_cast<int>(comms.size());
}

void free_comm(int& handle) {
  require(handle > MPI_COMM_SELF, "invalid communicator");
  comm(handle).is_alive = false;
  handle = MPI_COMM_NULL;
}

int ranks_in(int handle) {
  const Comm& found = comm(handle);
  return found.size > 0 ? found.size : 1;
}

void check_rank(int handle, int rank) {
  const Comm& found = comm(handle);
  if (rank == MPI_PROC_NULL || rank == MPI_ROOT) return;
  require(rank >= 0 && (found.size == 0 || rank < found.size), "invalid rank");
}

void check_source(int handle, int rank, int tag) {
  if (rank == MPI_ANY_SOURCE)
    comm(handle);
  else
    check_rank(handle, rank);
  require(rank != MPI_ROOT && (tag >= 0 || tag == MPI_ANY_TAG), "invalid tag or rank");
}

void check_destination(int handle, int rank, int tag) {
  check_rank(handle, rank);
  require(rank != MPI_ROOT && tag >= 0, "invalid tag or rank");
}

namespace {

Request& request(int handle) {
  require(handle > 0 && static_cast<std::size_t>(handle) <= requests.size(), "invalid request");
  Request& found = requests[static_cast<std::size_t>(handle) - 1];
  require(found.is_alive, "invalid request");
  return found;
}

int make_request(const Request& made) {
  requests.push_back(made);
  return static_cast<int>(requests.size());
}

}  // namespace

int start(void* into, std::int64_t bytes) { return make_request({into, bytes}); }

int make_persistent(void* into, std::int64_t bytes) {
  return make_request({into, bytes, true, true, false});
}

void start_again(int handle) {
  Request& found = request(handle);
  require(found.is_persistent && !found.is_active, "invalid request");
  found.is_active = true;
}

void check_request(int handle) { request(handle); }

void complete(int& handle) {
  if (handle == MPI_REQUEST_NULL) return;
  Request& found = request(handle);
  if (found.is_active) write(found.into, found.bytes, MPI_BYTE);
  found.is_active = false;
  if (found.is_persistent) return;
  found.is_alive = false;
  handle = MPI_REQUEST_NULL;
}

void free_request(int& handle) {
  request(handle).is_alive = false;
  handle = MPI_REQUEST_NULL;
}

Objects& windows() { return all_windows; }
Objects& files() { return all_files; }
Objects& groups() { return all_groups; }
Objects& messages() { return all_messages; }

}  // namespace stub

// Types that a program made are kept from one rank to the next: the live replay makes each once.
void begin_stub(int rank, int ranks) {
  stub::comms.clear();
  stub::requests.clear();
  for (stub::Objects* objects :
       {&stub::all_windows, &stub::all_files, &stub::all_groups, &stub::all_messages})
    objects->clear();
  stub::make_comm(rank, ranks);
  stub::make_comm(0, 1);
  stub::all_groups.make({true, 0, {}});  // MPI_GROUP_EMPTY
}

}  // namespace reprise::fuzz
