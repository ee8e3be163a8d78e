// SPDX-License-Identifier: MIT
// MPI-IO as events: the file's slot, the communicator that it was opened on, and the bytes that the call asks for.
//
// Offsets are not kept: they are different on every rank, so a trace with them would grow with the ranks, and no storage model
// here asks where in a file a byte lies.
#pragma once

#include "recorder/describe_collectives.hpp"

namespace reprise::recorder {

// What every call on an open file begins with; its communicator, null where nothing is known of the file.
inline const CommunicatorInfo* describe_file(Description& d, MPI_File handle) {
  const ObjectTable::Object* file = handles().files.find(key_of(handle));
  if (file == nullptr) return nullptr;
  d.comm(*file->comm);
  d.scalar(file->slot);
  return file->comm;
}

// Seek, Set_view, Sync and the ends of split collectives: the file alone, whatever their other arguments.
template <class... Rest>
Outcome describe_on_file(Description& d, MPI_File file, const Rest&...) {
  return describe_file(d, file) != nullptr ? Outcome::event : Outcome::unmodelled;
}

// The status of a blocking call, the request of another.
inline void describe_access_end(Description&, const CommunicatorInfo&) {}
inline void describe_access_end(Description&, const CommunicatorInfo&, const StatusRef&) {}
inline void describe_access_end(Description& d, const CommunicatorInfo& info,
                                const RequestRef& ref) {
  describe_started(d, info, ref);
}

template <class Count, class... End>
Outcome describe_access(Description& d, MPI_File file, const void*, Count count, MPI_Datatype type,
                        const End&... end) {
  const CommunicatorInfo* info = describe_file(d, file);
  if (info == nullptr) return Outcome::unmodelled;
  d.scalar(payload(count, type));
  describe_access_end(d, *info, end...);
  return Outcome::event;
}
template <class Count, class... End>
Outcome describe_access_at(Description& d, MPI_File file, MPI_Offset, const void* buffer,
                           Count count, MPI_Datatype type, const End&... end) {
  return describe_access(d, file, buffer, count, type, end...);
}

inline Outcome describe_file_open(Description& d, MPI_Comm comm, MPI_File file) {
  const CommunicatorInfo& info = handles().communicators.of(comm);
  if (!info.modelled) return Outcome::unmodelled;
  d.comm(info);
  d.scalar(handles().files.add(key_of(file), info).slot);
  return Outcome::event;
}

}  // namespace reprise::recorder
