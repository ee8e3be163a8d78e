// SPDX-License-Identifier: MIT
// Collectives as time-independent lines: of the world, or of a communicator with the same members in the same order.
#include <algorithm>
#include <limits>

#include "sim/export/ti_rank.hpp"

namespace reprise::sim {

using trace_io::Collective;
using trace_io::Field;
using trace_io::Severity;

namespace {

// SMPI's number of a type of so many bytes (src/smpi/mpi/smpi_datatype.cpp); none where it has none.
std::optional<std::int64_t> type_of(std::int64_t bytes) {
  switch (bytes) {
    case 1:
      return 6;  // MPI_BYTE
    case 2:
      return 3;  // MPI_SHORT
    case 4:
      return 1;  // MPI_INT
    case 8:
      return 0;  // MPI_DOUBLE
    case 16:
      return 14;  // MPI_LONG_DOUBLE
    default:
      return std::nullopt;
  }
}

}  // namespace

// SMPI reads most counts as int.
std::int64_t TiRank::size_word(std::int64_t bytes) {
  if (bytes <= std::numeric_limits<std::int32_t>::max()) return bytes;
  lose(Severity::partial, "collectives of 2 GiB and more cut to 2 GiB");
  return std::numeric_limits<std::int32_t>::max();
}

std::vector<std::int64_t> TiRank::list(std::span<const std::int64_t> sizes) {
  std::vector<std::int64_t> words(static_cast<std::size_t>(job_.trace.header.ranks), 0);
  for (std::size_t i = 0; i < std::min(words.size(), sizes.size()); ++i)
    words[i] = size_word(sizes[i]);
  return words;
}

// COUNT, flops of the operator (none: traces do not say), ROOT if there is one, type.
void TiRank::reduction_arguments(std::int64_t bytes, std::int64_t element_bytes,
                                 std::optional<std::int64_t> root) {
  const auto type = type_of(element_bytes);
  const bool divides = type && element_bytes > 0 && bytes % element_bytes == 0;
  out_.word(size_word(divides ? bytes / element_bytes : bytes)).word(0);
  if (root) out_.word(*root);
  out_.word(divides ? *type : 6);
}

void TiRank::collective(const EventFields& fields) {
  const trace_io::Procedure& procedure = cursor_.procedure();
  const bool starts = procedure.kind == trace_io::Kind::start_collective;
  if (starts) {
    slot(fields.scalar(Field::request)) = {};
    slot(fields.scalar(Field::request)).kind = Slot::Kind::silent;
  }
  const auto comm = fields.scalar(Field::comm);
  const auto place = job_.communicators.place(rank_, comm);
  if (place && !place->is_inter() && place->size == 1) return;  // alone: nothing to send
  const bool on_world =
      place && !place->is_inter() && (!place->definition || job_.is_world[*place->definition]);
  if (!on_world)
    return lose(Severity::partial, name() + " on a communicator other than the world left out");
  if (starts)
    lose(Severity::partial, "non-blocking collectives exported as blocking ones at their start");
  if (fields.has(Field::commutes) && fields.scalar(Field::commutes) == 0)
    lose(Severity::notice, "non-commutative operators exported as commutative ones");

  std::int64_t root = 0;
  if (fields.has(Field::peer)) root = fields.scalar(Field::peer) - trace_io::kFirstPeer;
  const auto sent = [&] { return size_word(fields.scalar(Field::send_bytes)); };
  const auto received = [&] { return size_word(fields.scalar(Field::receive_bytes_per_peer)); };
  constexpr std::int64_t kByte = 6;
  switch (procedure.collective) {
    case Collective::barrier:
      out_.begin("barrier").end();
      return;
    case Collective::bcast:
      out_.begin("bcast").word(sent()).word(root).word(kByte).end();
      return;
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan: {
      const bool rooted = procedure.collective == Collective::reduce;
      out_.begin(rooted                                          ? "reduce"
                 : procedure.collective == Collective::allreduce ? "allreduce"
                 : procedure.collective == Collective::scan      ? "scan"
                                                                 : "exscan");
      reduction_arguments(fields.scalar(Field::send_bytes), fields.scalar(Field::element_bytes),
                          rooted ? std::optional(root) : std::nullopt);
      out_.end();
      return;
    }
    case Collective::gather:
    case Collective::scatter:
      out_.begin(procedure.collective == Collective::gather ? "gather" : "scatter");
      out_.word(sent()).word(received()).word(root).word(kByte).word(kByte).end();
      return;
    case Collective::allgather:
      out_.begin("allgather").word(sent()).word(received()).word(kByte).word(kByte).end();
      return;
    case Collective::alltoall:
      out_.begin("alltoall").word(sent()).word(received()).word(kByte).word(kByte).end();
      return;
    case Collective::gatherv:
      out_.begin("gatherv").word(sent()).words(list(fields.vector(Field::receive_bytes_list)));
      out_.word(root).word(kByte).word(kByte).end();
      return;
    case Collective::allgatherv:
      out_.begin("allgatherv")
          .word(sent())
          .words(list(fields.vector(Field::receive_bytes_list)))
          .word(kByte)
          .word(kByte)
          .end();
      return;
    case Collective::scatterv:
      out_.begin("scatterv").words(list(fields.vector(Field::send_bytes_list))).word(received());
      out_.word(root).word(kByte).word(kByte).end();
      return;
    case Collective::alltoallv:
    case Collective::alltoallw: {
      const auto sizes = list(fields.vector(Field::send_bytes_list)),
                 rooms = list(fields.vector(Field::receive_bytes_list));
      std::int64_t out = 0, in = 0;
      for (const auto bytes : sizes) out += bytes;
      for (const auto bytes : rooms) in += bytes;
      out_.begin("alltoallv")
          .word(size_word(out))
          .words(sizes)
          .word(size_word(in))
          .words(rooms)
          .word(kByte)
          .word(kByte)
          .end();
      return;
    }
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block: {
      const auto element = fields.scalar(Field::element_bytes);
      const auto type = type_of(element);
      auto counts = procedure.collective == Collective::reduce_scatter
                        ? list(fields.vector(Field::receive_bytes_list))
                        : std::vector<std::int64_t>(
                              static_cast<std::size_t>(job_.trace.header.ranks),
                              fields.scalar(Field::send_bytes) / job_.trace.header.ranks);
      const bool divides = type && std::all_of(counts.begin(), counts.end(), [element](auto bytes) {
                             return bytes % element == 0;
                           });
      if (divides)
        for (auto& count : counts) count /= element;
      out_.begin("reducescatter").words(counts).word(0).word(divides ? *type : kByte).end();
      return;
    }
    default:
      lose(Severity::partial, name() + " left out");
      return;
  }
}

}  // namespace reprise::sim
