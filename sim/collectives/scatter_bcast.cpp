// SPDX-License-Identifier: MIT
// bcast of large data: the root scatters pieces over a binomial tree, then everyone gathers them all.
// Van de Geijn's algorithm, as in Thakur, Rabenseifner, Gropp 2005 §4.4 and MPICH 4.0.2, bcast_intra_scatter_*_allgather.c.
#include <bit>

#include "sim/collectives/parts.hpp"
#include "sim/collectives/schedules.hpp"

namespace reprise::sim {
namespace {

using Kind = Step::Kind;
using trace_io::Collective;

// Everything in nodes v, the root being 0; piece v is the one that node v gets.
struct Pieces {
  const CollectiveCall& call;
  std::int32_t v;
  std::int64_t n, each;
  explicit Pieces(const CollectiveCall& c)
      : call(c),
        v(wrapped(c.rank - c.root, c.size)),
        n(elements(c)),
        each((n + c.size - 1) / c.size) {}
  std::int64_t begin(std::int32_t piece) const { return std::min(each * piece, n); }
  // Pieces first … first + count − 1, around the end.
  Step step(Kind kind, std::int32_t node, std::int32_t first, std::int32_t count) const {
    const std::int32_t peer = (wrapped(node, call.size) + call.root) % call.size,
                       end = first + count;
    return end <= call.size ? part(kind, peer, call, begin(first), begin(end))
                            : part_around(kind, peer, call, begin(first), begin(end - call.size));
  }
};

void scatter(const Pieces& pieces, std::uint32_t round, Steps& steps) {
  const std::int32_t size = pieces.call.size, half = std::int32_t{1} << (levels(size) - 1 - round),
                     v = pieces.v;
  const auto length = [&](std::int32_t first) { return std::min(half, size - first); };
  if (v % (2 * half) == 0 && v + half < size)
    steps.push_back(pieces.step(Kind::send, v + half, v + half, length(v + half)));
  if (v % (2 * half) == half) steps.push_back(pieces.step(Kind::receive, v - half, v, length(v)));
}

bool scatter_ring_bcast(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const Pieces pieces(call);
  if (round < levels(call.size)) {
    scatter(pieces, round, steps);
    return true;
  }
  const auto k = static_cast<std::int32_t>(round - levels(call.size));
  if (k >= call.size - 1) return false;
  steps.push_back(
      pieces.step(Kind::receive, pieces.v - 1, wrapped(pieces.v - k - 1, call.size), 1));
  steps.push_back(pieces.step(Kind::send, pieces.v + 1, wrapped(pieces.v - k, call.size), 1));
  return true;
}

bool scatter_doubling_bcast(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const Pieces pieces(call);
  const std::uint32_t scatters = levels(call.size);
  if (round < scatters) {
    scatter(pieces, round, steps);
    return true;
  }
  round -= scatters;
  if (round >= levels(call.size)) return false;
  const std::int32_t reach = std::int32_t{1} << round, v = pieces.v;
  if (std::has_single_bit(static_cast<std::uint32_t>(call.size))) {
    const std::int32_t peer = v ^ reach;
    steps.push_back(pieces.step(Kind::receive, peer, peer & ~(reach - 1), reach));
    steps.push_back(pieces.step(Kind::send, peer, v & ~(reach - 1), reach));
    return true;
  }
  // Where groups are not whole, as Bruck does: as many rounds and bytes, to the neighbours at distance 2^round.
  const std::int32_t count = std::min(reach, call.size - reach);
  steps.push_back(pieces.step(Kind::receive, v + reach, wrapped(v + reach, call.size), count));
  steps.push_back(pieces.step(Kind::send, v - reach, v, count));
  return true;
}

constexpr Algorithm kScatterBcasts[] = {
    {Collective::bcast, false, "scatter_recursive_doubling", scatter_doubling_bcast},
    {Collective::bcast, false, "scatter_ring", scatter_ring_bcast},
};

}  // namespace

std::span<const Algorithm> scatter_bcasts() { return kScatterBcasts; }

}  // namespace reprise::sim
