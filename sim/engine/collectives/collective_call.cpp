// SPDX-License-Identifier: MIT
#include "sim/engine/collectives/collective_call.hpp"

#include <algorithm>
#include <limits>

#include "sim/engine/collectives/open_collectives.hpp"
#include "trace-io/model/byte_counts.hpp"

namespace reprise::sim {
namespace {

using trace_io::Collective;
using trace_io::Field;
using Side = CollectiveCall::Side;

Bytes bytes_of(const EventFields& fields, Field field) {
  return Bytes{fields.has(field)
                   ? static_cast<std::uint64_t>(std::max<std::int64_t>(0, fields.scalar(field)))
                   : 0};
}

std::int64_t element(std::span<const std::int64_t> list, std::int32_t index) {
  return static_cast<std::size_t>(index) < list.size() ? list[static_cast<std::size_t>(index)] : 0;
}

// −1 where the code is that of no rank; check_collective() refuses it.
std::int32_t root_number(std::int64_t code) {
  const std::int64_t number = code - trace_io::kFirstPeer;
  return number <= std::numeric_limits<std::int32_t>::max() ? static_cast<std::int32_t>(number)
                                                            : -1;
}

void describe_root(CollectiveCall& call, std::int64_t code, const CommunicatorView& view) {
  if (!view.place.is_inter()) {
    call.root = root_number(code);
    call.side = call.root == call.rank ? Side::root : Side::opposite;
  } else if (code == trace_io::kRoot) {
    call.root = call.rank;
    call.side = Side::root;
  } else if (code == trace_io::kProcNull) {
    call.side = Side::with_root;
  } else {
    call.root = root_number(code);
    call.side = Side::opposite;
  }
}

// Whether what the members send together, each as this one does, is a size that a trace may hold.
bool is_countable(const CollectiveCall& call) {
  constexpr auto kMost = static_cast<std::uint64_t>(trace_io::kMostBytes);
  const auto members =
      static_cast<std::uint64_t>(call.size) + static_cast<std::uint64_t>(call.remote_size);
  if (call.bytes.value > kMost / members || call.receive_bytes.value > kMost / members)
    return false;
  for (const auto list : {call.send_list, call.receive_list}) {
    std::uint64_t sum = 0;
    for (const std::int64_t bytes : list) {
      sum += static_cast<std::uint64_t>(std::max<std::int64_t>(0, bytes));
      if (sum > kMost / members) return false;
    }
  }
  return true;
}

}  // namespace

CollectiveCall describe_collective(Collective operation, const EventFields& fields,
                                   const CommunicatorView& view) {
  CollectiveCall call;
  call.operation = operation;
  call.rank = view.place.local_rank;
  call.size = view.place.size;
  call.remote_size = view.place.remote_size;
  call.group = view.place.group;
  if (fields.has(Field::peer)) describe_root(call, fields.scalar(Field::peer), view);
  if (const Bytes element = bytes_of(fields, Field::element_bytes); element.value > 0)
    call.element_bytes = element;
  if (fields.has(Field::commutes)) call.commutes = fields.scalar(Field::commutes) != 0;
  if (fields.has(Field::send_bytes_list)) call.send_list = fields.vector(Field::send_bytes_list);
  if (fields.has(Field::receive_bytes_list))
    call.receive_list = fields.vector(Field::receive_bytes_list);
  const bool in_place = fields.has(Field::in_place) && fields.scalar(Field::in_place) != 0;
  const Bytes sent = bytes_of(fields, Field::send_bytes),
              received = bytes_of(fields, Field::receive_bytes_per_peer);
  call.is_in_place = in_place;
  call.bytes = sent;
  call.receive_bytes = received;
  const bool is_root = call.side == Side::root;
  switch (operation) {
    case Collective::gather:  // the root's argument may be MPI_IN_PLACE
      if (is_root) call.bytes = received;
      break;
    case Collective::
        scatter:  // only the root's send argument counts; others know what they receive
      if (!is_root) call.bytes = received;
      break;
    case Collective::scatterv:
      call.bytes = received;
      break;
    case Collective::allgather:
    case Collective::alltoall:
      if (in_place) call.bytes = received;
      break;
    case Collective::alltoallv:
    case Collective::alltoallw:
      if (in_place) call.send_list = call.receive_list;
      break;
    case Collective::reduce_scatter_block:  // recorded: the whole vector
      call.bytes = Bytes{sent.value / static_cast<std::uint64_t>(call.size)};
      break;
    case Collective::reduce_scatter:
      call.bytes = Bytes{static_cast<std::uint64_t>(element(call.receive_list, call.rank))};
      break;
    case Collective::neighbor_allgather:
    case Collective::neighbor_allgatherv:
    case Collective::neighbor_alltoall:
    case Collective::neighbor_alltoallv:
    case Collective::neighbor_alltoallw:
      call.sources = view.sources;
      call.destinations = view.destinations;
      break;
    default:
      break;
  }
  return call;
}

Bytes own_share(const CollectiveCall& call) {
  if (call.is_in_place || call.remote_size > 0) return {};
  const bool is_root = call.side == Side::root;
  const auto of_list = [&](std::span<const std::int64_t> list) {
    return Bytes{static_cast<std::uint64_t>(std::max<std::int64_t>(0, element(list, call.rank)))};
  };
  switch (call.operation) {
    case Collective::allreduce:
    case Collective::scan:
    case Collective::allgather:
    case Collective::allgatherv:
    case Collective::alltoall:
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return call.bytes;
    case Collective::reduce:
    case Collective::gather:
    case Collective::gatherv:
    case Collective::scatter:
      return is_root ? call.bytes : Bytes{};
    case Collective::scatterv:
      return is_root ? of_list(call.send_list) : Bytes{};
    case Collective::alltoallv:
    case Collective::alltoallw:
      return of_list(call.send_list);
    default:
      return {};
  }
}

std::string check_collective(const CollectiveCall& call, const CommunicatorView& view) {
  using Expected = std::pair<std::size_t, std::size_t>;  // entries of send and receive list
  const bool is_inter = view.place.is_inter();
  const auto members = static_cast<std::size_t>(view.frame_size());
  const bool is_root = call.side == Side::root;
  const auto root_size = is_inter && call.side == Side::opposite ? call.remote_size : call.size;
  Expected expected{call.send_list.size(), call.receive_list.size()};
  switch (call.operation) {
    case Collective::bcast:
    case Collective::reduce:
    case Collective::gather:
    case Collective::scatter:
      break;
    case Collective::gatherv:
      if (is_root) expected.second = members;
      break;
    case Collective::scatterv:
      if (is_root) expected.first = members;
      break;
    case Collective::allgatherv:
      expected.second = members;
      break;
    case Collective::alltoallv:
    case Collective::alltoallw:
      expected = {members, members};
      break;
    case Collective::reduce_scatter:
      expected.second = static_cast<std::size_t>(call.size);
      break;
    case Collective::neighbor_allgatherv:
      expected.second = call.sources.size();
      break;
    case Collective::neighbor_alltoallv:
    case Collective::neighbor_alltoallw:
      expected = {call.destinations.size(), call.sources.size()};
      break;
    default:
      break;
  }
  if (call.root < 0 || call.root >= root_size)
    return "names rank " + std::to_string(call.root) + " of " + std::to_string(root_size) +
           " as its root";
  if (expected.first != call.send_list.size() || expected.second != call.receive_list.size())
    return "has sizes for " + std::to_string(call.send_list.size()) + " sends and " +
           std::to_string(call.receive_list.size()) + " receives where the communicator asks for " +
           std::to_string(expected.first) + " and " + std::to_string(expected.second);
  const auto is_member = [&](std::int32_t peer) { return peer < call.size; };
  if (!std::all_of(call.sources.begin(), call.sources.end(), is_member) ||
      !std::all_of(call.destinations.begin(), call.destinations.end(), is_member))
    return "has a neighbour that is not in its communicator";
  const bool exists_between_groups = call.operation < Collective::neighbor_allgather &&
                                     call.operation != Collective::scan &&
                                     call.operation != Collective::exscan;
  if (is_inter && !exists_between_groups) return "does not exist on an intercommunicator";
  if (!is_countable(call)) return "moves more than 2^62 bytes";
  return "";
}

std::int32_t root_of(const CollectiveCall& call, const Communicators& communicators,
                     std::int32_t rank, const CommunicatorView& view) {
  switch (call.operation) {
    case Collective::bcast:
    case Collective::reduce:
    case Collective::gather:
    case Collective::gatherv:
    case Collective::scatter:
    case Collective::scatterv:
      break;
    default:
      return OpenCollectives::kNoRoot;
  }
  if (!view.place.is_inter()) return communicators.member(rank, view, call.root);
  if (call.side == Side::root) return rank;
  // Those beside the root in its group do not name it.
  return call.side == Side::opposite ? communicators.member(rank, view, view.place.size + call.root)
                                     : OpenCollectives::kUnknownRoot;
}

}  // namespace reprise::sim
