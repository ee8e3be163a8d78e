// SPDX-License-Identifier: MIT
// Point-to-point calls as events: what each argument list means. Called after the call returned successfully.
#pragma once

#include "recorder/wrappers/message_hooks.hpp"

namespace reprise::recorder {

// What most calls begin with.
inline const CommunicatorInfo& describe_comm(Description& d, MPI_Comm comm) {
  const CommunicatorInfo& info = communicator_of(comm);
  d.comm(info);
  return info;
}

// A request that the call made; nothing for a blocking call, with or without a status.
inline void describe_started(Description&, const CommunicatorInfo&) {}
inline void describe_started(Description&, const CommunicatorInfo&, const StatusRef&) {}
inline void describe_started(Description& d, const CommunicatorInfo& info, const RequestRef& ref) {
  Request request;
  request.comm = &info;
  request.active = true;
  d.started(request, ref);
}

// Ends most descriptions. An unmodelled call leaves no request behind.
template <class... Ref>
Outcome described(Description& d, const CommunicatorInfo& info, const Ref&... ref) {
  if (!info.modelled) return Outcome::unmodelled;
  describe_started(d, info, ref...);
  return Outcome::event;
}

inline void describe_transfer(Description& d, const CommunicatorInfo& comm, std::int64_t bytes,
                              int peer, int tag) {
  d.comm(comm);
  d.scalar(peer_code(peer));
  d.scalar(tag_code(tag));
  d.scalar(bytes);
  d.note_tag();
}

// Whose sends it waits for follows from the calls before.
template <class Size>
Outcome describe_buffer_detach(Description&, const void*, const Size*) {
  return Outcome::event;
}

// What a wildcard matched, as ranks of the communicator.
inline void describe_match(Description& d, int source, int tag, const StatusRef& status) {
  d.scalar(source == MPI_ANY_SOURCE ? peer_code(status.source()) : trace_io::kNoPeer);
  d.scalar(tag == MPI_ANY_TAG ? status.tag() : trace_io::kNone);
}

inline Request wildcard_request(const CommunicatorInfo& comm, int source, int tag) {
  Request request;
  request.comm = &comm;
  request.any_source = source == MPI_ANY_SOURCE;
  request.any_tag = tag == MPI_ANY_TAG && source != MPI_PROC_NULL;
  return request;
}

template <class Count>
Outcome describe_send(Description& d, const void*, Count count, MPI_Datatype type, int dest,
                      int tag, MPI_Comm comm) {
  const CommunicatorInfo& info = communicator_of(comm);
  const std::int64_t bytes = payload(count, type);
  describe_transfer(d, info, bytes, dest, tag);
  note_send(d, info, dest, tag, bytes);
  return described(d, info);
}

template <class Count>
Outcome describe_start(Description& d, Count count, MPI_Datatype type, int peer, int tag,
                       MPI_Comm comm, bool receives, bool persistent, const RequestRef& ref) {
  const CommunicatorInfo& info = communicator_of(comm);
  if (!info.modelled) return Outcome::unmodelled;
  const std::int64_t bytes = payload(count, type);
  describe_transfer(d, info, bytes, peer, tag);
  Request request;
  request.comm = &info;
  if (receives) request = wildcard_request(info, peer, tag);
  if (!receives && !persistent) d.note_send(request);
  request.persistent = persistent;
  request.active = !persistent;
  if (samples_messages()) [[unlikely]]
    request.message = sampled::start(d, info, peer, tag, bytes, receives, persistent);
  d.started(request, ref);
  return Outcome::event;
}

template <class Count>
Outcome describe_send(Description& d, const void*, Count count, MPI_Datatype type, int dest,
                      int tag, MPI_Comm comm, const RequestRef& ref) {
  return describe_start(d, count, type, dest, tag, comm, false, false, ref);
}
template <class Count>
Outcome describe_send_init(Description& d, const void*, Count count, MPI_Datatype type, int dest,
                           int tag, MPI_Comm comm, const RequestRef& ref) {
  return describe_start(d, count, type, dest, tag, comm, false, true, ref);
}
template <class Count>
Outcome describe_receive(Description& d, const void*, Count count, MPI_Datatype type, int source,
                         int tag, MPI_Comm comm, const RequestRef& ref) {
  return describe_start(d, count, type, source, tag, comm, true, false, ref);
}
template <class Count>
Outcome describe_receive_init(Description& d, const void*, Count count, MPI_Datatype type,
                              int source, int tag, MPI_Comm comm, const RequestRef& ref) {
  return describe_start(d, count, type, source, tag, comm, true, true, ref);
}

template <class Count>
Outcome describe_receive(Description& d, const void*, Count count, MPI_Datatype type, int source,
                         int tag, MPI_Comm comm, const StatusRef& status) {
  const CommunicatorInfo& info = communicator_of(comm);
  describe_transfer(d, info, payload(count, type), source, tag);
  describe_match(d, source, tag, status);
  note_receive(d, info, source, tag, status);
  return described(d, info);
}

template <class Count>
Outcome describe_sendrecv(Description& d, const void*, Count send_count, MPI_Datatype send_type,
                          int dest, int send_tag, const void*, Count receive_count,
                          MPI_Datatype receive_type, int source, int receive_tag, MPI_Comm comm,
                          const StatusRef& status) {
  const CommunicatorInfo& info = communicator_of(comm);
  const std::int64_t bytes = payload(send_count, send_type);
  describe_transfer(d, info, bytes, dest, send_tag);
  note_send(d, info, dest, send_tag, bytes);
  d.scalar(peer_code(source));
  d.scalar(tag_code(receive_tag));
  d.scalar(payload(receive_count, receive_type));
  describe_match(d, source, receive_tag, status);
  note_receive(d, info, source, receive_tag, status);
  return described(d, info);
}
template <class Count>
Outcome describe_sendrecv_replace(Description& d, const void* buffer, Count count,
                                  MPI_Datatype type, int dest, int send_tag, int source,
                                  int receive_tag, MPI_Comm comm, const StatusRef& status) {
  return describe_sendrecv(d, buffer, count, type, dest, send_tag, buffer, count, type, source,
                           receive_tag, comm, status);
}

inline Outcome describe_probe(Description& d, int source, int tag, MPI_Comm comm,
                              const StatusRef& status) {
  const CommunicatorInfo& info = describe_comm(d, comm);
  d.scalar(peer_code(source));
  d.scalar(tag_code(tag));
  describe_match(d, source, tag, status);
  return described(d, info);
}
inline Outcome describe_iprobe(Description& d, int source, int tag, MPI_Comm comm, const int* found,
                               const StatusRef& status) {
  return *found != 0 ? describe_probe(d, source, tag, comm, status) : Outcome::failed_poll;
}

// A matched message of MPI_PROC_NULL is no message: no slot is taken for it.
inline Outcome describe_mprobe(Description& d, int source, int tag, MPI_Comm comm,
                               const MadeMessage& message, const StatusRef& status) {
  const Outcome outcome = describe_probe(d, source, tag, comm, status);
  if (outcome == Outcome::unmodelled) return outcome;
  Request matched;
  matched.handle = key_of(message.handle);
  matched.where = message.where;
  matched.comm = &communicator_of(comm);
  if (samples_messages()) [[unlikely]]
    matched.message =
        sampled::probe(d, *matched.comm, status.known_source(source), status.known_tag(tag));
  d.scalar(message.handle == MPI_MESSAGE_NO_PROC ? trace_io::kNone
                                                 : handles().messages.add(matched));
  return outcome;
}
inline Outcome describe_improbe(Description& d, int source, int tag, MPI_Comm comm,
                                const int* found, const MadeMessage& message,
                                const StatusRef& status) {
  return *found != 0 ? describe_mprobe(d, source, tag, comm, message, status)
                     : Outcome::failed_poll;
}

}  // namespace reprise::recorder
