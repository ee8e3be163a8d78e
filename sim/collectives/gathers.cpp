// SPDX-License-Identifier: MIT
// gather and scatter straight to and from the root; allgather by Bruck, recursive doubling, neighbour exchange, exchange with all.
// Bruck et al., "Efficient Algorithms for All-to-All Communications in Multiport Message-Passing Systems", TPDS 8(11), 1997;
// neighbour exchange: Chen et al., "Performance Evaluation of Allgather Algorithms on Terascale Linux Cluster", HPC Asia 2005;
// both as in Open MPI 4.1.4, coll_base_allgather.c.
#include "sim/collectives/parts.hpp"
#include "sim/collectives/schedules.hpp"

namespace reprise::sim {
namespace {

using Kind = Step::Kind;
using Buffer = Step::Buffer;
using trace_io::Collective;

// The other ranks in ascending order: round k's.
std::int32_t other(const CollectiveCall& call, std::uint32_t round) {
  const auto k = static_cast<std::int32_t>(round);
  return k < call.root ? k : k + 1;
}

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

}  // namespace

bool linear_gather(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (call.rank != call.root) {
    if (round > 0) return false;
    steps.push_back({Kind::send, call.root, call.bytes, Buffer::work, call.rank, 1});
    return true;
  }
  const std::int32_t from = other(call, round);
  if (from >= call.size) return false;
  steps.push_back({Kind::receive, from, call.bytes, Buffer::work, from, 1});
  return true;
}

bool linear_nb_gather(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 0) return false;
  if (call.rank != call.root) return linear_gather(call, 0, steps);
  for (std::int32_t k = 0; k < call.size - 1; ++k)
    linear_gather(call, static_cast<std::uint32_t>(k), steps);
  return true;
}

bool linear_sync_gather(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  // The root asks one member after the other; each sends a first piece at once and the rest when the root gets to it.
  const Bytes first =
      call.segment.value > 0 && call.segment < call.bytes ? call.segment : call.bytes;
  const Bytes rest{call.bytes.value - first.value};
  const auto one = [&](Kind kind, std::int32_t peer, Bytes bytes, std::int64_t count) {
    const std::int32_t block = call.rank == call.root ? peer : call.rank;
    steps.push_back({kind, peer, bytes, Buffer::work, block, count});
  };
  if (call.rank != call.root) {
    if (round > (rest.value > 0 ? 2U : 1U)) return false;
    if (round == 0)
      one(Kind::receive, call.root, Bytes{}, 0);
    else
      one(Kind::send, call.root, round == 1 ? first : rest, 1);
    return true;
  }
  const std::int32_t from = other(call, round);
  if (from < call.size) {
    one(Kind::receive, from, first, 1);
    one(Kind::send, from, Bytes{}, 0);
    return true;
  }
  if (from > call.size || rest.value == 0) return false;
  for (std::int32_t k = 0; k < call.size - 1; ++k)
    one(Kind::receive, other(call, static_cast<std::uint32_t>(k)), rest, 1);
  return true;
}

bool linear_scatter(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (call.rank != call.root) {
    if (round > 0) return false;
    steps.push_back({Kind::receive, call.root, call.bytes, Buffer::work, call.rank, 1});
    return true;
  }
  const std::int32_t to = other(call, round);
  if (to >= call.size) return false;
  steps.push_back({Kind::send, to, call.bytes, Buffer::work, to, 1});
  return true;
}

bool linear_nb_scatter(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 0) return false;
  if (call.rank != call.root) return linear_scatter(call, 0, steps);
  for (std::int32_t k = 0; k < call.size - 1; ++k)
    linear_scatter(call, static_cast<std::uint32_t>(k), steps);
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

bool recursive_doubling_allgather(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (!std::has_single_bit(static_cast<std::uint32_t>(call.size)))
    return bruck_allgather(call, round, steps);
  if (round >= levels(call.size)) return false;
  const std::int32_t count = std::int32_t{1} << round, peer = call.rank ^ count;
  steps.push_back(blocks(Kind::receive, peer, call, peer & ~(count - 1), count));
  steps.push_back(blocks(Kind::send, peer, call, call.rank & ~(count - 1), count));
  return true;
}

bool neighbor_exchange_allgather(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (call.size % 2 != 0) return ring_allgather(call, round, steps);
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

bool linear_nb_allgather(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 0) return false;
  for (std::int32_t peer = 0; peer < call.size; ++peer) {
    if (peer == call.rank) continue;
    steps.push_back(blocks(Kind::send, peer, call, call.rank, 1));
    steps.push_back(blocks(Kind::receive, peer, call, peer, 1));
  }
  return true;
}

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

}  // namespace reprise::sim
