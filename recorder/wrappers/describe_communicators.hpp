// SPDX-License-Identifier: MIT
// Calls that make communicators: the parent (or local) communicator comes first in every argument list, the new one last.
#pragma once

#include <tuple>

#include "recorder/wrappers/describe_point_to_point.hpp"

namespace reprise::recorder {

inline void describe_neighbours(Description& d, const CommunicatorInfo* made) {
  auto& sources = d.vector();
  if (made != nullptr) sources = made->sources;
  auto& destinations = d.vector();
  if (made != nullptr) destinations = made->destinations;
}

inline Outcome describe_made(Description& d, MPI_Comm parent, MPI_Comm made) {
  // A new handle may be that of a communicator freed unseen: the parent is looked up first.
  const CommunicatorInfo& info = describe_comm(d, parent);
  const CommunicatorInfo* result =
      made == MPI_COMM_NULL ? nullptr : &handles().communicators.made(key_of(made), &info);
  d.scalar(result == nullptr ? trace_io::kNone : result->index);
  describe_neighbours(d, result);
  return info.modelled && (result == nullptr || result->modelled) ? Outcome::event
                                                                  : Outcome::unmodelled;
}

template <class... Rest>
Outcome describe_comm_create(Description& d, MPI_Comm parent, const Rest&... rest) {
  const MadeComm made = std::get<sizeof...(Rest) - 1>(std::tie(rest...));
  return describe_made(d, parent, made.handle);
}

// The duplicate exists only when the request completes, but its members are known now.
inline Outcome describe_comm_idup(Description& d, MPI_Comm parent, const MadeComm& made,
                                  const RequestRef& ref) {
  const CommunicatorInfo& info = communicator_of(parent);
  if (!info.modelled) return Outcome::unmodelled;
  d.comm(info);
  const CommunicatorInfo& result = handles().communicators.made(key_of(made.handle), &info, true);
  d.scalar(result.index);
  describe_started(d, result, ref);
  describe_neighbours(d, &result);
  return Outcome::event;
}

}  // namespace reprise::recorder
