// SPDX-License-Identifier: MIT
// allgather and allgatherv by ring, Bruck, recursive doubling, neighbour exchange, exchange with all.
// Bruck et al., "Efficient Algorithms for All-to-All Communications in Multiport Message-Passing Systems", TPDS 8(11), 1997;
// neighbour exchange: Chen et al., "Performance Evaluation of Allgather Algorithms on Terascale Linux Cluster", HPC Asia 2005;
// both as in Open MPI 4.1.4, coll_base_allgather.c.
#include <bit>

#include "sim/collectives/parts.hpp"
#include "sim/collectives/schedules.hpp"

namespace reprise::sim {
namespace {

using Kind = Step::Kind;
using Buffer = Step::Buffer;
using trace_io::Collective;

// Blocks first … first + count − 1, around the end.
Step blocks(Kind kind, std::int32_t peer, const CollectiveCall& call, std::int32_t first,
            std::int32_t count) {
  Bytes bytes = times(call.bytes, count);
  if (call.operation == Collective::allgatherv) {
    bytes = Bytes{};
    for (std::int32_t i = 0; i < count; ++i)
      bytes += listed(call.receive_list, (first + i) % call.size);
  }
  return {kind, wrapped(peer, call.size), bytes, Buffer::work, first, count};
}

// N − 1 rounds of one block.
bool ring_allgather(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const auto step = static_cast<std::int32_t>(round);
  if (step >= call.size - 1) return false;
  const std::int32_t outgoing = wrapped(call.rank - step, call.size);
  const std::int32_t incoming = wrapped(call.rank - step - 1, call.size);
  const bool is_v = call.operation == Collective::allgatherv;
  const auto bytes = [&](std::int32_t block) {
    return is_v ? listed(call.receive_list, block) : call.bytes;
  };
  steps.push_back({Kind::receive, wrapped(call.rank - 1, call.size), bytes(incoming), Buffer::work,
                   incoming, 1});
  steps.push_back(
      {Kind::send, wrapped(call.rank + 1, call.size), bytes(outgoing), Buffer::work, outgoing, 1});
  return true;
}

bool bruck_allgather(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round >= levels(call.size)) return false;
  const std::int32_t distance = std::int32_t{1} << round,
                     count = std::min(distance, call.size - distance);
  steps.push_back(blocks(Kind::receive, call.rank + distance, call,
                         wrapped(call.rank + distance, call.size), count));
  steps.push_back(blocks(Kind::send, call.rank - distance, call, call.rank, count));
  return true;
}

// N not a power of two: Bruck.
bool recursive_doubling_allgather(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (is_no_power_of_two(call)) return bruck_allgather(call, round, steps);
  if (round >= levels(call.size)) return false;
  const std::int32_t count = std::int32_t{1} << round, peer = call.rank ^ count;
  steps.push_back(blocks(Kind::receive, peer, call, peer & ~(count - 1), count));
  steps.push_back(blocks(Kind::send, peer, call, call.rank & ~(count - 1), count));
  return true;
}

bool is_odd(const CollectiveCall& call) { return call.size % 2 != 0; }

// N odd: ring.
bool neighbor_exchange_allgather(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (is_odd(call)) return ring_allgather(call, round, steps);
  const auto step = static_cast<std::int32_t>(round);
  if (step >= call.size / 2) return false;
  // A pair exchanges its own blocks, then hands on two blocks at a time, to the left and to the right in turns.
  const bool is_even = call.rank % 2 == 0;
  const std::int32_t toward[2] = {is_even ? 1 : -1, is_even ? -1 : 1};
  const std::int32_t pair = is_even ? call.rank : call.rank - 1;
  const auto received = [&](std::int32_t at) {  // in step 1 and later
    const std::int32_t parity = at % 2, turns = (at + 1) / 2;
    return wrapped(pair + toward[parity] * 2 * turns, call.size);
  };
  const std::int32_t peer = call.rank + toward[step % 2];
  if (step == 0) {
    steps.push_back(blocks(Kind::receive, peer, call, wrapped(peer, call.size), 1));
    steps.push_back(blocks(Kind::send, peer, call, call.rank, 1));
    return true;
  }
  steps.push_back(blocks(Kind::receive, peer, call, received(step), 2));
  steps.push_back(blocks(Kind::send, peer, call, step == 1 ? pair : received(step - 1), 2));
  return true;
}

// Everyone with everyone at once.
bool linear_nb_allgather(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 0) return false;
  for (std::int32_t peer = 0; peer < call.size; ++peer) {
    if (peer == call.rank) continue;
    steps.push_back(blocks(Kind::send, peer, call, call.rank, 1));
    steps.push_back(blocks(Kind::receive, peer, call, peer, 1));
  }
  return true;
}

// To rank 0, binomial bcast.
bool gather_bcast_allgather(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  // To rank 0, and all of it from there over a binomial tree.
  CollectiveCall inner = call;
  inner.root = 0;
  if (call.size == 1) return false;
  if (round == 0) {
    if (call.rank != 0) {
      steps.push_back(blocks(Kind::send, 0, call, call.rank, 1));
      return true;
    }
    for (std::int32_t peer = 1; peer < call.size; ++peer)
      steps.push_back(blocks(Kind::receive, peer, call, peer, 1));
    return true;
  }
  const std::size_t old = steps.size();
  const bool goes_on = binomial_bcast(inner, round - 1, steps);
  for (std::size_t i = old; i < steps.size(); ++i)
    steps[i] = blocks(steps[i].kind, steps[i].peer, call, 0, call.size);
  return goes_on;
}

constexpr Fallback kBruck{is_no_power_of_two, "bruck", kNoPowerOfTwo, "Open MPI"};
constexpr Fallback kBruckV{is_no_power_of_two, "bruck", kNoPowerOfTwo, ""};
constexpr Fallback kRing{is_odd, "ring", "the number of ranks is odd", "Open MPI"};

constexpr Algorithm kAllgathers[] = {
    {Collective::allgather, false, "ring", ring_allgather},
    {Collective::allgather, false, "bruck", bruck_allgather},
    {Collective::allgather, false, "recursive_doubling", recursive_doubling_allgather, nullptr,
     false, &kBruck},
    {Collective::allgather, false, "neighbor_exchange", neighbor_exchange_allgather, nullptr, false,
     &kRing},
    {Collective::allgather, false, "linear_nb", linear_nb_allgather},
    {Collective::allgather, false, "gather_bcast", gather_bcast_allgather},
    {Collective::allgatherv, false, "ring", ring_allgather},
    {Collective::allgatherv, false, "bruck", bruck_allgather},
    {Collective::allgatherv, false, "recursive_doubling", recursive_doubling_allgather, nullptr,
     false, &kBruckV},
    {Collective::allgatherv, false, "neighbor_exchange", neighbor_exchange_allgather, nullptr,
     false, &kRing},
    {Collective::allgatherv, false, "linear_nb", linear_nb_allgather},
    {Collective::allgatherv, false, "gather_bcast", gather_bcast_allgather},
};

}  // namespace

std::span<const Algorithm> allgathers() { return kAllgathers; }

}  // namespace reprise::sim
