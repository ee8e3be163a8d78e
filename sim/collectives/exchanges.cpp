// SPDX-License-Identifier: MIT
// alltoall and its v- and w-variants: everyone with everyone at once, in batches, in turns, or by Bruck's algorithm;
// neighbourhoods.
// Orders after Open MPI 4.1.4, coll_base_alltoall.c and coll_base_alltoallv.c, and MPICH 4.0.2, src/mpi/coll/alltoall*/.
#include <bit>

#include "sim/collectives/parts.hpp"
#include "sim/collectives/schedules.hpp"

namespace reprise::sim {
namespace {

using Kind = Step::Kind;
using Buffer = Step::Buffer;
using trace_io::Collective;

// MPICH 4.0.2: MPIR_CVAR_ALLTOALL_THROTTLE.
constexpr std::int32_t kThrottle = 32;

bool has_lists(const CollectiveCall& call) { return call.operation != Collective::alltoall; }

// In the v- and w-variants nothing is sent where there is nothing.
void receive(const CollectiveCall& call, std::int32_t from, Steps& steps) {
  const Bytes bytes = has_lists(call) ? listed(call.receive_list, from) : call.bytes;
  if (bytes.value > 0 || !has_lists(call))
    steps.push_back({Kind::receive, from, bytes, Buffer::work, from, 1});
}
void send(const CollectiveCall& call, std::int32_t to, Steps& steps) {
  const Bytes bytes = has_lists(call) ? listed(call.send_list, to) : call.bytes;
  if (bytes.value > 0 || !has_lists(call))
    steps.push_back({Kind::send, to, bytes, Buffer::input, to, 1});
}

// One round; also alltoallw.
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

// Everyone with everyone at once; also v and w.
bool linear_alltoall(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 0) return false;
  for (std::int32_t k = 1; k < call.size; ++k)
    receive(call, wrapped(call.rank + k, call.size), steps);
  for (std::int32_t k = 1; k < call.size; ++k) send(call, wrapped(call.rank - k, call.size), steps);
  return true;
}

// The same in batches of `fanout`, 32 unless given.
bool scattered_alltoall(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const std::int32_t batch = call.fanout > 0 ? call.fanout : kThrottle;
  const std::int64_t first = 1 + std::int64_t{round} * batch;
  if (first >= call.size) return false;
  const auto begin = static_cast<std::int32_t>(first),
             end = static_cast<std::int32_t>(std::min<std::int64_t>(first + batch, call.size));
  for (std::int32_t k = begin; k < end; ++k)
    receive(call, wrapped(call.rank + k, call.size), steps);
  for (std::int32_t k = begin; k < end; ++k) send(call, wrapped(call.rank - k, call.size), steps);
  return true;
}

// To rank + k, from rank − k; also v and w.
bool ring_alltoall(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const std::int64_t distance = std::int64_t{round} + 1;
  if (distance >= call.size) return false;
  const auto k = static_cast<std::int32_t>(distance);
  receive(call, wrapped(call.rank - k, call.size), steps);
  send(call, wrapped(call.rank + k, call.size), steps);
  return true;
}

// With rank xor k; n not a power of two: ring.
bool pairwise_exclusive_or_alltoall(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (is_no_power_of_two(call)) return ring_alltoall(call, round, steps);
  const std::int64_t mask = std::int64_t{round} + 1;
  if (mask >= call.size) return false;
  const std::int32_t peer = call.rank ^ static_cast<std::int32_t>(mask);
  receive(call, peer, steps);
  send(call, peer, steps);
  return true;
}

bool bruck_alltoall(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  // Work block i holds what is for rank + i at first, and what came from rank − i at last; the turns are local copies.
  if (round >= levels(call.size)) return false;
  const std::int32_t distance = std::int32_t{1} << round;
  const std::int64_t whole = static_cast<std::int64_t>(call.size >> (round + 1)) << round;
  const std::int64_t count = whole + std::max(0, (call.size & (2 * distance - 1)) - distance);
  const auto step = [&](Kind kind, std::int32_t peer) {
    Step moved{kind,     wrapped(peer, call.size), times(call.bytes, count), Buffer::work, 0,
               call.size};
    moved.bit = static_cast<std::int8_t>(round);
    steps.push_back(moved);
  };
  step(Kind::receive, call.rank - distance);
  step(Kind::send, call.rank + distance);
  return true;
}

// One round, all five operations.
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

constexpr Fallback kPairwise{is_no_power_of_two, "pairwise", kNoPowerOfTwo, "MPICH"};
constexpr Fallback kPairwiseV{is_no_power_of_two, "pairwise", kNoPowerOfTwo, ""};

constexpr Algorithm kExchanges[] = {
    {Collective::alltoall, false, "pairwise", ring_alltoall},
    {Collective::alltoall, false, "exclusive_or", pairwise_exclusive_or_alltoall, nullptr, false,
     &kPairwise},
    {Collective::alltoall, false, "linear", linear_alltoall},
    {Collective::alltoall, false, "scattered", scattered_alltoall},
    {Collective::alltoall, false, "bruck", bruck_alltoall},
    {Collective::alltoallv, false, "linear", linear_alltoallv},
    {Collective::alltoallv, false, "pairwise", ring_alltoall},
    {Collective::alltoallv, false, "exclusive_or", pairwise_exclusive_or_alltoall, nullptr, false,
     &kPairwiseV},
    {Collective::alltoallv, false, "linear_reverse", linear_alltoall},
    {Collective::alltoallv, false, "scattered", scattered_alltoall},
    {Collective::alltoallw, false, "linear", linear_alltoallv},
    {Collective::alltoallw, false, "pairwise", ring_alltoall},
    {Collective::alltoallw, false, "exclusive_or", pairwise_exclusive_or_alltoall, nullptr, false,
     &kPairwiseV},
    {Collective::alltoallw, false, "linear_reverse", linear_alltoall},
    {Collective::alltoallw, false, "scattered", scattered_alltoall},
    {Collective::neighbor_allgather, false, "linear", linear_neighborhood},
    {Collective::neighbor_allgatherv, false, "linear", linear_neighborhood},
    {Collective::neighbor_alltoall, false, "linear", linear_neighborhood},
    {Collective::neighbor_alltoallv, false, "linear", linear_neighborhood},
    {Collective::neighbor_alltoallw, false, "linear", linear_neighborhood},
};

}  // namespace

std::span<const Algorithm> exchanges() { return kExchanges; }

}  // namespace reprise::sim
