// SPDX-License-Identifier: MIT
// What a replay can say beyond its outcome, each part only where it is asked for.
//
// Cost    of the parts: efficiencies one more replay, sensitivities some forty, the others a few per cent of the one there is.
// Network with `simgrid`, which simulates once per process, further replays are not possible: efficiencies takes its ideal network
//         from ours all the same (there is nothing to share in it), sensitivities are refused by the verb.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/answers/efficiencies.hpp"
#include "sim/answers/link_use.hpp"
#include "sim/answers/sensitivities.hpp"
#include "sim/engine/observe/observation.hpp"
#include "sim/engine/replay.hpp"

namespace reprise::sim {

struct AnswerParts {
  bool efficiencies = false, sensitivities = false, call_sites = false, links = false,
       matrix = false, timeline = false;
};

// A call site over all ranks.
struct CallSiteUse {
  trace_io::SiteId site = trace_io::kNoSite;
  std::string procedure, place;  // place: "solve.c:212"; empty where nothing is known
  std::uint64_t ranks = 0;       // that called it
  CallAccount account;           // summed over them
};

struct TrafficMatrix {
  std::vector<std::int32_t> first_ranks;       // of the cells, and at the end the number of ranks
  std::vector<std::uint64_t> bytes, messages;  // row by row: by sender, then receiver
};

struct TimeLine {
  Seconds bin;
  std::vector<std::int32_t> first_ranks;  // of the rows, and at the end the number of ranks
  std::size_t bins = 0;
  std::vector<TimeBins::Share>
      shares;  // row by row; of the time that the row's ranks have in a bin
};

struct Answer {
  Outcome outcome;
  std::optional<Efficiencies> efficiencies;
  std::optional<std::vector<LinkClassUse>> link_classes;
  std::optional<std::vector<Sensitivity>> sensitivities;
  std::optional<std::vector<CallSiteUse>> call_sites;  // those that take most time first
  std::optional<TrafficMatrix> matrix;
  std::optional<TimeLine> timeline;
};

// What the parts need watched.
Watched watched_for(const AnswerParts&);
// Where the settings name an observation that is filled too. REQUIRES: it watches what the parts need.
Answer answer(const trace_io::Trace&, const platforms::Platform&, ReplaySettings,
              const AnswerParts&);

// The parts that are there, under their keys of docs/JSON.md; not the outcome.
nlohmann::ordered_json to_json(const Answer&);

}  // namespace reprise::sim
