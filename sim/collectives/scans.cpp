// SPDX-License-Identifier: MIT
// scan and exscan by recursive doubling, rank by rank, or from everyone to everyone above. Block 0 is what is handed on, block 1 the
// part of the result that comes from the ranks below.
#include "sim/collectives/parts.hpp"
#include "sim/collectives/schedules.hpp"

namespace reprise::sim {
namespace {

using Kind = Step::Kind;
using trace_io::Collective;

// Also exscan.
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

// From rank to rank.
bool linear_scan(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (call.rank > 0) {
    if (round == 0) {
      Step below{Kind::combine, call.rank - 1, call.bytes};
      below.also = 1;
      steps.push_back(below);
      return true;
    }
    --round;
  }
  if (round > 0 || call.rank + 1 == call.size) return false;
  steps.push_back({Kind::send, call.rank + 1, call.bytes});
  return true;
}

// To everyone above at once.
bool linear_nb_scan(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 0) return false;
  for (std::int32_t peer = 0; peer < call.rank; ++peer)
    steps.push_back({Kind::combine, peer, call.bytes, Step::Buffer::work, 1, 1});
  for (std::int32_t peer = call.rank + 1; peer < call.size; ++peer)
    steps.push_back({Kind::send, peer, call.bytes, Step::Buffer::input});
  return true;
}

constexpr Algorithm kScans[] = {
    {Collective::scan, false, "recursive_doubling", recursive_doubling_scan},
    {Collective::scan, false, "linear", linear_scan},
    {Collective::scan, false, "linear_nb", linear_nb_scan},
    {Collective::exscan, false, "recursive_doubling", recursive_doubling_scan},
    {Collective::exscan, false, "linear", linear_scan},
    {Collective::exscan, false, "linear_nb", linear_nb_scan},
};

}  // namespace

std::span<const Algorithm> scans() { return kScans; }

}  // namespace reprise::sim
