// SPDX-License-Identifier: MIT
// Receives of matched messages, release of communicators, windows and files, MPI_Pcontrol: the same for C and for Fortran.
#pragma once

#include <type_traits>

#include "recorder/describe_io.hpp"
#include "recorder/describe_point_to_point.hpp"
#include "recorder/record_call.hpp"

namespace reprise::recorder {

// Mrecv and Imrecv. `message` is the handle before the call, `where` the program's variable; made() gives the request of Imrecv.
template <class Made, class Forward>
int record_matched(CallId id, Frame frame, MPI_Message message, const void* where,
                   std::int64_t count, MPI_Datatype type, const Made& made,
                   const Forward& forward) {
  std::uint32_t slot = RequestTable::kUnknown;
  if (Recording::is_on()) {
    const HandlesLock lock;
    handles().messages.begin_claims();
    slot = handles().messages.claim(key_of(message), where);
  }
  const bool known = slot != RequestTable::kUnknown;
  return record_call(id, frame, known ? Presence::necessary : Presence::normal, forward,
                     [&](Description& d) {
                       if (!known && message != MPI_MESSAGE_NO_PROC) return Outcome::unmodelled;
                       d.scalar(known ? static_cast<std::int64_t>(slot) : trace_io::kNone);
                       d.scalar(payload(count, type));
                       if constexpr (!std::is_null_pointer_v<Made>) {
                         Request request;
                         request.active = true;
                         if (known) request.comm = handles().messages[slot].comm;
                         d.started(request, made());
                       }
                       if (known) handles().messages.remove(slot);
                       return Outcome::event;
                     });
}

// Comm_free and Comm_disconnect of the handle that `comm` was before the call.
template <class Forward>
int record_release(CallId id, Frame frame, MPI_Comm comm, const Forward& forward) {
  return record_call(id, frame, Presence::necessary, forward, [&](Description& d) {
    Communicators& communicators = handles().communicators;
    const CommunicatorInfo* info = communicators.known(comm);
    if (info == nullptr || !info->modelled) {
      communicators.freed(comm);
      return Outcome::unmodelled;
    }
    d.comm(*info);
    communicators.freed(comm);
    return Outcome::event;
  });
}

// Win_free and File_close of the handle that `object` was before the call.
template <class Forward>
int record_release(CallId id, Frame frame, ObjectTable& objects, HandleKey object,
                   const Forward& forward) {
  return record_call(id, frame, Presence::necessary, forward, [&](Description& d) {
    const ObjectTable::Object* found = objects.find(object);
    if (found == nullptr) return Outcome::unmodelled;
    d.comm(*found->comm);
    d.scalar(found->slot);
    objects.remove(object);
    return Outcome::event;
  });
}

// File_open; opened() gives the handle after the call.
template <class Opened, class Forward>
int record_file_open(CallId id, Frame frame, MPI_Comm comm, const Opened& opened,
                     const Forward& forward) {
  return record_call(id, frame, Presence::necessary, forward,
                     [&](Description& d) { return describe_file_open(d, comm, opened()); });
}

// MPI_Pcontrol: 0 stops recording for a while, 1 (and any other level) goes on.
void switch_recording(int level) noexcept;

}  // namespace reprise::recorder
