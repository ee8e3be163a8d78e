// SPDX-License-Identifier: MIT
// Of mpi.h: messages, probes and requests.
#pragma once

#include "tests/fuzz/stub_mpi/library.hpp"

namespace reprise::fuzz::stub {

inline int send(const void* data, int count, int type, int to, int tag, int comm) {
  check_destination(comm, to, tag);
  read(data, count, type);
  return MPI_SUCCESS;
}
inline int check_room(void* data, int count, int type, int from, int tag, int comm) {
  check_source(comm, from, tag);
  write(data, count, type);
  return MPI_SUCCESS;
}
inline std::int64_t bytes_of(int count, int type) { return count * size_of_type(type); }

}  // namespace reprise::fuzz::stub

#define STUB_SEND(NAME)                                                                         \
  inline int MPI_##NAME(const void* data, int count, MPI_Datatype type, int to, int tag,        \
                        MPI_Comm comm) {                                                        \
    return reprise::fuzz::stub::send(data, count, type, to, tag, comm);                         \
  }                                                                                             \
  inline int MPI_I##NAME(const void* data, int count, MPI_Datatype type, int to, int tag,       \
                         MPI_Comm comm, MPI_Request* request) {                                 \
    *request = reprise::fuzz::stub::start();                                                    \
    return reprise::fuzz::stub::send(data, count, type, to, tag, comm);                         \
  }                                                                                             \
  inline int MPI_##NAME##_init(const void* data, int count, MPI_Datatype type, int to, int tag, \
                               MPI_Comm comm, MPI_Request* request) {                           \
    *request = reprise::fuzz::stub::make_persistent();                                          \
    return reprise::fuzz::stub::send(data, count, type, to, tag, comm);                         \
  }
STUB_SEND(Send)
STUB_SEND(Ssend)
STUB_SEND(Bsend)
STUB_SEND(Rsend)
STUB_SEND(send)  // MPI_Isend and its like are spelt so
STUB_SEND(ssend)
STUB_SEND(bsend)
STUB_SEND(rsend)
#undef STUB_SEND

inline int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                    MPI_Status*) {
  return reprise::fuzz::stub::check_room(data, count, type, from, tag, comm);
}
inline int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                     MPI_Request* request) {
  *request = reprise::fuzz::stub::start(data, reprise::fuzz::stub::bytes_of(count, type));
  return reprise::fuzz::stub::check_room(data, count, type, from, tag, comm);
}
inline int MPI_Recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  *request = reprise::fuzz::stub::make_persistent(data, reprise::fuzz::stub::bytes_of(count, type));
  return reprise::fuzz::stub::check_room(data, count, type, from, tag, comm);
}
inline int MPI_Sendrecv(const void* out, int sent, MPI_Datatype type, int to, int tag, void* in,
                        int room, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                        MPI_Status*) {
  reprise::fuzz::stub::send(out, sent, type, to, tag, comm);
  return reprise::fuzz::stub::check_room(in, room, in_type, from, in_tag, comm);
}
inline int MPI_Sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int tag, int from,
                                int in_tag, MPI_Comm comm, MPI_Status*) {
  reprise::fuzz::stub::send(data, count, type, to, tag, comm);
  return reprise::fuzz::stub::check_room(data, count, type, from, in_tag, comm);
}

inline int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status*) {
  reprise::fuzz::stub::check_source(comm, from, tag);
  return MPI_SUCCESS;
}
inline int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* found, MPI_Status*) {
  *found = 1;
  return MPI_Probe(from, tag, comm, nullptr);
}
inline int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status*) {
  *message = reprise::fuzz::stub::messages().make({true, comm, {}});
  return MPI_Probe(from, tag, comm, nullptr);
}
inline int MPI_Improbe(int from, int tag, MPI_Comm comm, int* found, MPI_Message* message,
                       MPI_Status*) {
  *found = 1;
  return MPI_Mprobe(from, tag, comm, message, nullptr);
}
inline int MPI_Mrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Status*) {
  if (*message != MPI_MESSAGE_NO_PROC)
    reprise::fuzz::stub::messages().free(*message, "invalid message");
  reprise::fuzz::stub::write(data, count, type);
  return MPI_SUCCESS;
}
inline int MPI_Imrecv(void* data, int count, MPI_Datatype type, MPI_Message* message,
                      MPI_Request* request) {
  *request = reprise::fuzz::stub::start(data, reprise::fuzz::stub::bytes_of(count, type));
  return MPI_Mrecv(data, count, type, message, nullptr);
}

inline int MPI_Start(MPI_Request* request) {
  reprise::fuzz::stub::start_again(*request);
  return MPI_SUCCESS;
}
inline int MPI_Startall(int count, MPI_Request* requests) {
  for (int i = 0; i < count; ++i) reprise::fuzz::stub::start_again(requests[i]);
  return MPI_SUCCESS;
}
inline int MPI_Wait(MPI_Request* request, MPI_Status*) {
  reprise::fuzz::stub::complete(*request);
  return MPI_SUCCESS;
}
inline int MPI_Test(MPI_Request* request, int* done, MPI_Status*) {
  *done = 1;
  return MPI_Wait(request, nullptr);
}
inline int MPI_Waitall(int count, MPI_Request* requests, MPI_Status*) {
  for (int i = 0; i < count; ++i) reprise::fuzz::stub::complete(requests[i]);
  return MPI_SUCCESS;
}
inline int MPI_Testall(int count, MPI_Request* requests, int* done, MPI_Status*) {
  *done = 1;
  return MPI_Waitall(count, requests, nullptr);
}
// The last one, as a library may.
inline int MPI_Waitany(int count, MPI_Request* requests, int* which, MPI_Status*) {
  *which = MPI_UNDEFINED;
  for (int i = 0; i < count; ++i)
    if (requests[i] != MPI_REQUEST_NULL) *which = i;
  if (*which != MPI_UNDEFINED) reprise::fuzz::stub::complete(requests[*which]);
  return MPI_SUCCESS;
}
inline int MPI_Testany(int count, MPI_Request* requests, int* which, int* done, MPI_Status*) {
  *done = 1;
  return MPI_Waitany(count, requests, which, nullptr);
}
inline int MPI_Waitsome(int count, MPI_Request* requests, int* completed, int* which, MPI_Status*) {
  *completed = 0;
  bool any = false;
  for (int i = 0; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL) continue;
    any = true;
    reprise::fuzz::stub::complete(requests[i]);
    which[(*completed)++] = i;
  }
  if (!any) *completed = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
inline int MPI_Testsome(int count, MPI_Request* requests, int* completed, int* which, MPI_Status*) {
  return MPI_Waitsome(count, requests, completed, which, nullptr);
}
inline int PMPI_Request_get_status(MPI_Request request, int* done, MPI_Status*) {
  *done = 1;
  if (request != MPI_REQUEST_NULL) reprise::fuzz::stub::check_request(request);
  return MPI_SUCCESS;
}
inline int MPI_Cancel(MPI_Request* request) {
  reprise::fuzz::stub::check_request(*request);
  return MPI_SUCCESS;
}
inline int MPI_Request_free(MPI_Request* request) {
  reprise::fuzz::stub::free_request(*request);
  return MPI_SUCCESS;
}
inline int PMPI_Request_free(MPI_Request* request) { return MPI_Request_free(request); }
inline int PMPI_Buffer_attach(void*, int) { return MPI_SUCCESS; }
inline int MPI_Buffer_detach(void*, int* size) {
  *size = 0;
  return MPI_SUCCESS;
}
