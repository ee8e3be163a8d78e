// SPDX-License-Identifier: MIT
// scan and exscan rank by rank, or from everyone to everyone above. Blocks as in recursive_doubling_scan: 0 is what is handed on,
// 1 the part of the result that comes from the ranks below.
#include "sim/collectives/parts.hpp"
#include "sim/collectives/schedules.hpp"

namespace reprise::sim {
namespace {

using Kind = Step::Kind;

}  // namespace

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

bool linear_nb_scan(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (round > 0) return false;
  for (std::int32_t peer = 0; peer < call.rank; ++peer)
    steps.push_back({Kind::combine, peer, call.bytes, Step::Buffer::work, 1, 1});
  for (std::int32_t peer = call.rank + 1; peer < call.size; ++peer)
    steps.push_back({Kind::send, peer, call.bytes, Step::Buffer::input});
  return true;
}

}  // namespace reprise::sim
