// SPDX-License-Identifier: MIT
// Collective operations, blocking and not: each by its own procedure, with the recorded sizes.
#include <numeric>

#include "recorder/live/player.hpp"

namespace reprise::live {
namespace {

using trace_io::Collective;
using trace_io::Field;

// Calls MPI_Name or MPI_Iname with the same arguments.
#define REPRISE_CALL(Name, name, ...) \
  (into == nullptr ? MPI_##Name(__VA_ARGS__) : MPI_I##name(__VA_ARGS__, &request()))

std::int64_t sum(std::span<const std::int64_t> list) {
  return std::accumulate(list.begin(), list.end(), std::int64_t{0});
}

// Byte counts, and displacements that pack them, as MPI wants them: one for each peer, also where the trace has fewer.
struct Layout {
  std::vector<int>& counts;
  std::vector<int>& places;
  Layout(std::span<const std::int64_t> bytes, std::int64_t peers, std::vector<int>& into_counts,
         std::vector<int>& into_places)
      : counts(into_counts), places(into_places) {
    counts.assign(std::max(static_cast<std::size_t>(peers), bytes.size()), 0);
    places.assign(counts.size(), 0);
    int place = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      counts[i] = static_cast<int>(bytes[i]);
      places[i] = place;
      place += counts[i];
    }
  }
};

}  // namespace

bool Player::collective(Slot* into) {
  const Collective operation = cursor_.procedure().collective;
  switch (operation) {
    case Collective::none:
      return false;
    case Collective::barrier:
      if (into == nullptr)
        MPI_Barrier(comm());
      else
        MPI_Ibarrier(comm(), &request());
      return true;
    case Collective::bcast: {
      const Extent data = extent_of(field(Field::send_bytes));
      Buffer& buffer = into == nullptr ? receive_buffer_ : into->receive;
      REPRISE_CALL(Bcast, bcast, buffer.of(field(Field::send_bytes)), data.count, data.type,
                   peer(Field::peer), comm());
      return true;
    }
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan:
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return reduction(into);
    case Collective::gather:
    case Collective::scatter:
    case Collective::allgather:
    case Collective::alltoall:
    case Collective::neighbor_allgather:
    case Collective::neighbor_alltoall:
      return regular(into);
    default:
      return with_lists(into);
  }
}

bool Player::reduction(Slot* into) {
  const Collective operation = cursor_.procedure().collective;
  const bool in_place = field(Field::in_place) > 0;
  const auto lists = list(Field::receive_bytes_list);
  const std::int64_t element = field(Field::element_bytes);
  const std::int64_t bytes =
      operation == Collective::reduce_scatter ? sum(lists) : field(Field::send_bytes);
  Operands operands = operands_of(bytes, element, field(Field::commutes) != 0);
  const void* from = in_place ? MPI_IN_PLACE : send_buffer_.of(bytes);
  void* to = (into == nullptr ? receive_buffer_ : into->receive).of(bytes);
  switch (operation) {
    case Collective::reduce:
      REPRISE_CALL(Reduce, reduce, from, to, operands.count, operands.type, operands.op,
                   peer(Field::peer), comm());
      return true;
    case Collective::allreduce:
      REPRISE_CALL(Allreduce, allreduce, from, to, operands.count, operands.type, operands.op,
                   comm());
      return true;
    case Collective::scan:
      REPRISE_CALL(Scan, scan, from, to, operands.count, operands.type, operands.op, comm());
      return true;
    case Collective::exscan:
      REPRISE_CALL(Exscan, exscan, from, to, operands.count, operands.type, operands.op, comm());
      return true;
    case Collective::reduce_scatter_block: {
      int ranks = 1;
      PMPI_Comm_size(comm(), &ranks);
      REPRISE_CALL(Reduce_scatter_block, reduce_scatter_block, from, to, operands.count / ranks,
                   operands.type, operands.op, comm());
      return true;
    }
    default: {
      auto& counts = (into == nullptr ? blocking_ : *into).lists[0];
      counts.clear();
      const std::int64_t unit = operands.type == MPI_BYTE ? 1 : element;
      for (const auto part : lists) counts.push_back(static_cast<int>(part / unit));
      counts.resize(std::max(lists.size(),
                             static_cast<std::size_t>(communicators().places(field(Field::comm)))));
      REPRISE_CALL(Reduce_scatter, reduce_scatter, from, to, counts.data(), operands.type,
                   operands.op, comm());
      return true;
    }
  }
}

bool Player::regular(Slot* into) {
  const bool in_place = field(Field::in_place) > 0;
  const std::int64_t sent = field(Field::send_bytes),
                     received = field(Field::receive_bytes_per_peer);
  const Extent out = extent_of(sent), in = extent_of(received);
  const int root = peer(Field::peer);
  const std::int64_t places = communicators().places(field(Field::comm));
  const void* from = send_buffer_.of(sent * places);
  void* to = (into == nullptr ? receive_buffer_ : into->receive).of(received * places);
  switch (cursor_.procedure().collective) {
    case Collective::gather:
      REPRISE_CALL(Gather, gather, in_place ? MPI_IN_PLACE : from, out.count, out.type, to,
                   in.count, in.type, root, comm());
      return true;
    case Collective::scatter:
      REPRISE_CALL(Scatter, scatter, from, out.count, out.type, in_place ? MPI_IN_PLACE : to,
                   in.count, in.type, root, comm());
      return true;
    case Collective::allgather:
      REPRISE_CALL(Allgather, allgather, in_place ? MPI_IN_PLACE : from, out.count, out.type, to,
                   in.count, in.type, comm());
      return true;
    case Collective::alltoall:
      REPRISE_CALL(Alltoall, alltoall, in_place ? MPI_IN_PLACE : from, out.count, out.type, to,
                   in.count, in.type, comm());
      return true;
    case Collective::neighbor_allgather:
      REPRISE_CALL(Neighbor_allgather, neighbor_allgather, from, out.count, out.type, to, in.count,
                   in.type, comm());
      return true;
    default:
      REPRISE_CALL(Neighbor_alltoall, neighbor_alltoall, from, out.count, out.type, to, in.count,
                   in.type, comm());
      return true;
  }
}

bool Player::with_lists(Slot* into) {
  Slot& keep = into == nullptr ? blocking_ : *into;
  const bool in_place = field(Field::in_place) > 0;
  const auto sends = list(Field::send_bytes_list), receives = list(Field::receive_bytes_list);
  const std::int64_t peers = communicators().places(field(Field::comm));
  const Layout out(sends, peers, keep.lists[0], keep.lists[1]),
      in(receives, peers, keep.lists[2], keep.lists[3]);
  const Extent sent = extent_of(field(Field::send_bytes)),
               received = extent_of(field(Field::receive_bytes_per_peer));
  const int root = peer(Field::peer);
  const void* from = send_buffer_.of(std::max(sum(sends), field(Field::send_bytes)));
  void* to = (into == nullptr ? receive_buffer_ : into->receive)
                 .of(std::max(sum(receives), field(Field::receive_bytes_per_peer)));
  switch (cursor_.procedure().collective) {
    case Collective::gatherv:
      REPRISE_CALL(Gatherv, gatherv, in_place ? MPI_IN_PLACE : from, sent.count, sent.type, to,
                   in.counts.data(), in.places.data(), MPI_BYTE, root, comm());
      return true;
    case Collective::scatterv:
      REPRISE_CALL(Scatterv, scatterv, from, out.counts.data(), out.places.data(), MPI_BYTE,
                   in_place ? MPI_IN_PLACE : to, received.count, received.type, root, comm());
      return true;
    case Collective::allgatherv:
      REPRISE_CALL(Allgatherv, allgatherv, in_place ? MPI_IN_PLACE : from, sent.count, sent.type,
                   to, in.counts.data(), in.places.data(), MPI_BYTE, comm());
      return true;
    case Collective::neighbor_allgatherv:
      REPRISE_CALL(Neighbor_allgatherv, neighbor_allgatherv, from, sent.count, sent.type, to,
                   in.counts.data(), in.places.data(), MPI_BYTE, comm());
      return true;
    case Collective::alltoallv:
      REPRISE_CALL(Alltoallv, alltoallv, in_place ? MPI_IN_PLACE : from, out.counts.data(),
                   out.places.data(), MPI_BYTE, to, in.counts.data(), in.places.data(), MPI_BYTE,
                   comm());
      return true;
    case Collective::neighbor_alltoallv:
      REPRISE_CALL(Neighbor_alltoallv, neighbor_alltoallv, from, out.counts.data(),
                   out.places.data(), MPI_BYTE, to, in.counts.data(), in.places.data(), MPI_BYTE,
                   comm());
      return true;
    case Collective::alltoallw:
      keep.types.assign(std::max(out.counts.size(), in.counts.size()), MPI_BYTE);
      REPRISE_CALL(Alltoallw, alltoallw, in_place ? MPI_IN_PLACE : from, out.counts.data(),
                   out.places.data(), keep.types.data(), to, in.counts.data(), in.places.data(),
                   keep.types.data(), comm());
      return true;
    case Collective::neighbor_alltoallw: {
      keep.types.assign(std::max(out.counts.size(), in.counts.size()), MPI_BYTE);
      keep.wide_places[0].assign(out.places.begin(), out.places.end());
      keep.wide_places[1].assign(in.places.begin(), in.places.end());
      REPRISE_CALL(Neighbor_alltoallw, neighbor_alltoallw, from, out.counts.data(),
                   keep.wide_places[0].data(), keep.types.data(), to, in.counts.data(),
                   keep.wide_places[1].data(), keep.types.data(), comm());
      return true;
    }
    default:
      return false;
  }
}

#undef REPRISE_CALL

}  // namespace reprise::live
