// SPDX-License-Identifier: MIT
// allreduce by recursive doubling, by ring and by Rabenseifner's algorithm, and Rabenseifner's reduce: halves are exchanged and combined until everyone
// holds its piece of the result, then the pieces are gathered.
// Rabenseifner, "Optimization of Collective Reduction Operations", ICCS 2004; ring: Patarasuk and Yuan, JPDC 69(2), 2009.
// Cuts after Open MPI 4.1.4, coll_base_allreduce.c and coll_base_reduce.c, and MPICH 4.0.2, allreduce_intra_reduce_scatter_allgather.c.
#include <bit>

#include "sim/collectives/parts.hpp"
#include "sim/collectives/schedules.hpp"

namespace reprise::sim {
namespace {

using Kind = Step::Kind;
using Buffer = Step::Buffer;
using trace_io::Collective;

// The vector that a reduction with blocks works on as a whole.
Bytes reduced_bytes(const CollectiveCall& call) {
  if (call.operation == Collective::reduce_scatter_block) return times(call.bytes, call.size);
  if (call.operation != Collective::reduce_scatter) return call.bytes;
  return sum(call.receive_list);
}

std::int64_t block_count(const CollectiveCall& call) {
  return call.operation == Collective::allreduce ? elements(call) : call.size;
}

}  // namespace

bool recursive_doubling_allreduce(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  // The largest power of two does the doubling; of the first 2·surplus ranks the even ones hand theirs to their right
  // neighbour first and get the result from there at the end.
  const auto power =
      static_cast<std::int32_t>(std::bit_floor(static_cast<std::uint32_t>(call.size)));
  const std::int32_t surplus = call.size - power;
  const std::uint32_t doublings =
      static_cast<std::uint32_t>(std::countr_zero(static_cast<std::uint32_t>(power)));
  const Bytes bytes = reduced_bytes(call);
  const std::int64_t blocks = block_count(call);
  const auto add = [&](Kind kind, std::int32_t peer) {
    steps.push_back({kind, peer, bytes, Buffer::work, 0, blocks});
  };
  if (call.rank < 2 * surplus) {
    const bool is_even = call.rank % 2 == 0;
    if (is_even) {
      if (round > 1) return false;
      add(round == 0 ? Kind::send : Kind::receive, call.rank + 1);
      return true;
    }
    if (round == 0 || round == doublings + 1) {
      add(round == 0 ? Kind::combine : Kind::send, call.rank - 1);
      return true;
    }
    --round;
  }
  if (round >= doublings) return false;
  const std::int32_t mine = call.rank < 2 * surplus ? call.rank / 2 : call.rank - surplus;
  const std::int32_t other = mine ^ (std::int32_t{1} << round);
  const std::int32_t peer = other < surplus ? 2 * other + 1 : other + surplus;
  add(Kind::combine, peer);
  add(Kind::send, peer);
  return true;
}

namespace {

struct Range {
  std::int64_t begin, end;
};
Step range_part(Kind kind, std::int32_t peer, const CollectiveCall& call, Range range) {
  return part(kind, peer, call, range.begin, range.end);
}

// Recursive halving among 2^k members: in round i a member exchanges halves with the one whose number differs in bit i, and keeps
// the upper half where its own bit is set.
struct Halving {
  const CollectiveCall& call;
  Fold fold;
  bool
      even_pieces;  // cut into 2^k pieces of equal length, the last one longer; else in the middle each time
  std::int64_t n;

  Halving(const CollectiveCall& c, bool odd_stay, bool equal)
      : call(c), fold(c.size, odd_stay), even_pieces(equal), n(elements(c)) {}

  std::int64_t middle(Range range, std::uint32_t round) const {
    if (even_pieces) return range.begin + (n / fold.power) * (fold.power >> (round + 1));
    return range.begin + (range.end - range.begin) / 2;
  }
  Range half(Range range, std::uint32_t round, bool upper) const {
    const std::int64_t cut = middle(range, round);
    return upper ? Range{cut, range.end} : Range{range.begin, cut};
  }
  Range held(std::int32_t number, std::uint32_t rounds) const {
    Range range{0, n};
    for (std::uint32_t round = 0; round < rounds; ++round)
      range = half(range, round, (number >> round & 1) != 0);
    return range;
  }
  std::int32_t partner(std::int32_t number, std::uint32_t round) const {
    return number ^ (std::int32_t{1} << round);
  }

  void exchange(std::int32_t number, std::uint32_t round, Steps& steps) const {
    const Range range = held(number, round);
    const bool upper = (number >> round & 1) != 0;
    const std::int32_t peer = fold.rank(partner(number, round));
    steps.push_back(range_part(Kind::combine, peer, call, half(range, round, upper)));
    steps.push_back(range_part(Kind::send, peer, call, half(range, round, !upper)));
  }
};

// The neighbours of the surplus hand over what they have: as a whole (odd members stay) or each half of the data to the one of
// the two that combines it, and the halves together again at the even one. Always 2 rounds; true while they last.
bool fold_in(const Halving& halving, bool by_halves, std::uint32_t round, Steps& steps) {
  const CollectiveCall& call = halving.call;
  if (round > 1) return false;
  if (!halving.fold.is_paired(call.rank)) return true;
  const bool stays = halving.fold.stays(call.rank);
  const std::int32_t peer = call.rank ^ 1;
  if (!by_halves) {
    if (round == 0) steps.push_back(whole(stays ? Kind::combine : Kind::send, peer, call));
    return true;
  }
  const std::int64_t middle = halving.n / 2;
  const Range lower{0, middle}, upper{middle, halving.n};
  if (round == 0) {
    steps.push_back(range_part(Kind::combine, peer, call, stays ? lower : upper));
    steps.push_back(range_part(Kind::send, peer, call, stays ? upper : lower));
  } else {
    steps.push_back(range_part(stays ? Kind::receive : Kind::send, peer, call, upper));
  }
  return true;
}

bool allreduce_by_halving(const Halving& halving, bool by_halves, std::uint32_t round,
                          Steps& steps) {
  const CollectiveCall& call = halving.call;
  if (fold_in(halving, by_halves, round, steps)) return true;
  round -= 2;
  const std::uint32_t rounds = halving.fold.rounds();
  const bool is_paired = halving.fold.is_paired(call.rank);
  if (round < 2 * rounds) {
    if (!halving.fold.stays(call.rank)) return true;
    const std::int32_t number = halving.fold.number(call.rank);
    if (round < rounds) {
      halving.exchange(number, round, steps);
    } else {
      const std::uint32_t back = 2 * rounds - 1 - round;
      const std::int32_t other = halving.partner(number, back), peer = halving.fold.rank(other);
      steps.push_back(range_part(Kind::receive, peer, call, halving.held(other, back + 1)));
      steps.push_back(range_part(Kind::send, peer, call, halving.held(number, back + 1)));
    }
    return true;
  }
  if (round > 2 * rounds || !is_paired) return false;
  steps.push_back(
      whole(halving.fold.stays(call.rank) ? Kind::send : Kind::receive, call.rank ^ 1, call));
  return true;
}

// Linear reduce to rank 0, linear bcast.
bool linear_allreduce(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  CollectiveCall inner = call;
  inner.root = 0;
  const std::uint32_t reduces = call.rank == 0 ? static_cast<std::uint32_t>(call.size - 1) : 1U;
  if (call.size == 1) return false;
  return round < reduces ? linear_reduce(inner, round, steps)
                         : linear_bcast(inner, round - reduces, steps);
}

// Open MPI's cuts.
bool rabenseifner_allreduce(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const Halving halving(call, false, false);
  if (has_fewer_elements_than_power(call)) return linear_allreduce(call, round, steps);
  return allreduce_by_halving(halving, true, round, steps);
}

// MPICH's cuts.
bool halving_allreduce(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  return allreduce_by_halving(Halving(call, true, true), false, round, steps);
}

bool rabenseifner_reduce(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const Halving halving(call, false, false);
  if (has_fewer_elements_than_power(call)) return linear_reduce(call, round, steps);
  if (fold_in(halving, true, round, steps)) return true;
  round -= 2;
  const std::uint32_t rounds = halving.fold.rounds();
  // A root that does not stay gets the result from its neighbour.
  const bool root_stays = halving.fold.stays(call.root);
  const std::int32_t top_rank = root_stays ? call.root : call.root ^ 1,
                     top = halving.fold.number(top_rank);
  if (round < 2 * rounds) {
    if (!halving.fold.stays(call.rank)) return true;
    const std::int32_t number = halving.fold.number(call.rank);
    if (round < rounds) {
      halving.exchange(number, round, steps);
      return true;
    }
    const std::uint32_t back = 2 * rounds - 1 - round;
    if ((number ^ top) >> (back + 1) != 0) return true;  // has handed over what it had
    const std::int32_t other = halving.partner(number, back), peer = halving.fold.rank(other);
    const bool receives = ((number ^ top) >> back & 1) == 0;
    steps.push_back(range_part(receives ? Kind::receive : Kind::send, peer, call,
                               halving.held(receives ? other : number, back + 1)));
    return true;
  }
  if (round > 2 * rounds || root_stays || (call.rank != top_rank && call.rank != call.root))
    return false;
  steps.push_back(call.rank == call.root ? whole(Kind::receive, top_rank, call)
                                         : whole(Kind::send, call.root, call));
  return true;
}

// Blocks in segments.
bool ring_allreduce(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const std::int64_t n = elements(call), size = call.size;
  if (has_fewer_elements_than_members(call))
    return recursive_doubling_allreduce(call, round, steps);
  const auto step = static_cast<std::int32_t>(
      round % static_cast<std::uint32_t>(std::max<std::int64_t>(1, size - 1)));
  // Blocks that differ by one element at most, the longer ones first. Segmented: each block goes in pieces, all blocks' first pieces
  // once around before the second ones.
  const auto begin = [&](std::int64_t block) {
    return block * (n / size) + std::min(block, n % size);
  };
  const std::int64_t longest = (n + size - 1) / size;
  std::int64_t each = longest;
  if (call.segment.value > 0)
    each = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(call.segment.value / call.element_bytes.value), 1, longest);
  const auto laps = static_cast<std::uint32_t>((longest + each - 1) / each);
  if (size == 1 || round >= (laps + 1) * static_cast<std::uint32_t>(size - 1)) return false;
  const std::uint32_t lap = round / static_cast<std::uint32_t>(size - 1);
  const auto piece = [&](Kind kind, std::int32_t peer, std::int32_t block) {
    const std::int64_t first = begin(block), last = begin(block + 1);
    if (lap == laps) return sim::part(kind, peer, call, first, last);
    const auto at = [&](std::int64_t number) { return std::min(first + number * each, last); };
    return sim::part(kind, peer, call, at(lap), at(lap + 1));
  };
  const std::int32_t left = wrapped(call.rank - 1, call.size),
                     right = wrapped(call.rank + 1, call.size);
  const std::int32_t ahead =
      lap == laps ? 1 : 0;  // the gathering lap starts with the block that is complete here
  steps.push_back(piece(lap == laps ? Kind::receive : Kind::combine, left,
                        wrapped(call.rank - step - 1 + ahead, call.size)));
  steps.push_back(piece(Kind::send, right, wrapped(call.rank - step + ahead, call.size)));
  return true;
}

bool plain_ring_allreduce(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  CollectiveCall unsegmented = call;
  unsegmented.segment = Bytes{};
  return ring_allreduce(unsegmented, round, steps);
}

// All to rank 0 at once, binomial bcast.
bool linear_nb_binomial_allreduce(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  CollectiveCall inner = call;
  inner.root = 0;
  if (call.size == 1) return false;
  const std::uint32_t reduces =
      call.rank == 0 && !call.commutes ? static_cast<std::uint32_t>(call.size - 1) : 1U;
  if (round >= reduces) return binomial_bcast(inner, round - reduces, steps);
  return call.commutes ? linear_nb_reduce(inner, round, steps) : linear_reduce(inner, round, steps);
}

constexpr Fallback kLinear{has_fewer_elements_than_power, "linear",
                           "fewer elements than the largest power of two of ranks", "Open MPI"};
constexpr Fallback kRecursiveDoubling{has_fewer_elements_than_members, "recursive_doubling",
                                      "fewer elements than ranks", "Open MPI"};

constexpr Algorithm kAllreduces[] = {
    {Collective::reduce, false, "rabenseifner", rabenseifner_reduce, nullptr, true, &kLinear},
    {Collective::allreduce, false, "recursive_doubling", recursive_doubling_allreduce},
    {Collective::allreduce, false, "linear", linear_allreduce},
    {Collective::allreduce, false, "linear_nb_binomial", linear_nb_binomial_allreduce},
    {Collective::allreduce, false, "ring", plain_ring_allreduce, nullptr, true,
     &kRecursiveDoubling},
    {Collective::allreduce, false, "segmented_ring", ring_allreduce, nullptr, true,
     &kRecursiveDoubling},
    {Collective::allreduce, false, "rabenseifner", rabenseifner_allreduce, nullptr, true, &kLinear},
    {Collective::allreduce, false, "reduce_scatter_allgather", halving_allreduce, nullptr, true},
};

}  // namespace

std::span<const Algorithm> allreduces() { return kAllreduces; }

}  // namespace reprise::sim
