// SPDX-License-Identifier: MIT
// bcast and reduce over trees, the binomial one round by round, the others in segments: a node passes a segment on while it receives
// the next one.
//
// After Open MPI 4.1.4, coll_base_bcast.c and coll_base_reduce.c (bcast_intra_generic, reduce_generic, bcast_intra_split_bintree).
// There a node posts the receive of a segment one segment earlier; here with the passing on of the one before.
#include "sim/collectives/parts.hpp"
#include "sim/collectives/schedules.hpp"
#include "sim/collectives/trees.hpp"

namespace reprise::sim {
namespace {

using Kind = Step::Kind;
using trace_io::Collective;

}  // namespace

bool binomial_bcast(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const BinomialNode me{node_of(call, call.root), call.size};
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
  const BinomialNode me{node_of(call, tree_root), call.size};
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

namespace {

Tree tree_of(const CollectiveCall& call, Shape shape, std::int32_t usual_fanout) {
  const std::int32_t v =
      shape == Shape::in_order_binary ? call.rank : wrapped(call.rank - call.root, call.size);
  return {shape, v, call.size, call.fanout > 0 ? call.fanout : usual_fanout};
}

bool bcast_on(const CollectiveCall& call, std::uint32_t round, Steps& steps, Shape shape,
              std::int32_t usual_fanout = 2) {
  const Tree tree = tree_of(call, shape, usual_fanout);
  const Segments segments(call);
  const auto rank = [&](std::int32_t v) { return (v + call.root) % call.size; };
  std::uint32_t passed = round;
  if (!tree.is_root()) {
    if (round < segments.count())
      steps.push_back(segments.step(Kind::receive, rank(tree.parent()), call, round));
    if (round == 0) return true;
    passed = round - 1;
  }
  if (passed >= segments.count()) return false;
  for (std::int32_t i = 0; tree.child(i) >= 0; ++i)
    steps.push_back(segments.step(Kind::send, rank(tree.child(i)), call, passed));
  return true;
}

bool reduce_on(const CollectiveCall& call, std::uint32_t round, Steps& steps, Shape shape,
               std::int32_t usual_fanout = 2) {
  const Tree tree = tree_of(call, shape, usual_fanout);
  const Segments segments(call);
  const bool in_order = shape == Shape::in_order_binary;
  const auto rank = [&](std::int32_t v) { return in_order ? v : (v + call.root) % call.size; };
  const std::int32_t top = rank(tree.root());
  std::uint32_t passed = round;
  if (tree.child(0) >= 0) {
    for (std::int32_t i = 0; round < segments.count() && tree.child(i) >= 0; ++i)
      steps.push_back(segments.step(Kind::combine, rank(tree.child(i)), call, round));
    if (round == 0) return true;
    passed = round - 1;
  }
  if (passed < segments.count()) {
    if (!tree.is_root())
      steps.push_back(segments.step(Kind::send, rank(tree.parent()), call, passed));
    return true;
  }
  if (passed > segments.count() || top == call.root || (call.rank != top && call.rank != call.root))
    return false;
  steps.push_back(call.rank == top ? whole(Kind::send, call.root, call)
                                   : whole(Kind::receive, top, call));
  return true;
}

}  // namespace

bool linear_bcast(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  CollectiveCall unsegmented = call;
  unsegmented.segment = Bytes{};
  return bcast_on(unsegmented, round, steps, Shape::linear);
}

namespace {

// `fanout` chains.
bool chain_bcast(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  return bcast_on(call, round, steps, Shape::chain, 4);
}

// One chain.
bool pipeline_bcast(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  CollectiveCall one_chain = call;
  one_chain.fanout = 1;
  return bcast_on(one_chain, round, steps, Shape::chain);
}

bool binary_bcast(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  return bcast_on(call, round, steps, Shape::binary);
}

// Round by round to as many more.
bool doubling_bcast(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  return bcast_on(call, round, steps, Shape::doubling);
}

// Base `fanout`, 4 unless given.
bool knomial_bcast(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  CollectiveCall at_least_two = call;
  if (call.fanout == 1) at_least_two.fanout = 2;
  return bcast_on(at_least_two, round, steps, Shape::knomial, 4);
}

// A segment is longer than the second half.
bool is_too_short_to_split(const CollectiveCall& call) {
  const std::int64_t n = elements(call);
  return n < 2 || static_cast<std::int64_t>(call.segment.value / call.element_bytes.value) > n / 2;
}

// A half of the data down each subtree.
bool split_binary_bcast(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  // Odd nodes are in the left subtree, which gets the first half of the data; in the end a node and its twin in the other subtree,
  // its neighbour, exchange halves. The last node's twin is the root where there is no other.
  const std::int64_t n = elements(call), middle = (n + 1) / 2;
  const Segments halves[2] = {Segments(call, 0, middle), Segments(call, middle, n)};
  if (is_too_short_to_split(call)) return pipeline_bcast(call, round, steps);
  const Tree tree = tree_of(call, Shape::binary, 2);
  const auto rank = [&](std::int32_t v) { return (v + call.root) % call.size; };
  const std::int32_t v = tree.v, last = call.size - 1;
  const bool has_lone_last = call.size % 2 == 0;
  if (tree.is_root()) {
    if (round < halves[0].count()) {
      for (int i = 0; i < 2; ++i)
        if (tree.child(i) >= 0 && round < halves[i].count())
          steps.push_back(halves[i].step(Kind::send, rank(tree.child(i)), call, round));
      return true;
    }
    if (round > halves[0].count() || !has_lone_last) return false;
    steps.push_back(part(Kind::send, rank(last), call, middle, n));
    return true;
  }
  const Segments& mine = halves[v % 2 == 1 ? 0 : 1];
  const Segments& other = halves[v % 2 == 1 ? 1 : 0];
  const bool is_leaf = tree.child(0) < 0;
  const std::uint32_t rounds = mine.count() + (is_leaf ? 0 : 1);
  if (round < rounds) {
    if (round < mine.count())
      steps.push_back(mine.step(Kind::receive, rank(tree.parent()), call, round));
    for (std::int32_t i = 0; round > 0 && !is_leaf && tree.child(i) >= 0; ++i)
      steps.push_back(mine.step(Kind::send, rank(tree.child(i)), call, round - 1));
    return true;
  }
  if (round > rounds) return false;
  const bool is_lone = has_lone_last && v == last;
  const std::int32_t twin = is_lone ? call.root : rank(v % 2 == 1 ? v + 1 : v - 1);
  steps.push_back(part(Kind::receive, twin, call, other.begin, other.end));
  if (!is_lone) steps.push_back(part(Kind::send, twin, call, mine.begin, mine.end));
  return true;
}

}  // namespace

bool linear_reduce(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (call.rank != call.root) {
    if (round > 0) return false;
    steps.push_back(whole(Kind::send, call.root, call));
    return true;
  }
  // From the last rank down, so that operands stay in order; the own one joins at its place.
  std::int32_t from = call.size - 1 - static_cast<std::int32_t>(round);
  if (from <= call.root) --from;
  if (from < 0) return false;
  steps.push_back(whole(Kind::combine, from, call));
  return true;
}

bool linear_nb_reduce(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 0) return false;
  if (call.rank != call.root) {
    steps.push_back(whole(Kind::send, call.root, call));
    return true;
  }
  for (std::int32_t peer = 0; peer < call.size; ++peer)
    if (peer != call.root) steps.push_back(whole(Kind::combine, peer, call));
  return true;
}

namespace {

bool chain_reduce(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  return reduce_on(call, round, steps, Shape::chain, 4);
}

bool pipeline_reduce(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  CollectiveCall one_chain = call;
  one_chain.fanout = 1;
  return reduce_on(one_chain, round, steps, Shape::chain);
}

bool binary_reduce(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  return reduce_on(call, round, steps, Shape::binary);
}

// From all children at once.
bool binomial_tree_reduce(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  return reduce_on(call, round, steps, Shape::binomial);
}

// Keeps operands in order.
bool in_order_binary_reduce(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  return reduce_on(call, round, steps, Shape::in_order_binary);
}

constexpr Fallback kPipeline{is_too_short_to_split, "pipeline",
                             "half of the data is shorter than an element or a segment", "Open MPI",
                             true};

constexpr Algorithm kBcastsAndReduces[] = {
    {Collective::bcast, false, "binomial", binomial_bcast},
    {Collective::bcast, false, "linear", linear_bcast},
    {Collective::bcast, false, "chain", chain_bcast},
    {Collective::bcast, false, "pipeline", pipeline_bcast},
    {Collective::bcast, false, "binary", binary_bcast},
    {Collective::bcast, false, "split_binary", split_binary_bcast, nullptr, false, &kPipeline},
    {Collective::bcast, false, "doubling", doubling_bcast},
    {Collective::bcast, false, "knomial", knomial_bcast},
    {Collective::reduce, false, "binomial", binomial_reduce},
    {Collective::reduce, false, "linear", linear_reduce},
    {Collective::reduce, false, "linear_nb", linear_nb_reduce, nullptr, true},
    {Collective::reduce, false, "chain", chain_reduce, nullptr, true},
    {Collective::reduce, false, "pipeline", pipeline_reduce, nullptr, true},
    {Collective::reduce, false, "binary", binary_reduce, nullptr, true},
    {Collective::reduce, false, "binomial_tree", binomial_tree_reduce, nullptr, true},
    {Collective::reduce, false, "in_order_binary", in_order_binary_reduce},
};

}  // namespace

std::span<const Algorithm> bcasts_and_reduces() { return kBcastsAndReduces; }

}  // namespace reprise::sim
