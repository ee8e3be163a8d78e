// SPDX-License-Identifier: MIT
// bcast, reduce, gather, scatter over binomial trees; gatherv and scatterv straight to and from the root.
#include "sim/collectives/parts.hpp"
#include "sim/collectives/schedules.hpp"
#include "sim/collectives/tree.hpp"

namespace reprise::sim {
namespace {

using Kind = Step::Kind;
using Buffer = Step::Buffer;

TreeNode node_of(const CollectiveCall& call, std::int32_t root) {
  return {(call.rank - root + call.size) % call.size, call.size};
}

std::int32_t rank_of(const CollectiveCall& call, std::int32_t root, std::int32_t v) {
  return (v + root) % call.size;
}

}  // namespace

bool binomial_bcast(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const TreeNode me = node_of(call, call.root);
  if (!me.is_root()) {
    if (round == 0) {
      steps.push_back(whole(Kind::receive, rank_of(call, call.root, me.parent()), call));
      return true;
    }
    --round;
  }
  const auto sent = static_cast<std::int32_t>(round);
  if (sent >= me.child_count()) return false;
  steps.push_back(
      whole(Kind::send, rank_of(call, call.root, me.child(me.child_count() - 1 - sent)), call));
  return true;
}

bool binomial_reduce(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  // Ranks keep their order in the tree only if its root is rank 0.
  const std::int32_t tree_root = call.commutes ? call.root : 0;
  const TreeNode me = node_of(call, tree_root);
  const auto step = static_cast<std::int32_t>(round);
  if (step < me.child_count()) {
    steps.push_back(whole(Kind::combine, rank_of(call, tree_root, me.child(step)), call));
    return true;
  }
  const bool moves_on = tree_root != call.root;
  if (step == me.child_count()) {
    if (!me.is_root()) {
      steps.push_back(whole(Kind::send, rank_of(call, tree_root, me.parent()), call));
      return true;
    }
    if (!moves_on) return false;
    steps.push_back(whole(Kind::send, call.root, call));
    return true;
  }
  if (step > me.child_count() + 1 || !moves_on || call.rank != call.root) return false;
  steps.push_back(whole(Kind::receive, tree_root, call));
  return step == me.child_count() + 1;
}

bool binomial_gather(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const TreeNode me = node_of(call, call.root);
  const auto step = static_cast<std::int32_t>(round);
  if (step < me.child_count()) {
    const TreeNode child{me.child(step), call.size};
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

bool binomial_scatter(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const TreeNode me = node_of(call, call.root);
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
  const TreeNode child{me.child(me.child_count() - 1 - sent), call.size};
  const std::int32_t to = rank_of(call, call.root, child.v);
  steps.push_back(
      {Kind::send, to, times(call.bytes, child.subtree()), Buffer::work, to, child.subtree()});
  return true;
}

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

}  // namespace reprise::sim
