// SPDX-License-Identifier: MIT
// Where ranks are at a moment: the call, the iterations of the loops around it, and since when. As text, rows and JSON, the same for a recorded run
// and a predicted one.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise {

struct RankPlace {
  struct Iteration {
    const trace_io::Loop* loop = nullptr;
    std::uint64_t number = 0, complete = 0;  // from 0; equal in one that is left in the middle
  };
  struct Call {
    trace_io::SiteId site = trace_io::kNoSite;
    double begin = 0, enter = 0, end = 0;  // s: of the computing before it, of the call
    bool is_computing = false;             // it has not been entered
    bool never_ends = false;               // a deadlock
    double for_so_long = 0;                // s: in it, or computing before it
    std::vector<Iteration> loops;          // outermost first
  };
  Rank rank;
  std::size_t thread = 0;
  double ends = 0;           // s: of the last call
  std::optional<Call> call;  // none: the rank has ended
};

// Ranks at one place share a block of lines. Cost: O(places · log places).
std::string places_text(const trace_io::Trace&, const std::vector<RankPlace>&, double time);
// Objects with the same keys, and `iterations` as numbers side by side.
nlohmann::ordered_json places_rows(const trace_io::Trace&, const std::vector<RankPlace>&,
                                   double time);
nlohmann::ordered_json places_json(const trace_io::Trace&, const std::vector<RankPlace>&,
                                   double time);

}  // namespace reprise
