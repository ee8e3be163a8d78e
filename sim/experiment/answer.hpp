// SPDX-License-Identifier: MIT
// What the simulator says to an experiment: the outcome, the figures asked for, and everything that a reader must know to judge them.
// Whoever replays prints, keeps or draws this and nothing else, so that what one verb says, all say.
//
// Cost    the replay, what the figures cost (details/detail.hpp), one with mean compute times, one in which messages share links by another rule,
//         one in which MPI makes progress in calls only, and on a calibrated platform two for the band.
// Errors  what prepare() and replay() throw; RunError: a strict request, and something is not represented. A further replay that fails is a
//         remark (or, for the band, no_band); so the answer of the first one stands.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/experiment/calibration_band.hpp"
#include "sim/experiment/details/detail.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/experiment/mean_times.hpp"
#include "sim/experiment/other_sharing.hpp"
#include "sim/experiment/progress_in_calls.hpp"
#include "sim/experiment/recorded_computing.hpp"
#include "sim/experiment/without_changes.hpp"
#include "sim/process_cost.hpp"
#include "sim/text/disturbance.hpp"

namespace reprise::sim {

// Beyond the outcome.
struct AnswerRequest {
  Details details;
  bool networks = false;    // what the flow, queue and uncontended networks say side by side
  bool rank_calls = false;  // every rank's calls, site by site: for reports as mpiP writes them
  std::optional<WindowQuestion> window = {};  // of the detail `timeline`: its calls, one by one
  bool strict = false;                        // no answer where something is not represented
  bool without_changes = false;  // what-ifs: compare with the replay without their changes
  std::size_t jobs = 1;          // further replays at a time
  bool mean_times = true;     // compare with a second replay in which each compute time is its mean
  bool other_sharing = true;  // and with one in which messages share links by another rule
  bool progress = true;       // and with one in which MPI makes progress in calls only
  // What follows a path through the run (critical path, slopes, delays), and what shows single iterations, is taken of all iterations, unless
  // they repeat exactly: a few of them have the run's time, not its parts, nor the rare long ones. Set: fast-forward estimates these as well.
  bool estimated_parts = false;
};

inline constexpr std::string_view kWarning = "warning: ";
inline constexpr double kLeftOut = 0.005;

struct NetworkTime {
  std::string network;
  Seconds predicted;
  double ratio = 1;     // to the flow network's
  Seconds error_bound;  // of its fast-forward
  Seconds mean_wait;    // over the ranks
  Seconds cpu_time;     // that it took; printed with --stats only
};

struct Answer {
  const trace_io::Trace* trace = nullptr;
  std::string trace_path;
  std::string trace_key, version;           // as the experiment has them
  std::string_view deltas;                  // how compute times were played: "ordered"
  std::string platform;                     // its name
  std::string machine;                      // "ethernet-10g (64 nodes of 16 cores)"
  std::uint32_t nodes = 0, nodes_used = 0;  // of the machine; of them those that have a rank
  std::string placement;                    // "block"
  platforms::NodeOrder node_order;
  std::vector<Scenario> scenarios;
  std::vector<std::string> changes;  // "every link's latency × 0.5"

  Outcome outcome;  // with its losses, each with its severity
  std::vector<std::pair<const Detail*, std::shared_ptr<const Figure>>> details;  // as registered
  std::vector<Observation::RankSite> rank_calls;
  std::vector<std::string> hosts;  // with rank_calls: of each rank its node's name
  std::vector<NetworkTime> networks;
  std::optional<MeanTimesOutcome> means;                       // where they say something else
  std::optional<OtherSharing> other_sharing;                   // where it was asked
  std::optional<ProgressInCalls> in_calls;                     // likewise
  std::optional<CalibrationBand> band;                         // where the platform was calibrated
  std::string no_band = "the platform states no uncertainty";  // what an answer without it says
  std::optional<WithoutChanges> without_changes;
  std::vector<std::string> no_effect;  // which changes had none, and why
  std::vector<std::string>
      remarks;  // other facts that the reader must know; kWarning begins one that makes the answer doubtful
  std::optional<ProcessCost> cost;         // where it is to be told: it is not deterministic
  bool is_of_disturbed_recording = false;  // sim/text/disturbance.hpp
  std::optional<Disturbance>
      preemption_left_out;  // of the recording, where it is kLeftOut of its run time or more
  std::optional<NodeSharing> sharing;  // where it is another than when recorded and not included
  bool is_of_recorded_machine = false, computes_as_recorded = false;

  // The figure of this kind; none where it was not asked for.
  template <class F>
  const F* figure() const {
    for (const auto& [detail, figure] : details)
      if (const auto* found = dynamic_cast<const F*>(figure.get())) return found;
    return nullptr;
  }
};

Answer answer(const Experiment&, const AnswerRequest&);
// The same without an experiment around it: the outcome and the figures alone.
Answer replayed(const trace_io::Trace&, const platforms::Platform&, const ReplaySettings&,
                const AnswerRequest&);

// Everything, under the keys of docs/JSON.md. WITH_DETAILS: the figures too.
nlohmann::ordered_json to_json(const Answer&, bool with_details);
// What a table of many answers holds of each: times as means over the ranks, what limits them (band, losses, no_effect, remarks).
nlohmann::ordered_json summary_json(const Answer&);
// What is known of the prediction's error, and what is not: the text that follows "how sure".
std::string how_sure(const Answer&);
nlohmann::ordered_json details_json(const Answer&);
void add_without_changes(nlohmann::ordered_json&, const Answer&);  // where there is such a replay
nlohmann::ordered_json ranks_json(const Outcome&);
double messages_per_second(const Answer&);  // of CPU time; 0 where the cost is not known

}  // namespace reprise::sim
