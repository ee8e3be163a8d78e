// SPDX-License-Identifier: MIT
// Where a run's time goes, call site by call site over all ranks.
#pragma once

#include "sim/experiment/details/detail.hpp"

namespace reprise::sim {

struct CallSiteUse {
  trace_io::SiteId site = trace_io::kNoSite;
  std::string procedure, place;  // place: "solve.c:212"; empty where nothing is known
  std::string caller;            // where another row has the same place; else empty
  std::uint64_t ranks = 0;       // that called it
  CallAccount account;           // summed over them
};

struct CallSites : Figure {
  std::vector<CallSiteUse> uses;  // those that take most time first

  nlohmann::ordered_json json() const override;
  std::string text() const override;
};

}  // namespace reprise::sim
