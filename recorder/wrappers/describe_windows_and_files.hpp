// SPDX-License-Identifier: MIT
// One-sided communication and MPI-IO as events. docs/ARCHITECTURE.md says what stands for a window or a file.
//
// Sizes    are those of the origin's arguments: what it sends and, of operations that fetch, what comes back. Where MPI_NO_OP makes
//          the origin's buffer mean nothing, 0 bytes are sent.
// Targets  and the groups of post and start are ranks of the communicator that the window was made on.
// Offsets  in files are not kept: they are different on every rank, so a trace with them would grow with the ranks, and no storage
//          model here asks where in a file a byte lies.
#pragma once

#include <numeric>

#include "recorder/wrappers/describe_point_to_point.hpp"

namespace reprise::recorder {

// What every call on a window begins with; false where nothing is known of the window.
inline bool describe_window(Description& d, MPI_Win win) {
  const ObjectTable::Object* window = handles().windows.find(key_of(win));
  if (window == nullptr) return false;
  d.comm(*window->comm);
  d.scalar(window->slot);
  return true;
}

inline Outcome if_known(bool known) { return known ? Outcome::event : Outcome::unmodelled; }

// The library's MPI_MODE_* as the trace's.
inline std::int64_t assertion_code(int assertion) {
  return ((assertion & MPI_MODE_NOCHECK) != 0 ? trace_io::kNoCheck : 0) |
         ((assertion & MPI_MODE_NOSTORE) != 0 ? trace_io::kNoStore : 0) |
         ((assertion & MPI_MODE_NOPUT) != 0 ? trace_io::kNoPut : 0) |
         ((assertion & MPI_MODE_NOPRECEDE) != 0 ? trace_io::kNoPrecede : 0) |
         ((assertion & MPI_MODE_NOSUCCEED) != 0 ? trace_io::kNoSucceed : 0);
}

// ------------------------------------------------------------------ making a window
inline Outcome describe_made_window(Description& d, MPI_Aint size, MPI_Comm comm,
                                    const MadeWindow& made) {
  const CommunicatorInfo& info = communicator_of(comm);
  if (!info.modelled) return Outcome::unmodelled;
  d.comm(info);
  d.scalar(handles().windows.add(key_of(made.handle), info).slot);
  d.scalar(sized(size, 1));
  return Outcome::event;
}
template <class Unit, class Info>
Outcome describe_window_create(Description& d, const void*, MPI_Aint size, Unit, const Info&,
                               MPI_Comm comm, const MadeWindow& made) {
  return describe_made_window(d, size, comm, made);
}
template <class Unit, class Info>
Outcome describe_window_allocate(Description& d, MPI_Aint size, Unit, const Info&, MPI_Comm comm,
                                 const void*, const MadeWindow& made) {
  return describe_made_window(d, size, comm, made);
}
template <class Info>
Outcome describe_window_create_dynamic(Description& d, const Info&, MPI_Comm comm,
                                       const MadeWindow& made) {
  return describe_made_window(d, 0, comm, made);
}

// ------------------------------------------------------------------ transfers
// `received` is negative for operations that do not fetch.
template <class... Ref>
Outcome describe_one_sided(Description& d, MPI_Win win, int target, std::int64_t bytes,
                           std::int64_t received, const Ref&... ref) {
  if (!describe_window(d, win)) return Outcome::unmodelled;
  d.scalar(peer_code(target));
  d.scalar(bytes);
  if (received >= 0) d.scalar(received);
  describe_started(d, *handles().windows.find(key_of(win))->comm, ref...);
  return Outcome::event;
}

template <class Count, class... Ref>
Outcome describe_put(Description& d, const void*, Count count, MPI_Datatype type, int target,
                     MPI_Aint, Count, MPI_Datatype, MPI_Win win, const Ref&... ref) {
  return describe_one_sided(d, win, target, payload(count, type), -1, ref...);
}
template <class Count, class... Ref>
Outcome describe_accumulate(Description& d, const void*, Count count, MPI_Datatype type, int target,
                            MPI_Aint, Count, MPI_Datatype, MPI_Op, MPI_Win win, const Ref&... ref) {
  return describe_one_sided(d, win, target, payload(count, type), -1, ref...);
}
template <class Count, class... Ref>
Outcome describe_get_accumulate(Description& d, const void*, Count count, MPI_Datatype type,
                                const void*, Count result_count, MPI_Datatype result_type,
                                int target, MPI_Aint, Count, MPI_Datatype, MPI_Op op, MPI_Win win,
                                const Ref&... ref) {
  return describe_one_sided(d, win, target, op == MPI_NO_OP ? 0 : payload(count, type),
                            payload(result_count, result_type), ref...);
}
inline Outcome describe_fetch_and_op(Description& d, const void*, const void*, MPI_Datatype type,
                                     int target, MPI_Aint, MPI_Op op, MPI_Win win) {
  return describe_one_sided(d, win, target, op == MPI_NO_OP ? 0 : payload(1, type),
                            payload(1, type));
}
inline Outcome describe_compare_and_swap(Description& d, const void*, const void*, const void*,
                                         MPI_Datatype type, int target, MPI_Aint, MPI_Win win) {
  return describe_one_sided(d, win, target, payload(1, type), payload(1, type));
}

// ------------------------------------------------------------------ synchronisation
inline Outcome describe_on_window(Description& d, MPI_Win win) {
  return if_known(describe_window(d, win));
}

inline Outcome describe_window_test(Description& d, MPI_Win win, const int* flag) {
  return *flag != 0 ? describe_on_window(d, win) : Outcome::failed_poll;
}

inline Outcome describe_on_target(Description& d, int target, MPI_Win win) {
  if (!describe_window(d, win)) return Outcome::unmodelled;
  d.scalar(peer_code(target));
  return Outcome::event;
}

inline Outcome describe_fence(Description& d, int assertion, MPI_Win win) {
  if (!describe_window(d, win)) return Outcome::unmodelled;
  d.scalar(assertion_code(assertion));
  return Outcome::event;
}

inline Outcome describe_lock(Description& d, int type, int target, int assertion, MPI_Win win) {
  if (!describe_window(d, win)) return Outcome::unmodelled;
  d.scalar(peer_code(target));
  d.scalar(assertion_code(assertion));
  d.scalar(type == MPI_LOCK_EXCLUSIVE ? 1 : 0);
  return Outcome::event;
}

inline Outcome describe_group_epoch(Description& d, MPI_Group group, int assertion, MPI_Win win) {
  if (!describe_window(d, win)) return Outcome::unmodelled;
  d.scalar(assertion_code(assertion));
  MPI_Group all = MPI_GROUP_NULL;
  int size = 0;
  PMPI_Group_size(group, &size);
  PMPI_Win_get_group(win, &all);
  std::vector<int> own(static_cast<std::size_t>(size)), theirs(own);
  std::iota(own.begin(), own.end(), 0);
  PMPI_Group_translate_ranks(group, size, own.data(), all, theirs.data());
  PMPI_Group_free(&all);
  auto& members = d.vector();
  for (const int rank : theirs) members.push_back(peer_code(rank));
  return Outcome::event;
}

// ------------------------------------------------------------------ files
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

template <class Count, class... End>
Outcome describe_access(Description& d, MPI_File file, const void*, Count count, MPI_Datatype type,
                        const End&... end) {
  const CommunicatorInfo* info = describe_file(d, file);
  if (info == nullptr) return Outcome::unmodelled;
  d.scalar(payload(count, type));
  describe_started(d, *info, end...);
  return Outcome::event;
}
template <class Count, class... End>
Outcome describe_access_at(Description& d, MPI_File file, MPI_Offset, const void* buffer,
                           Count count, MPI_Datatype type, const End&... end) {
  return describe_access(d, file, buffer, count, type, end...);
}

inline Outcome describe_file_open(Description& d, MPI_Comm comm, MPI_File file) {
  const CommunicatorInfo& info = communicator_of(comm);
  if (!info.modelled) return Outcome::unmodelled;
  d.comm(info);
  d.scalar(handles().files.add(key_of(file), info).slot);
  return Outcome::event;
}

}  // namespace reprise::recorder
