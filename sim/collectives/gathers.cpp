// SPDX-License-Identifier: MIT
// gather, scatter and their v-variants: over binomial trees, or straight to and from the root.
#include "sim/collectives/parts.hpp"
#include "sim/collectives/schedules.hpp"
#include "sim/collectives/trees.hpp"

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

bool binomial_gather(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const BinomialNode me{node_of(call, call.root), call.size};
  const auto step = static_cast<std::int32_t>(round);
  if (step < me.child_count()) {
    const BinomialNode child{me.child(step), call.size};
    const std::int32_t from = rank_of(call, call.root, child.v);
    steps.push_back({Kind::receive, from, times(call.bytes, child.subtree()), Buffer::work, from,
                     child.subtree()});
    return true;
  }
  if (step > me.child_count() || me.is_root()) return false;
  steps.push_back({Kind::send, rank_of(call, call.root, me.parent()),
                   times(call.bytes, me.subtree()), Buffer::work, call.rank, me.subtree()});
  return true;
}

// One after the other.
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

// All at once.
bool linear_nb_gather(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 0) return false;
  if (call.rank != call.root) return linear_gather(call, 0, steps);
  for (std::int32_t k = 0; k < call.size - 1; ++k)
    linear_gather(call, static_cast<std::uint32_t>(k), steps);
  return true;
}

// The root asks for each.
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

// Nothing is sent where there is nothing.
bool linear_gatherv(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 0) return false;
  if (call.rank != call.root) {
    if (call.bytes.value > 0)
      steps.push_back({Kind::send, call.root, call.bytes, Buffer::work, call.rank, 1});
    return true;
  }
  for (std::int32_t peer = 0; peer < call.size; ++peer) {
    const auto bytes =
        static_cast<std::uint64_t>(call.receive_list[static_cast<std::size_t>(peer)]);
    if (peer != call.rank && bytes > 0)
      steps.push_back({Kind::receive, peer, Bytes{bytes}, Buffer::work, peer, 1});
  }
  return true;
}

}  // namespace

bool binomial_scatter(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const BinomialNode me{node_of(call, call.root), call.size};
  if (!me.is_root()) {
    if (round == 0) {
      steps.push_back({Kind::receive, rank_of(call, call.root, me.parent()),
                       times(call.bytes, me.subtree()), Buffer::work, call.rank, me.subtree()});
      return true;
    }
    --round;
  }
  const auto sent = static_cast<std::int32_t>(round);
  if (sent >= me.child_count()) return false;
  const BinomialNode child{me.child(me.child_count() - 1 - sent), call.size};
  const std::int32_t to = rank_of(call, call.root, child.v);
  steps.push_back(
      {Kind::send, to, times(call.bytes, child.subtree()), Buffer::work, to, child.subtree()});
  return true;
}

namespace {

// One after the other.
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

// All at once.
bool linear_nb_scatter(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 0) return false;
  if (call.rank != call.root) return linear_scatter(call, 0, steps);
  for (std::int32_t k = 0; k < call.size - 1; ++k)
    linear_scatter(call, static_cast<std::uint32_t>(k), steps);
  return true;
}

}  // namespace

bool linear_scatterv(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 0) return false;
  if (call.rank != call.root) {
    if (call.bytes.value > 0)
      steps.push_back({Kind::receive, call.root, call.bytes, Buffer::work, call.rank, 1});
    return true;
  }
  for (std::int32_t peer = 0; peer < call.size; ++peer) {
    const auto bytes = static_cast<std::uint64_t>(call.send_list[static_cast<std::size_t>(peer)]);
    if (peer != call.rank && bytes > 0)
      steps.push_back({Kind::send, peer, Bytes{bytes}, Buffer::work, peer, 1});
  }
  return true;
}

namespace {

constexpr Algorithm kGathersAndScatters[] = {
    {Collective::gather, false, "binomial", binomial_gather},
    {Collective::gather, false, "linear", linear_gather},
    {Collective::gather, false, "linear_nb", linear_nb_gather},
    {Collective::gather, false, "linear_sync", linear_sync_gather},
    {Collective::gatherv, false, "linear", linear_gatherv},
    {Collective::scatter, false, "binomial", binomial_scatter},
    {Collective::scatter, false, "linear", linear_scatter},
    {Collective::scatter, false, "linear_nb", linear_nb_scatter},
    {Collective::scatterv, false, "linear", linear_scatterv},
};

}  // namespace

std::span<const Algorithm> gathers_and_scatters() { return kGathersAndScatters; }

}  // namespace reprise::sim
