// SPDX-License-Identifier: MIT
// alltoall and its v- and w-variants: everyone with everyone at once, in batches, in turns, or by Bruck's algorithm.
// Orders after Open MPI 4.1.4, coll_base_alltoall.c and coll_base_alltoallv.c, and MPICH 4.0.2, src/mpi/coll/alltoall*/.
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

}  // namespace

bool linear_alltoall(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 0) return false;
  for (std::int32_t k = 1; k < call.size; ++k)
    receive(call, wrapped(call.rank + k, call.size), steps);
  for (std::int32_t k = 1; k < call.size; ++k) send(call, wrapped(call.rank - k, call.size), steps);
  return true;
}

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

bool ring_alltoall(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const std::int64_t distance = std::int64_t{round} + 1;
  if (distance >= call.size) return false;
  const auto k = static_cast<std::int32_t>(distance);
  receive(call, wrapped(call.rank - k, call.size), steps);
  send(call, wrapped(call.rank + k, call.size), steps);
  return true;
}

bool pairwise_exclusive_or_alltoall(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (!std::has_single_bit(static_cast<std::uint32_t>(call.size)))
    return ring_alltoall(call, round, steps);
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

}  // namespace reprise::sim
