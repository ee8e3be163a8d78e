// SPDX-License-Identifier: MIT
// The simple algorithms of operations without a root: allreduce, allgather, alltoall, reduce_scatter, scan, neighbourhoods.
#include "sim/collectives/parts.hpp"
#include "sim/collectives/schedules.hpp"

namespace reprise::sim {
namespace {

using Kind = Step::Kind;
using Buffer = Step::Buffer;
using trace_io::Collective;

// The vector that a reduction with blocks works on as a whole.
Bytes reduced_bytes(const CollectiveCall& call) {
  if (call.operation == Collective::reduce_scatter_block)
    return Bytes{call.bytes.value * static_cast<std::uint64_t>(call.size)};
  if (call.operation != Collective::reduce_scatter) return call.bytes;
  Bytes total;
  for (std::int32_t peer = 0; peer < call.size; ++peer) total += listed(call.receive_list, peer);
  return total;
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

bool linear_alltoallv(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 0) return false;
  for (std::int32_t distance = 1; distance < call.size; ++distance) {
    const std::int32_t from = wrapped(call.rank - distance, call.size);
    const Bytes bytes = listed(call.receive_list, from);
    if (bytes.value > 0) steps.push_back({Kind::receive, from, bytes, Buffer::work, from, 1});
  }
  for (std::int32_t distance = 1; distance < call.size; ++distance) {
    const std::int32_t to = wrapped(call.rank + distance, call.size);
    const Bytes bytes = listed(call.send_list, to);
    if (bytes.value > 0) steps.push_back({Kind::send, to, bytes, Buffer::input, to, 1});
  }
  return true;
}

bool recursive_doubling_reduce_scatter(const CollectiveCall& call, std::uint32_t round,
                                       Steps& steps) {
  return recursive_doubling_allreduce(call, round, steps);
}

bool pairwise_reduce_scatter(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (!call.commutes) return recursive_doubling_allreduce(call, round, steps);
  const auto distance = static_cast<std::int32_t>(round) + 1;
  if (distance >= call.size) return false;
  const std::int32_t to = wrapped(call.rank + distance, call.size),
                     from = wrapped(call.rank - distance, call.size);
  const bool has_list = call.operation == Collective::reduce_scatter;
  const auto bytes = [&](std::int32_t block) {
    return has_list ? listed(call.receive_list, block) : call.bytes;
  };
  steps.push_back({Kind::combine, from, bytes(call.rank), Buffer::work, call.rank, 1});
  steps.push_back({Kind::send, to, bytes(to), Buffer::input, to, 1});
  return true;
}

bool recursive_doubling_scan(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  // Block 0: the sum over the members of my group of 2^round so far. Block 1: my result, the part of it below me.
  if (round >= 31 || (std::int32_t{1} << round) >= call.size) return false;
  const std::int32_t peer = call.rank ^ (std::int32_t{1} << round);
  if (peer >= call.size) return true;
  Step combine{Kind::combine, peer, call.bytes};
  if (peer < call.rank) combine.also = 1;
  steps.push_back(combine);
  steps.push_back({Kind::send, peer, call.bytes});
  return true;
}

bool linear_neighborhood(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 0) return false;
  const auto bytes = [](std::span<const std::int64_t> list, std::size_t index, Bytes uniform) {
    return list.empty() ? uniform : Bytes{static_cast<std::uint64_t>(list[index])};
  };
  const bool gathers = call.operation == Collective::neighbor_allgather ||
                       call.operation == Collective::neighbor_allgatherv;
  for (std::size_t i = 0; i < call.sources.size(); ++i)
    if (call.sources[i] != CollectiveCall::kNobody)
      steps.push_back({Kind::receive, call.sources[i],
                       bytes(call.receive_list, i, call.receive_bytes), Buffer::work,
                       static_cast<std::int32_t>(i), 1});
  for (std::size_t i = 0; i < call.destinations.size(); ++i)
    if (call.destinations[i] != CollectiveCall::kNobody)
      steps.push_back({Kind::send, call.destinations[i], bytes(call.send_list, i, call.bytes),
                       Buffer::input, gathers ? 0 : static_cast<std::int32_t>(i), 1});
  return true;
}

}  // namespace reprise::sim
