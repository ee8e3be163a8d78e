// SPDX-License-Identifier: MIT
// Where ranks compute unequally long, by what evening it out would save.
//
// Candidates  compute times before the calls of a call path, those of a loop, those of a rank, and all. The largest by how much longer than the mean
//             the slowest rank computes there.
// Saved       the run time, less that of a replay of the same trace in which all ranks take the mean there (levelled.hpp): per path into a call the
//             mean of all executions, and the mean of the ranks' sums where they take different paths; of a rank all its compute times scaled to the
//             mean rank's sum. Waiting that moves elsewhere is not saved, so savings do not add up, and may be 0.
// Everything  is a row if any other is: ranks may compute equally long in all, and unequally in each loop.
// Over time   what is saved if every rank takes its mean at all times: ranks that are slow at different times (a hot spot that wanders), and times
//             that scatter, have no part in the rows of means. A row from kOverTime of the run on.
// Machine     ranks differ by what they were recorded with and by what the machine makes of it: rules of --compute and scenarios, nodes' relative
//             speed (scaled_times.hpp). Nodes that are slow for some time only, and noise, count in the row of everything, which levels what
//             ranks compute in the run; they stay as they are in every other.
// Deltas      everything and over time are compared with the run as a replay predicts it, the others with the run in which every compute time is at
//             its mean: there, what remains is what ranks differ by, not how executions scatter.
// Pattern     of the ranks' sums: two groups (a gap between two neighbours of more than half the range, on both sides more than a tenth of the
//             ranks), outliers (the same gap, on one side no more than a tenth or one rank), else gradual. The two published cases.
// Told        the slowest rank of a row is named if it computes longer than the mean by more than its scatter, or by more than kToldAnyway of the mean.
//             Scatter is what the largest of the ranks' deviations stays below with a probability of 95 % if all compute equally long: a rank's sum of n
//             executions that scatter independently by s has the standard error s·√n, and of R ranks none deviates by more than √(2 ln(R / 0.05)) of
//             them (Chernoff's bound). A single execution may scatter by all of its time. Executions that are short and long by plan count as scatter, hence
//             kToldAnyway.
// Cost        a replay each, and two; two more by another rule of sharing, up to kMostCompared calls.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/experiment/experiment.hpp"

namespace reprise::sim {

struct Imbalance {
  enum class Of : std::uint8_t { everything, loop, call_path, rank, over_time };
  Of of = Of::everything;
  std::string what;                           // "before MPI_Allreduce at solve.c:212"
  trace_io::SiteId site = trace_io::kNoSite;  // of a call path
  double mean = 0, most = 0;                  // s: of the ranks that have such times
  double scatter = 0;  // s: of the slowest rank about the mean; 0 where executions do not scatter
  Rank slowest;
  std::string pattern;  // "two groups: ranks 0-15 and, slower, ranks 16-31"
  double saved = 0;     // s

  bool is_within_scatter() const;  // no rank can be told to be slower
};

struct ImbalanceAnswer {
  // What the first row saves where messages share links by another rule (other_sharing.hpp), if that is another share of the run by kNoticed.
  struct OtherSharing {
    NetworkKind network;
    double predicted = 0, saved = 0;  // s
  };

  double predicted = 0, with_means = 0;  // s
  std::optional<OtherSharing> other_sharing;
  std::vector<Imbalance> rows;  // what saves most first; everything on top
};

inline constexpr double kOverTime = 0.01;    // of the run time
inline constexpr double kToldAnyway = 0.01;  // of the mean

// MOST: rows of each kind; JOBS: replays at a time. Errors: as prepare(), replay() and at_once() (sim/processes/at_once.hpp).
ImbalanceAnswer find_imbalance(const Experiment&, std::size_t most = 8, std::size_t jobs = 1);

// How the ranks' times differ, in words; empty where they do not by a thousandth of the mean.
std::string pattern_of(const std::vector<std::pair<Rank, double>>& times);

}  // namespace reprise::sim
