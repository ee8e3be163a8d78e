// SPDX-License-Identifier: MIT
// Collective calls as events. The non-blocking variants are described by the same functions: their request comes last.
//
// Sizes   are those that take effect: where MPI_IN_PLACE stands for an argument, its size is the one of the other argument;
//         arguments that are not significant on this rank (the root's, elsewhere) count 0 bytes or an empty list.
// Lists   have one entry per peer: of the communicator, of the remote group of an intercommunicator, or per neighbour.
#pragma once

#include "recorder/wrappers/describe_point_to_point.hpp"

namespace reprise::recorder {

inline bool is_root(const CommunicatorInfo& info, int root) {
  return info.inter ? root == MPI_ROOT : root == info.rank;
}
// Whether this rank is on the side that faces the root: everybody, or the group that does not hold the root.
inline bool faces_root(const CommunicatorInfo& info, int root) { return !info.inter || root >= 0; }

inline void describe_reduction(Description& d, MPI_Datatype type, MPI_Op op) {
  int commutes = 1;
  if (op != MPI_SUM && op != MPI_MAX && op != MPI_MIN) PMPI_Op_commutative(op, &commutes);
  d.scalar(payload(1, type));
  d.scalar(commutes != 0 ? 1 : 0);
}

template <class Counts>
void describe_list(Description& d, int peers, const Counts& counts, MPI_Datatype type) {
  const std::int64_t unit = payload(1, type);
  auto& list = d.vector();
  for (int i = 0; i < peers; ++i) list.push_back(sized(counts[i], unit));
}
template <class Counts, class Types>
void describe_typed_list(Description& d, int peers, const Counts& counts, const Types& types) {
  auto& list = d.vector();
  for (int i = 0; i < peers; ++i)
    list.push_back(payload(static_cast<std::int64_t>(counts[i]), types[i]));
}

template <class... Ref>
Outcome describe_barrier(Description& d, MPI_Comm comm, const Ref&... ref) {
  const CommunicatorInfo& info = describe_comm(d, comm);
  return described(d, info, ref...);
}

template <class Count, class... Ref>
Outcome describe_bcast(Description& d, const void*, Count count, MPI_Datatype type, int root,
                       MPI_Comm comm, const Ref&... ref) {
  const CommunicatorInfo& info = describe_comm(d, comm);
  d.scalar(peer_code(root));
  d.scalar(root == MPI_PROC_NULL ? 0 : payload(count, type));
  return described(d, info, ref...);
}

template <class Count, class... Ref>
Outcome describe_reduce(Description& d, const void* send, const void*, Count count,
                        MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm, const Ref&... ref) {
  const CommunicatorInfo& info = describe_comm(d, comm);
  d.scalar(peer_code(root));
  d.scalar(root == MPI_PROC_NULL ? 0 : payload(count, type));
  d.scalar(send == MPI_IN_PLACE ? 1 : 0);
  if (root == MPI_PROC_NULL) {  // beside the root in its group: no argument means anything
    d.scalar(0);
    d.scalar(1);
  } else {
    describe_reduction(d, type, op);
  }
  return described(d, info, ref...);
}

template <class Count, class... Ref>
Outcome describe_allreduce(Description& d, const void* send, const void*, Count count,
                           MPI_Datatype type, MPI_Op op, MPI_Comm comm, const Ref&... ref) {
  const CommunicatorInfo& info = describe_comm(d, comm);
  d.scalar(payload(count, type));
  d.scalar(send == MPI_IN_PLACE ? 1 : 0);
  describe_reduction(d, type, op);
  return described(d, info, ref...);
}

// send_bytes is the block that every rank ends up with (the receive count), times the ranks: the whole vector reduced.
template <class Count, class... Ref>
Outcome describe_reduce_scatter_block(Description& d, const void* send, const void*, Count count,
                                      MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                      const Ref&... ref) {
  const CommunicatorInfo& info = describe_comm(d, comm);
  d.scalar(sized(info.size, payload(count, type)));
  d.scalar(send == MPI_IN_PLACE ? 1 : 0);
  describe_reduction(d, type, op);
  return described(d, info, ref...);
}
template <class Counts, class... Ref>
Outcome describe_reduce_scatter(Description& d, const void* send, const void*, const Counts& counts,
                                MPI_Datatype type, MPI_Op op, MPI_Comm comm, const Ref&... ref) {
  const CommunicatorInfo& info = describe_comm(d, comm);
  d.scalar(send == MPI_IN_PLACE ? 1 : 0);
  describe_reduction(d, type, op);
  describe_list(d, info.size, counts, type);
  return described(d, info, ref...);
}

template <class Count, class... Ref>
Outcome describe_gather(Description& d, const void* send, Count send_count, MPI_Datatype send_type,
                        const void*, Count receive_count, MPI_Datatype receive_type, int root,
                        MPI_Comm comm, const Ref&... ref) {
  const CommunicatorInfo& info = describe_comm(d, comm);
  const bool in_place = send == MPI_IN_PLACE;
  const std::int64_t received = is_root(info, root) ? payload(receive_count, receive_type) : 0;
  d.scalar(peer_code(root));
  d.scalar(in_place ? received : faces_root(info, root) ? payload(send_count, send_type) : 0);
  d.scalar(received);
  d.scalar(in_place ? 1 : 0);
  return described(d, info, ref...);
}
template <class Count, class... Ref>
Outcome describe_scatter(Description& d, const void*, Count send_count, MPI_Datatype send_type,
                         const void* receive, Count receive_count, MPI_Datatype receive_type,
                         int root, MPI_Comm comm, const Ref&... ref) {
  const CommunicatorInfo& info = describe_comm(d, comm);
  const bool in_place = receive == MPI_IN_PLACE;
  const std::int64_t sent = is_root(info, root) ? payload(send_count, send_type) : 0;
  d.scalar(peer_code(root));
  d.scalar(sent);
  d.scalar(in_place ? sent : faces_root(info, root) ? payload(receive_count, receive_type) : 0);
  d.scalar(in_place ? 1 : 0);
  return described(d, info, ref...);
}
template <class Count, class Counts, class Displacements, class... Ref>
Outcome describe_gatherv(Description& d, const void* send, Count send_count, MPI_Datatype send_type,
                         const void*, const Counts& receive_counts, const Displacements&,
                         MPI_Datatype receive_type, int root, MPI_Comm comm, const Ref&... ref) {
  const CommunicatorInfo& info = describe_comm(d, comm);
  const bool in_place = send == MPI_IN_PLACE;
  const bool receives = is_root(info, root);
  d.scalar(peer_code(root));
  if (in_place)
    d.scalar(receives ? payload(receive_counts[info.rank], receive_type) : 0);
  else
    d.scalar(faces_root(info, root) ? payload(send_count, send_type) : 0);
  d.scalar(in_place ? 1 : 0);
  describe_list(d, receives ? info.peers : 0, receive_counts,
                receives ? receive_type : MPI_DATATYPE_NULL);
  return described(d, info, ref...);
}
template <class Count, class Counts, class Displacements, class... Ref>
Outcome describe_scatterv(Description& d, const void*, const Counts& send_counts,
                          const Displacements&, MPI_Datatype send_type, const void* receive,
                          Count receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                          const Ref&... ref) {
  const CommunicatorInfo& info = describe_comm(d, comm);
  const bool in_place = receive == MPI_IN_PLACE;
  const bool sends = is_root(info, root);
  d.scalar(peer_code(root));
  if (in_place)
    d.scalar(sends ? payload(send_counts[info.rank], send_type) : 0);
  else
    d.scalar(faces_root(info, root) ? payload(receive_count, receive_type) : 0);
  d.scalar(in_place ? 1 : 0);
  describe_list(d, sends ? info.peers : 0, send_counts, sends ? send_type : MPI_DATATYPE_NULL);
  return described(d, info, ref...);
}

template <class Count, class... Ref>
Outcome describe_allgather(Description& d, const void* send, Count send_count,
                           MPI_Datatype send_type, const void*, Count receive_count,
                           MPI_Datatype receive_type, MPI_Comm comm, const Ref&... ref) {
  const CommunicatorInfo& info = describe_comm(d, comm);
  const bool in_place = send == MPI_IN_PLACE;
  const std::int64_t received = payload(receive_count, receive_type);
  d.scalar(in_place ? received : payload(send_count, send_type));
  d.scalar(received);
  d.scalar(in_place ? 1 : 0);
  return described(d, info, ref...);
}

template <class Count, class Counts, class... Ref>
Outcome describe_gathered_list(Description& d, const void* send, Count send_count,
                               MPI_Datatype send_type, int sources, const Counts& receive_counts,
                               MPI_Datatype receive_type, const CommunicatorInfo& info,
                               const Ref&... ref) {
  const bool in_place = send == MPI_IN_PLACE;
  d.comm(info);
  d.scalar(in_place ? payload(receive_counts[info.rank], receive_type)
                    : payload(send_count, send_type));
  d.scalar(in_place ? 1 : 0);
  describe_list(d, sources, receive_counts, receive_type);
  return described(d, info, ref...);
}
template <class Count, class Counts, class Displacements, class... Ref>
Outcome describe_allgatherv(Description& d, const void* send, Count send_count,
                            MPI_Datatype send_type, const void*, const Counts& receive_counts,
                            const Displacements&, MPI_Datatype receive_type, MPI_Comm comm,
                            const Ref&... ref) {
  const CommunicatorInfo& info = communicator_of(comm);
  return describe_gathered_list(d, send, send_count, send_type, info.peers, receive_counts,
                                receive_type, info, ref...);
}
template <class Count, class Counts, class Displacements, class... Ref>
Outcome describe_neighbor_allgatherv(Description& d, const void* send, Count send_count,
                                     MPI_Datatype send_type, const void*,
                                     const Counts& receive_counts, const Displacements&,
                                     MPI_Datatype receive_type, MPI_Comm comm, const Ref&... ref) {
  const CommunicatorInfo& info = communicator_of(comm);
  return describe_gathered_list(d, send, send_count, send_type, info.neighbours_in, receive_counts,
                                receive_type, info, ref...);
}

template <class Counts, class Displacements, class... Ref>
Outcome describe_alltoallv(Description& d, const void* send, const Counts& send_counts,
                           const Displacements&, MPI_Datatype send_type, const void*,
                           const Counts& receive_counts, const Displacements&,
                           MPI_Datatype receive_type, MPI_Comm comm, const Ref&... ref) {
  const CommunicatorInfo& info = describe_comm(d, comm);
  const bool in_place = send == MPI_IN_PLACE;
  d.scalar(in_place ? 1 : 0);
  describe_list(d, info.peers, in_place ? receive_counts : send_counts,
                in_place ? receive_type : send_type);
  describe_list(d, info.peers, receive_counts, receive_type);
  return described(d, info, ref...);
}
template <class Counts, class Displacements, class Types, class... Ref>
Outcome describe_alltoallw(Description& d, const void* send, const Counts& send_counts,
                           const Displacements&, const Types& send_types, const void*,
                           const Counts& receive_counts, const Displacements&,
                           const Types& receive_types, MPI_Comm comm, const Ref&... ref) {
  const CommunicatorInfo& info = describe_comm(d, comm);
  const bool in_place = send == MPI_IN_PLACE;
  d.scalar(in_place ? 1 : 0);
  describe_typed_list(d, info.peers, in_place ? receive_counts : send_counts,
                      in_place ? receive_types : send_types);
  describe_typed_list(d, info.peers, receive_counts, receive_types);
  return described(d, info, ref...);
}
template <class Counts, class Displacements, class... Ref>
Outcome describe_neighbor_alltoallv(Description& d, const void*, const Counts& send_counts,
                                    const Displacements&, MPI_Datatype send_type, const void*,
                                    const Counts& receive_counts, const Displacements&,
                                    MPI_Datatype receive_type, MPI_Comm comm, const Ref&... ref) {
  const CommunicatorInfo& info = describe_comm(d, comm);
  d.scalar(0);
  describe_list(d, info.neighbours_out, send_counts, send_type);
  describe_list(d, info.neighbours_in, receive_counts, receive_type);
  return described(d, info, ref...);
}
template <class Counts, class Displacements, class Types, class... Ref>
Outcome describe_neighbor_alltoallw(Description& d, const void*, const Counts& send_counts,
                                    const Displacements&, const Types& send_types, const void*,
                                    const Counts& receive_counts, const Displacements&,
                                    const Types& receive_types, MPI_Comm comm, const Ref&... ref) {
  const CommunicatorInfo& info = describe_comm(d, comm);
  d.scalar(0);
  describe_typed_list(d, info.neighbours_out, send_counts, send_types);
  describe_typed_list(d, info.neighbours_in, receive_counts, receive_types);
  return described(d, info, ref...);
}

}  // namespace reprise::recorder
