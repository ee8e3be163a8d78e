// SPDX-License-Identifier: MIT
// The fields of collective calls. Scalars and lists stand in the order of fields() (trace-io/model/procedure.hpp).
#include <algorithm>
#include <numeric>

#include "trace-io/import/dumpi/dumpi_rank.hpp"

namespace reprise::trace_io {

std::optional<std::int64_t> DumpiRank::root(std::int64_t rank, const Place& at) const {
  if (rank < 0 || rank >= at.size) return {};
  return kFirstPeer + rank;
}

bool DumpiRank::collective(ImportedCall& call, const Procedure& row) {
  const auto which = row.collective;
  auto& out = call.scalars;
  // The communicator is the last integer, but of the calls that have something at the root behind it.
  const std::size_t last = record_.scalars.size() - 1;
  switch (which) {
    case Collective::gather:
    case Collective::scatter:
      if (const auto at = place(field(4))) return gather_or_scatter(call, row, *at);
      return false;
    case Collective::gatherv:
      if (const auto at = place(field(5))) return with_lists(call, row, *at);
      return false;
    case Collective::scatterv:
      if (const auto at = place(field(6))) return with_lists(call, row, *at);
      return false;
    default:
      break;
  }
  const auto at = place(field(last));
  if (!at) return false;
  out.push_back(at->index);
  switch (which) {
    case Collective::barrier:
      return true;
    case Collective::bcast: {
      const auto from = root(field(2), *at), size = bytes(field(0), field(1));
      if (!from || !size) return false;
      out.insert(out.end(), {*from, *size});
      return true;
    }
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan: {
      const auto size = bytes(field(0), field(1));
      if (!size) return false;
      if (which == Collective::reduce) {
        const auto to = root(field(3), *at);
        if (!to) return false;
        out.push_back(*to);
      }
      out.insert(out.end(), {*size, 0, std::max<std::int64_t>(1, in_->type_bytes(field(1))),
                             commutes(field(2))});
      return true;
    }
    case Collective::allgather:
    case Collective::alltoall: {
      const auto sent = bytes(field(0), field(1)), received = bytes(field(2), field(3));
      if (!sent || !received) return false;
      out.insert(out.end(), {*sent, *received, 0});
      return true;
    }
    default:
      return with_lists(call, row, *at);
  }
}

bool DumpiRank::gather_or_scatter(ImportedCall& call, const Procedure& row, const Place& at) {
  const bool gathers = row.collective == Collective::gather, is_root = field(0) == field(3);
  const auto whom = root(field(3), at), own = bytes(field(1), field(2));
  const auto all = is_root ? bytes(field(5), field(6)) : std::optional<std::int64_t>(0);
  if (!whom || !own || !all) return false;
  call.scalars.assign(
      {at.index, *whom, gathers ? *own : *all, gathers ? *all : *own, std::int64_t{0}});
  return true;
}

bool DumpiRank::with_lists(ImportedCall& call, const Procedure& row, const Place& at) {
  auto& out = call.scalars;
  // A list has an element for each rank of the communicator.
  const auto list = [&](std::size_t which, std::int64_t type) {
    auto found = which < record_.lists.size() ? sizes(which, type) : std::nullopt;
    if (found && found->size() != static_cast<std::size_t>(at.size)) found.reset();
    return found;
  };
  switch (row.collective) {
    case Collective::gatherv:
    case Collective::scatterv: {
      const bool gathers = row.collective == Collective::gatherv;
      const std::int64_t to = field(gathers ? 4 : 5);
      const bool is_root = field(0) == to;
      const auto whom = root(to, at), own = bytes(field(gathers ? 2 : 3), field(gathers ? 3 : 4));
      std::optional<std::vector<std::int64_t>> all = std::vector<std::int64_t>{};
      if (is_root) all = list(0, field(gathers ? 6 : 2));
      if (!whom || !own || !all) return false;
      out.assign({at.index, *whom, *own, 0});
      call.add_vector() = *all;
      return true;
    }
    case Collective::allgatherv: {
      const auto own = bytes(field(1), field(2));
      const auto all = list(0, field(3));
      if (!own || !all) return false;
      out.insert(out.end(), {*own, 0});
      call.add_vector() = *all;
      return true;
    }
    case Collective::alltoallv: {
      const auto sent = list(0, field(1)), received = list(2, field(2));
      if (!sent || !received) return false;
      out.push_back(0);
      call.add_vector() = *sent;
      call.add_vector() = *received;
      return true;
    }
    case Collective::alltoallw: {
      std::vector<std::int64_t> both[2];
      for (const std::size_t half : {std::size_t{0}, std::size_t{1}}) {
        const auto &counts = record_.lists[half * 3], &types = record_.lists[half * 3 + 2];
        if (counts.size() != static_cast<std::size_t>(at.size) || types.size() != counts.size())
          return false;
        for (std::size_t i = 0; i < counts.size(); ++i) {
          const auto size = bytes(counts[i], types[i]);
          if (!size) return false;
          both[half].push_back(*size);
        }
      }
      out.push_back(0);
      call.add_vector() = both[0];
      call.add_vector() = both[1];
      return true;
    }
    case Collective::reduce_scatter: {
      const auto all = list(0, field(1));
      if (!all) return false;
      out.insert(out.end(),
                 {0, std::max<std::int64_t>(1, in_->type_bytes(field(1))), commutes(field(2))});
      call.add_vector() = *all;
      return true;
    }
    default:
      return false;
  }
}

}  // namespace reprise::trace_io
