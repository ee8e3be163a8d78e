// SPDX-License-Identifier: MIT
// Which rank's computing before which call has caused how much waiting of others, directly and in a chain. Its model:
// sim/engine/critical_path/delays.cpp.
//
// Jumps  where fast-forward left out iterations, the costs of a waiting call have the shares that they have in those watched; they add up to
//        what ranks waited there.
#pragma once

#include <string>
#include <vector>

#include "sim/experiment/details/detail.hpp"

namespace reprise::sim {

struct DelayCost {
  trace_io::SiteId site = trace_io::kNoSite;       // before which was computed; kNoSite: messages
  std::string procedure, place, caller;            // caller: where another site has the same place
  std::int32_t rank = -1;                          // −1: messages
  double direct = 0, chain = 0;                    // seconds that others wait
  trace_io::SiteId most_site = trace_io::kNoSite;  // the call in which most of it is waited
  std::string most_procedure, most_place, most_caller;
  std::string function;  // that has most samples of that computing; empty in traces without
};

struct DelayCostSums : Figure {
  double all = 0, messages = 0;   // seconds, over all ranks; of it what computing does not explain
  std::vector<DelayCost> delays;  // the largest first
  bool has_samples = false;       // of functions, in the trace

  nlohmann::ordered_json json() const override;
  std::string text() const override;
  std::string ranks_text() const;
  nlohmann::ordered_json rows() const override;
};

DelayCostSums delay_costs_of(const trace_io::Trace&, const Observation&);

}  // namespace reprise::sim
