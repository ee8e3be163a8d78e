// SPDX-License-Identifier: MIT
// Barriers. Zero-byte messages; what a member has heard of travels with them.
#include "sim/collectives/parts.hpp"
#include "sim/collectives/schedules.hpp"

namespace reprise::sim {
namespace {

using Kind = Step::Kind;
using trace_io::Collective;

Step hear(std::int32_t peer) { return {Kind::combine, peer, Bytes{}}; }
Step tell(std::int32_t peer) { return {Kind::send, peer, Bytes{}}; }

}  // namespace

bool dissemination_barrier(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round >= levels(call.size)) return false;
  const std::int32_t distance = std::int32_t{1} << round;
  steps.push_back(hear(wrapped(call.rank - distance, call.size)));
  steps.push_back(tell(wrapped(call.rank + distance, call.size)));
  return true;
}

namespace {

// To rank 0 and back.
bool linear_barrier(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 1 || call.size == 1) return false;
  const bool gathers = round == 0;
  if (call.rank != 0) {
    steps.push_back(gathers ? tell(0) : hear(0));
    return true;
  }
  for (std::int32_t peer = 1; peer < call.size; ++peer)
    steps.push_back(gathers ? hear(peer) : tell(peer));
  return true;
}

// Twice around.
bool double_ring_barrier(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 3 || call.size == 1) return false;
  // The first member starts each lap, the others pass it on.
  const bool hears = (round % 2 == 0) == (call.rank != 0);
  steps.push_back(hears ? hear(wrapped(call.rank - 1, call.size))
                        : tell(wrapped(call.rank + 1, call.size)));
  return true;
}

bool recursive_doubling_barrier(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  // The members from 2^k on report to those 2^k below them and are told at the end.
  const Fold fold(call.size);
  if (call.rank >= fold.power) {
    if (round > 0) return false;
    steps.push_back(hear(call.rank - fold.power));
    steps.push_back(tell(call.rank - fold.power));
    return true;
  }
  const bool has_partner = call.rank < fold.surplus;
  if (has_partner && (round == 0 || round == fold.rounds() + 1)) {
    steps.push_back(round == 0 ? hear(call.rank + fold.power) : tell(call.rank + fold.power));
    return true;
  }
  if (has_partner) --round;
  if (round >= fold.rounds()) return false;
  const std::int32_t peer = call.rank ^ (std::int32_t{1} << round);
  steps.push_back(hear(peer));
  steps.push_back(tell(peer));
  return true;
}

// Up and down a binomial tree.
bool tree_barrier(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  // Up a binomial tree level by level, and down again.
  const std::uint32_t up = levels(call.size);
  if (round >= 2 * up) return false;
  const bool ascends = round < up;
  const std::uint32_t level = ascends ? round : 2 * up - 1 - round;
  const std::int32_t bit = std::int32_t{1} << level, peer = call.rank ^ bit;
  if ((call.rank & (bit - 1)) != 0 || peer >= call.size) return true;
  steps.push_back((peer > call.rank) == ascends ? hear(peer) : tell(peer));
  return true;
}

constexpr Algorithm kBarriers[] = {
    {Collective::barrier, false, "dissemination", dissemination_barrier},
    {Collective::barrier, false, "linear", linear_barrier},
    {Collective::barrier, false, "double_ring", double_ring_barrier},
    {Collective::barrier, false, "recursive_doubling", recursive_doubling_barrier},
    {Collective::barrier, false, "tree", tree_barrier},
};

}  // namespace

std::span<const Algorithm> barriers() { return kBarriers; }

}  // namespace reprise::sim
