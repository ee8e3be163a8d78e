// SPDX-License-Identifier: MIT
// What each MPI procedure is to a trace: its kind, and the fields that one call of it carries.
//
// A trace stores procedures by name; the kind and the fields follow from the name through the table in procedures.def.
// A name that the table does not know is Kind::unmodelled: it carries no fields, only time.
// A call is an Event (event.hpp): one integer per scalar field and one list of integers per vector field, in the order
// that fields() gives. Cost: look-ups by name are for loading and start-up; everything else is O(1).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace reprise::trace_io {

enum class Kind : std::uint8_t {
  init,
  finalize,
  send,
  receive,
  sendrecv,  // blocking point-to-point
  start_send,
  start_receive,  // Isend, Irecv and their modes
  init_send,
  init_receive,  // Send_init, Recv_init and their modes
  start,
  start_all,  // of persistent requests
  wait,
  wait_all,
  wait_any,
  wait_some,  // and the Test that succeeded: a failed Test is no event (see Event::polls)
  probe,
  matched_probe,  // Probe, Mprobe and the Iprobe, Improbe that succeeded
  matched_receive,
  start_matched_receive,
  cancel,
  request_free,
  buffer_detach,  // waits until the sends in its process's buffer have left it
  collective,
  start_collective,
  comm_create,
  start_comm_create,
  comm_free,
  window_create,
  window_free,
  put,
  get,
  accumulate,
  fetch,  // one-sided; fetch: Get_accumulate and its like, which move data both ways
  start_put,
  start_get,
  start_accumulate,
  start_fetch,  // Rput and its like, which make a request
  fence,
  post,
  access_start,
  access_complete,
  exposure_wait,  // Win_start, Win_complete, Win_wait and the Win_test that succeeded
  lock,
  unlock,
  lock_all,
  unlock_all,
  flush,
  flush_local,
  flush_all,
  flush_local_all,
  window_sync,
  file_open,
  file_close,
  file_delete,
  file_seek,
  file_setting,  // collective calls on a file that move no data: Set_view, Set_size, Sync …
  file_read,
  file_write,
  start_file_read,
  start_file_write,  // one rank alone; File_iread, File_iwrite
  file_read_all,
  file_write_all,
  start_file_read_all,
  start_file_write_all,  // collective, with the ordered ones
  file_read_begin,
  file_write_begin,
  file_access_end,  // split collectives
  unmodelled,
};
inline constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::unmodelled) + 1;

enum class SendMode : std::uint8_t { standard, synchronous, buffered, ready };

enum class Collective : std::uint8_t {
  none,
  barrier,
  bcast,
  reduce,
  allreduce,
  scan,
  exscan,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  reduce_scatter,
  reduce_scatter_block,
  neighbor_allgather,
  neighbor_allgatherv,
  neighbor_alltoall,
  neighbor_alltoallv,
  neighbor_alltoallw,
};

enum class Field : std::uint8_t {
  comm,      // communicator index of this rank, see Trace::communicators
  new_comm,  // index of the communicator made, kNone where MPI_COMM_NULL came back
  peer,      // destination, source, or root
  tag,       // kAnyTag for MPI_ANY_TAG
  bytes,     // point-to-point: payload sent, or room in the receive buffer
  receive_peer,
  receive_tag,
  receive_bytes,  // the receiving half of Sendrecv
  matched_peer,  // of a wildcard receive or probe: who sent it; kNoPeer where the source was not a wildcard
  matched_tag,    // of an MPI_ANY_TAG receive or probe; kNone where the tag was not a wildcard
  request,        // request slot: the smallest number that was free when the request was made
  requests,       // vector: the slots handed in that were active
  completed,      // vector: the slots that completed (wait_any: at most one; wait_some)
  matched_peers,  // vector: one entry per completed request, as matched_peer, in WORLD ranks
  matched_tags,   // vector: one entry per completed request, as matched_tag
  message,        // slot of a message matched by Mprobe
  send_bytes,  // collective: bytes of this rank's send argument, per peer for alltoall-like operations
  receive_bytes_per_peer,  // collective: bytes of the receive argument, per peer
  send_bytes_list,         // vector: per peer, in communicator (or neighbour) order
  receive_bytes_list,
  element_bytes,  // reductions: size of one element
  commutes,       // reductions: 1 where the operation is commutative
  in_place,       // 1 where MPI_IN_PLACE was given
  sources,  // vector: incoming neighbours of a topology communicator, in ranks of the new communicator
  destinations,  // vector: outgoing neighbours
  window,  // slot of a window: the smallest number that was free on this rank when it was made. With it stands `comm`, the
  file,    // communicator that it was made on, whose ranks targets are; slot of a file, likewise
  assertion,  // of a synchronisation call: kNoCheck and its like, added up
  exclusive,  // of Win_lock: 1 for MPI_LOCK_EXCLUSIVE
  group,      // vector: members of the group of Win_post and Win_start, in ranks of `comm`
};
inline constexpr std::size_t kFieldCount = static_cast<std::size_t>(Field::group) + 1;

// Peers are stored as codes: below kFirstPeer stand the special values, and kFirstPeer + r is rank r of the frame.
inline constexpr std::int64_t kProcNull = 0, kAnySource = 1, kRoot = 2, kNoPeer = 3, kFirstPeer = 8;
inline constexpr std::int64_t kAnyTag = -1;
inline constexpr std::int64_t kNone = -1;
// MPI_MODE_NOCHECK and its like, which are different numbers in every MPI library.
inline constexpr std::int64_t kNoCheck = 1, kNoStore = 2, kNoPut = 4, kNoPrecede = 8,
                              kNoSucceed = 16;

// In which communicator's ranks a peer field is counted (for an intercommunicator: its remote group).
enum class PeerFrame : std::uint8_t { not_a_peer, comm, new_comm, world };

struct FieldSpec {
  Field field;
  bool is_vector;
  PeerFrame frame;
};

std::string_view name_of(Field);  // as in the text form: "peer", "matched_peers", …

struct Procedure {
  std::string_view name;  // "MPI_Isend"
  Kind kind = Kind::unmodelled;
  SendMode mode = SendMode::standard;        // of send-like kinds
  Collective collective = Collective::none;  // of collective kinds
  bool is_test = false;                      // MPI_Test*, MPI_Iprobe, MPI_Improbe: does not block
  std::uint32_t since = 1;                   // the first version of the file format that knows it
};

// What a procedure is called in a trace that holds its calls as time only, because what wrote the trace did not know it.
std::string time_only(std::string_view name);

// The table's row for a name; a row of Kind::unmodelled (with that name) where it has none. The view must outlive the row.
Procedure procedure_named(std::string_view name);

// All rows of the table, in its order.
std::span<const Procedure> known_procedures();

// The fields of one call, scalars before vectors. Empty for init, finalize and unmodelled.
std::span<const FieldSpec> fields(const Procedure&);
std::size_t scalar_count(const Procedure&);
std::size_t vector_count(const Procedure&);

}  // namespace reprise::trace_io
