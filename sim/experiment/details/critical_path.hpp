// SPDX-License-Identifier: MIT
// Why a run takes as long as it does: what its critical path is spent on, what each parameter is therefore worth, and who is on it when.
//
// Gradient   seconds by which the run gets longer when a parameter is multiplied by 1 + ε, per ε: what the path spends on it, and what
//            messages that share links with its own are worth, with a minus where more is faster (docs/MODEL.md). With `rest` the
//            absolute values' sum is the time. Exact unless `why_not` says what is between: two paths at one moment, messages that
//            share links for a moment or by rules that are not followed, shared cores or storage, an estimate of what fast-forward
//            left out; then `uncertainty` is what a slope may be off by, of those over ± 1 %.
// Cost       that of sim/engine/critical_path/critical_path.hpp; no replay.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/engine/critical_path/critical_path.hpp"
#include "sim/experiment/details/detail.hpp"

namespace reprise::sim {

struct PathShare {
  PathPart part = PathPart::other;
  std::string where;  // a class of links, or "between nodes", "inside a node"; else empty
  std::string link;   // of the class, where one has a bandwidth of its own: "node 5"; else empty
  trace_io::SiteId site = trace_io::kNoSite;
  std::string procedure, place,
      caller;  // of the site; caller: where another site has the same place
  double seconds = 0;
};

struct PathGradient {
  Parameter parameter = Parameter::rest;
  double seconds = 0;      // per factor
  double uncertainty = 0;  // of them; 0 where it is exact, or nothing depends on the parameter
};

struct CriticalPathParts : Figure {
  double time = 0;
  std::int32_t rank = 0;          // whose last event is the run's
  std::vector<PathShare> shares;  // the largest first
  std::vector<PathGradient> gradient;
  double rest = 0;         // seconds that no parameter scales
  std::string why_not;     // exact; empty where it is
  double uncertainty = 0;  // seconds per factor, the largest of any; 0 where it is
  double bin = 0;          // seconds
  std::size_t bins = 0;
  std::vector<std::int32_t> first_ranks;  // of the map's rows, and at the end the number of ranks
  std::vector<double> computing,
      otherwise;  // row by row: seconds that the path spends on these ranks then

  double sum_of(PathPart part) const;
  double gradient_of(Parameter parameter) const;
  nlohmann::ordered_json json() const override;
  std::string text() const override;
  nlohmann::ordered_json rows() const override;  // the shares
};

CriticalPathParts critical_path_of(const Replayed&);

// The same without the parts, where slopes alone are watched.
struct PathGradients {
  double time = 0, uncertainty = 0;
  std::string why_not;
  std::vector<PathGradient> of;  // by parameter, `rest` last
};
PathGradients gradients_of(const CriticalPath&, const Outcome&);
// The line below estimates that are not exact: why, how far off they may be as a SHARE of the time, and what finds out. As much as the time itself is
// no bound, and is not given as one. Empty where they are exact.
std::string not_exact_text(const std::string& why_not, double share);

}  // namespace reprise::sim
