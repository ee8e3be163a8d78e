// SPDX-License-Identifier: MIT
#include "trace-io/import/ranks/collective_sizes.hpp"

#include <algorithm>
#include <numeric>

namespace reprise::trace_io {
namespace {

std::int64_t element_bytes(std::int64_t bytes) {
  for (const std::int64_t size : {8, 4, 2})
    if (bytes % size == 0) return size;
  return 1;
}

// The whole divided among n, what does not divide going to the first ones.
void divide(std::vector<std::int64_t>& to, std::int64_t whole, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) to.push_back(whole / n + (i < whole % n ? 1 : 0));
}

std::int64_t sum(std::span<const std::int64_t> list) {
  return std::accumulate(list.begin(), list.end(), std::int64_t{0});
}

}  // namespace

AssumedSizes add_collective_fields(ImportedCall& call, Collective operation,
                                   const CollectiveSums& sums, CountedBytes counted) {
  const bool blocks = counted == CountedBytes::every_block;
  const auto n = static_cast<std::int64_t>(std::max(1, sums.size));
  const auto sent = static_cast<std::int64_t>(sums.sent),
             received = static_cast<std::int64_t>(sums.received);
  AssumedSizes assumed;
  bool in_place = false;
  // A sum of one block for each of `members`; where it does not divide, and does for the others alone, the call was in place.
  const auto block = [&](std::int64_t whole) {
    if (!blocks) return whole;
    if (whole % n == 0) return whole / n;
    if (n > 1 && whole % (n - 1) == 0) {
      in_place = true;
      return whole / (n - 1);
    }
    assumed.remainder = true;
    return whole / n;
  };
  auto& out = call.scalars;
  const auto reduction = [&](std::int64_t bytes) {
    out.insert(out.end(), {element_bytes(bytes), 1});
    assumed.elements = bytes > 0;
  };
  switch (operation) {
    case Collective::none:
    case Collective::barrier:
      break;
    case Collective::bcast:
      out.insert(out.end(), {sums.root, !blocks        ? std::max(sent, received)
                                        : sums.is_root ? block(sent)
                                                       : received});
      break;
    case Collective::reduce: {
      in_place = sums.is_root && sent == 0 && received > 0;
      const std::int64_t bytes = !in_place ? sent
                                 : blocks  ? received / std::max<std::int64_t>(1, n - 1)
                                           : received;
      out.insert(out.end(), {sums.root, bytes, in_place ? 1 : 0});
      reduction(bytes);
      break;
    }
    case Collective::allreduce: {
      const std::int64_t bytes = block(sent);
      out.insert(out.end(), {bytes, in_place ? 1 : 0});
      reduction(bytes);
      break;
    }
    case Collective::reduce_scatter_block: {
      std::int64_t bytes = sent;  // the whole argument: what Score-P sums up
      if (blocks && n > 1 && sent % n != 0 && sent % (n - 1) == 0) {
        in_place = true;
        bytes = sent / (n - 1) * n;
      }
      out.insert(out.end(), {bytes, in_place ? 1 : 0});
      reduction(bytes / n);
      break;
    }
    case Collective::scan:
    case Collective::exscan: {
      // Score-P: sent (n − me) blocks and received me + 1; in place, and for Exscan, one less of each.
      const std::int64_t both = sent + received,
                         parts = operation == Collective::scan ? n + 1 : n - 1;
      std::int64_t bytes = sent;
      if (blocks) {
        in_place = operation == Collective::scan && n > 1 && received != 0
                       ? sent * (sums.me + 1) != received * (n - sums.me)
                       : false;
        const std::int64_t counted_parts = in_place ? n - 1 : parts;
        bytes = counted_parts > 0 ? both / counted_parts : 0;
      }
      out.insert(out.end(), {bytes, in_place ? 1 : 0});
      reduction(bytes);
      break;
    }
    case Collective::gather: {
      in_place = sums.is_root && sent == 0 && received > 0;
      const std::int64_t each = !sums.is_root ? 0
                                : in_place    ? received / std::max<std::int64_t>(1, n - 1)
                                              : received / n;
      const std::int64_t got = !sums.is_root ? 0 : blocks ? each : received;
      out.insert(out.end(), {sums.root, sent, got, in_place ? 1 : 0});
      break;
    }
    case Collective::scatter: {
      in_place = sums.is_root && received == 0 && sent > 0;
      const std::int64_t each = in_place ? sent / std::max<std::int64_t>(1, n - 1) : sent / n;
      const std::int64_t gave = !sums.is_root ? 0 : blocks ? each : sent;
      out.insert(out.end(), {sums.root, gave, received, in_place ? 1 : 0});
      break;
    }
    case Collective::allgather:
    case Collective::alltoall:
    case Collective::neighbor_allgather:
    case Collective::neighbor_alltoall: {
      const std::int64_t one = block(sent), other = block(received);
      out.insert(out.end(), {one, other, in_place ? 1 : 0});
      break;
    }
    case Collective::gatherv: {
      in_place = sums.is_root && sent == 0 && received > 0;
      out.insert(out.end(), {sums.root, sent, in_place ? 1 : 0});
      auto& list = call.add_vector();
      if (sums.is_root) divide(list, received, n);
      assumed.vectors = sums.is_root && received > 0;
      break;
    }
    case Collective::scatterv: {
      in_place = sums.is_root && received == 0 && sent > 0;
      out.insert(out.end(), {sums.root, received, in_place ? 1 : 0});
      auto& list = call.add_vector();
      if (sums.is_root) divide(list, sent, n);
      assumed.vectors = sums.is_root && sent > 0;
      break;
    }
    case Collective::allgatherv:
    case Collective::neighbor_allgatherv: {
      const std::int64_t own = block(sent);
      out.insert(out.end(), {own, in_place ? 1 : 0});
      divide(call.add_vector(), received, n);
      assumed.vectors = received > 0;
      break;
    }
    case Collective::alltoallv:
    case Collective::alltoallw:
    case Collective::neighbor_alltoallv:
    case Collective::neighbor_alltoallw: {
      out.push_back(0);
      divide(call.add_vector(), sent, n);
      divide(call.add_vector(), received, n);
      assumed.vectors = sent + received > 0;
      break;
    }
    case Collective::reduce_scatter: {
      out.push_back(0);
      reduction(blocks ? received / n : received);
      divide(call.add_vector(), sent, n);
      assumed.vectors = sent > 0;
      break;
    }
  }
  return assumed;
}

CollectiveSums collective_sums(Collective operation, std::span<const std::int64_t> scalars,
                               std::span<const std::span<const std::int64_t>> vectors,
                               std::int32_t size, std::int32_t me, CountedBytes counted) {
  const bool blocks = counted == CountedBytes::every_block;
  const auto n = static_cast<std::uint64_t>(std::max(1, size));
  const auto times = [&](std::uint64_t blocks_counted) { return blocks ? blocks_counted : 1; };
  CollectiveSums sums;
  sums.size = size;
  sums.me = me;
  const auto at = [&](std::size_t i) { return static_cast<std::uint64_t>(scalars[i]); };
  const auto rooted = [&] {
    sums.root = scalars[1];
    sums.is_root = sums.root == kRoot || sums.root == kFirstPeer + me;
  };
  const auto list = [&](std::size_t i) { return static_cast<std::uint64_t>(sum(vectors[i])); };
  switch (operation) {
    case Collective::none:
    case Collective::barrier:
      break;
    case Collective::bcast:
      rooted();
      sums.sent = sums.is_root ? at(2) * times(n) : 0;
      sums.received = blocks || !sums.is_root ? at(2) : 0;
      break;
    case Collective::reduce:
      rooted();
      sums.sent = scalars[3] != 0 ? 0 : at(2);
      sums.received = sums.is_root ? at(2) * times(scalars[3] != 0 ? n - 1 : n) : 0;
      break;
    case Collective::allreduce:
      sums.sent = sums.received = at(1) * times(scalars[2] != 0 ? n - 1 : n);
      break;
    case Collective::reduce_scatter_block:
      sums.sent = sums.received = scalars[2] != 0 && blocks ? at(1) / n * (n - 1) : at(1);
      break;
    case Collective::scan:
    case Collective::exscan: {
      const auto place = static_cast<std::uint64_t>(me);
      const std::uint64_t less = operation == Collective::exscan || scalars[2] != 0 ? 1 : 0;
      sums.sent = at(1) * times(n - place - less);
      sums.received = at(1) * times(place + 1 - less);
      break;
    }
    case Collective::gather:
      rooted();
      sums.sent = scalars[4] != 0 ? 0 : at(2);
      sums.received = sums.is_root ? at(3) * times(scalars[4] != 0 ? n - 1 : n) : 0;
      break;
    case Collective::scatter:
      rooted();
      sums.sent = sums.is_root ? at(2) * times(scalars[4] != 0 ? n - 1 : n) : 0;
      sums.received = scalars[4] != 0 ? 0 : at(3);
      break;
    case Collective::allgather:
    case Collective::alltoall:
    case Collective::neighbor_allgather:
    case Collective::neighbor_alltoall: {
      const std::uint64_t all = scalars[3] != 0 ? n - 1 : n;
      sums.sent = (scalars[3] != 0 ? at(2) : at(1)) * times(all);
      sums.received = at(2) * times(all);
      break;
    }
    case Collective::gatherv:
      rooted();
      sums.sent = at(2);
      sums.received = list(0);
      break;
    case Collective::scatterv:
      rooted();
      sums.sent = list(0);
      sums.received = at(2);
      break;
    case Collective::allgatherv:
    case Collective::neighbor_allgatherv:
      sums.sent = at(1) * times(n);
      sums.received = list(0);
      break;
    case Collective::alltoallv:
    case Collective::alltoallw:
    case Collective::neighbor_alltoallv:
    case Collective::neighbor_alltoallw:
      sums.sent = list(0);
      sums.received = list(1);
      break;
    case Collective::reduce_scatter: {
      const auto place = static_cast<std::size_t>(me);
      sums.sent = list(0);
      sums.received =
          place < vectors[0].size() ? static_cast<std::uint64_t>(vectors[0][place]) * times(n) : 0;
      break;
    }
  }
  return sums;
}

}  // namespace reprise::trace_io
