// SPDX-License-Identifier: MIT
// Delay costs of collectives (delay_costs.hpp) in which members wait for all others.
//
// Why     an algorithm's rounds make a member wait for one partner after the other, each a little later than the one before. Message by message the
//         first partners would be to blame for the first part of the waiting, although it would be as long without their delay, up to the last member's.
// Rule    what a member waits is put down to what the last one to enter computed more on its way there than the waiting member on its own (as in
//         Scalasca's "wait at N×N" and "wait at barrier"; Böhme et al., ICPP 2010). The rest is messages'. In a reduction or gathering only
//         the root waits for all.
// Others  (broadcasts, scans, members that wait for their part of a tree, neighbourhoods) message by message; so is a member whose last wait was over before
//         the last one entered.
// Cost    where delays are asked for: a path held for each collective under way, and what was found for each wait.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sim/engine/critical_path/critical_path.hpp"
#include "sim/engine/wait_states/delay_costs.hpp"
#include "sim/engine/wait_states/wait_states.hpp"

namespace reprise::sim {

class CollectiveDelays {
 public:
  // The actor, of the rank, enters with the run of a collective.
  void enter(CriticalPath&, std::uint32_t run, const WaitStates::Entry&, std::uint32_t actor,
             std::int32_t rank, double at);
  // The run waits SECONDS from FROM on for a message of PARTNER's, which the delayers explain.
  struct Wait {
    double from = 0, seconds = 0;
    std::int32_t partner = 0;
    std::vector<CriticalPath::Delayer> delayers;
  };
  void step(std::uint32_t run, Wait wait) { runs_[run].waits.push_back(std::move(wait)); }
  // A blocking call is over, whose actor's own path still ends where it entered.
  void leave(CriticalPath&, DelayCosts&, std::uint32_t run, std::uint32_t actor,
             trace_io::SiteId site);
  // It has gone on beside its rank.
  void leave(CriticalPath&, std::uint32_t run);

 private:
  struct Last {
    double at = -1;
    std::int32_t rank = 0;
    PathTree::Place place = PathTree::kNowhere;  // held
    std::int32_t left = 0;
  };
  struct Run {
    WaitStates::Entry entry;
    std::vector<Wait> waits;
  };
  using CallKey = std::pair<std::uint32_t, std::uint32_t>;

  std::map<CallKey, Last> calls_;
  std::vector<Run> runs_;
};

}  // namespace reprise::sim
