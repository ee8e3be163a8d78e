// SPDX-License-Identifier: MIT
// What ranks wait for, by state, call site and rank. Its states: sim/engine/wait_states/wait_states.hpp.
//
// Jumps  where fast-forward left out iterations, a rank's states at a site have the share there that they have in those watched; they add
//        up to what the rank waited there.
#pragma once

#include <string>
#include <vector>

#include "sim/engine/wait_states/wait_states.hpp"
#include "sim/experiment/details/detail.hpp"

namespace reprise::sim {

struct SiteWait {
  WaitState state = WaitState::other;
  trace_io::SiteId site = trace_io::kNoSite;
  std::string procedure, place, caller;  // caller: where another row has the same place
  std::uint64_t ranks = 0;
  std::int32_t most_rank = 0;    // the one that waits longest
  double seconds = 0, most = 0;  // over all ranks; of that rank
};

struct RankWait {
  std::int32_t rank = 0;
  WaitState state = WaitState::other;
  double seconds = 0;
};

struct WaitStateSums : Figure {
  double all = 0;               // seconds, over all ranks: what they wait
  std::vector<SiteWait> sites;  // the largest first
  std::vector<RankWait> ranks;  // by rank, then state

  double sum_of(WaitState state) const;
  nlohmann::ordered_json json() const override;
  std::string text() const override;
  nlohmann::ordered_json by_site() const;
  nlohmann::ordered_json rows() const override;  // by site
};

WaitStateSums wait_states_of(const trace_io::Trace&, const Observation&);

}  // namespace reprise::sim
