// SPDX-License-Identifier: MIT
// Collectives on intercommunicators: the data of one group ends up in the other.
#include <bit>

#include "sim/collectives/parts.hpp"
#include "sim/collectives/schedules.hpp"

namespace reprise::sim {
namespace {

using Kind = Step::Kind;
using Buffer = Step::Buffer;
using Side = CollectiveCall::Side;
using trace_io::Collective;

// The root and the other group as one group of their own: the root is 0, the other group's rank r is r + 1.
struct RootAndOthers {
  CollectiveCall inner;
  const CollectiveCall& outer;

  explicit RootAndOthers(const CollectiveCall& call) : inner(call), outer(call) {
    const bool is_root = call.side == Side::root;
    inner.rank = is_root ? 0 : call.rank + 1;
    inner.size = (is_root ? call.remote_size : call.size) + 1;
    inner.root = 0;
  }
  std::int32_t peer(std::int32_t member) const {
    if (outer.side == Side::root) return outer.size + member - 1;
    return member == 0 ? outer.size + outer.root : member - 1;
  }
};

bool with_root(const CollectiveCall& call, std::uint32_t round, Steps& steps, Schedule schedule) {
  if (call.side == Side::with_root) return false;
  const RootAndOthers group(call);
  const std::size_t old = steps.size();
  const bool goes_on = schedule(group.inner, round, steps);
  for (std::size_t i = old; i < steps.size(); ++i) steps[i].peer = group.peer(steps[i].peer);
  return goes_on;
}

Bytes listed_or(std::span<const std::int64_t> list, std::int32_t index, Bytes uniform) {
  return list.empty() ? uniform
                      : Bytes{static_cast<std::uint64_t>(list[static_cast<std::size_t>(index)])};
}

CollectiveCall in_own_group(const CollectiveCall& call, Collective operation, Bytes bytes) {
  CollectiveCall inner = call;
  inner.operation = operation;
  inner.remote_size = 0;
  inner.root = 0;
  inner.bytes = bytes;
  return inner;
}

// Bytes that this group's members contribute to the reduction that the other group receives: the whole vector.
Bytes contributed(const CollectiveCall& call) {
  if (call.operation == Collective::allreduce) return call.bytes;
  if (call.operation == Collective::reduce_scatter_block) return times(call.bytes, call.size);
  return sum(call.receive_list);
}

// Reduce to the leaders, exchange between them, then `spread` from the leader. Each phase gets a fixed number of rounds.
// Blocks: an allreduce has one; a reduce_scatter, whose vector is cut differently in the two groups, has size · remote size.
bool by_leaders(const CollectiveCall& call, std::uint32_t round, Steps& steps,
                const CollectiveCall& spread_call, Schedule spread) {
  const Bytes bytes = contributed(call);
  const bool scatters = call.operation != Collective::allreduce;
  const std::int64_t blocks =
      scatters ? std::int64_t{call.size} * call.remote_size : elements(call);
  const std::size_t old = steps.size();
  const auto reduce_rounds =
      static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(call.size))) + 1;
  if (round < reduce_rounds) {
    binomial_reduce(in_own_group(call, Collective::reduce, bytes), round, steps);
    for (std::size_t i = old; i < steps.size(); ++i) steps[i].count = blocks;
    return true;
  }
  if (round == reduce_rounds) {
    if (call.rank != 0) return true;
    steps.push_back({Kind::receive, call.size, bytes, Buffer::work, 0, blocks});
    steps.push_back({Kind::send, call.size, bytes, Buffer::work, 0, blocks});
    return true;
  }
  const bool goes_on = spread(spread_call, round - reduce_rounds - 1, steps);
  for (std::size_t i = old; scatters && i < steps.size(); ++i) {
    steps[i].first *= call.remote_size;
    steps[i].count *= call.remote_size;
  }
  return goes_on;
}

bool inter_barrier(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  // Both groups as one, the group numbered 0 first: each member waits for all, which is what it promises the other group.
  const std::int32_t first_size = call.group == 0 ? call.size : call.remote_size;
  CollectiveCall both = call;
  both.size = call.size + call.remote_size;
  both.rank = call.group == 0 ? call.rank : first_size + call.rank;
  const std::size_t old = steps.size();
  const bool goes_on = dissemination_barrier(both, round, steps);
  for (std::size_t i = old; i < steps.size(); ++i) {
    if (call.group == 0) continue;
    std::int32_t& peer = steps[i].peer;
    peer = peer < first_size ? call.size + peer : peer - first_size;
  }
  return goes_on;
}

bool inter_bcast(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  return with_root(call, round, steps, binomial_bcast);
}

bool inter_reduce(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  return with_root(call, round, steps, binomial_reduce);
}

bool inter_gather(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 0 || call.side == Side::with_root) return false;
  if (call.side == Side::opposite) {
    if (call.bytes.value > 0)
      steps.push_back({Kind::send, call.size + call.root, call.bytes, Buffer::work, call.rank, 1});
    return true;
  }
  for (std::int32_t peer = 0; peer < call.remote_size; ++peer) {
    const Bytes bytes = listed_or(call.receive_list, peer, call.receive_bytes);
    if (bytes.value > 0)
      steps.push_back({Kind::receive, call.size + peer, bytes, Buffer::work, peer, 1});
  }
  return true;
}

bool inter_scatter(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 0 || call.side == Side::with_root) return false;
  if (call.side == Side::opposite) {
    if (call.bytes.value > 0)
      steps.push_back(
          {Kind::receive, call.size + call.root, call.bytes, Buffer::work, call.rank, 1});
    return true;
  }
  for (std::int32_t peer = 0; peer < call.remote_size; ++peer) {
    const Bytes bytes = listed_or(call.send_list, peer, call.bytes);
    if (bytes.value > 0)
      steps.push_back({Kind::send, call.size + peer, bytes, Buffer::work, peer, 1});
  }
  return true;
}

bool inter_alltoall(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 0) return false;
  const bool gathers =
      call.operation == Collective::allgather || call.operation == Collective::allgatherv;
  for (std::int32_t peer = 0; peer < call.remote_size; ++peer) {
    const Bytes bytes = listed_or(call.receive_list, peer, call.receive_bytes);
    if (bytes.value > 0)
      steps.push_back({Kind::receive, call.size + peer, bytes, Buffer::work, peer, 1});
  }
  for (std::int32_t peer = 0; peer < call.remote_size; ++peer) {
    const Bytes bytes = listed_or(call.send_list, peer, call.bytes);
    if (bytes.value > 0)
      steps.push_back({Kind::send, call.size + peer, bytes, Buffer::input, gathers ? 0 : peer, 1});
  }
  return true;
}

bool inter_allreduce(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  return by_leaders(call, round, steps, in_own_group(call, Collective::bcast, call.bytes),
                    binomial_bcast);
}

bool inter_reduce_scatter(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (call.operation == Collective::reduce_scatter_block)
    return by_leaders(call, round, steps, in_own_group(call, Collective::scatter, call.bytes),
                      binomial_scatter);
  CollectiveCall spread =
      in_own_group(call, Collective::scatterv, listed_or(call.receive_list, call.rank, Bytes{}));
  spread.send_list = call.receive_list;
  return by_leaders(call, round, steps, spread, linear_scatterv);
}

constexpr Algorithm kBetweenGroups[] = {
    {Collective::barrier, true, "dissemination", inter_barrier},
    {Collective::bcast, true, "binomial", inter_bcast},
    {Collective::reduce, true, "binomial", inter_reduce},
    {Collective::allreduce, true, "leaders", inter_allreduce},
    {Collective::gather, true, "linear", inter_gather},
    {Collective::gatherv, true, "linear", inter_gather},
    {Collective::scatter, true, "linear", inter_scatter},
    {Collective::scatterv, true, "linear", inter_scatter},
    {Collective::allgather, true, "linear", inter_alltoall},
    {Collective::allgatherv, true, "linear", inter_alltoall},
    {Collective::alltoall, true, "linear", inter_alltoall},
    {Collective::alltoallv, true, "linear", inter_alltoall},
    {Collective::alltoallw, true, "linear", inter_alltoall},
    {Collective::reduce_scatter, true, "leaders", inter_reduce_scatter},
    {Collective::reduce_scatter_block, true, "leaders", inter_reduce_scatter},
};

}  // namespace

std::span<const Algorithm> between_groups() { return kBetweenGroups; }

}  // namespace reprise::sim
