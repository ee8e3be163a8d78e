// SPDX-License-Identifier: MIT
// What `reprise replay` prints.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/calibration_band.hpp"
#include "sim/outcome.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::cli {

// What the answer is about, in words: the machine, the placement, what was changed.
struct ReportContext {
  struct NetworkRow {
    std::string network;
    double predicted_s = 0;
    double ratio = 1;          // to the flow network's
    double error_bound_s = 0;  // of its fast-forward
    double mean_wait_s = 0;    // over the ranks
    double cpu_s = 0;          // that it took; printed with --stats only
  };
  struct Scenario {
    std::string name, question, file;
  };
  std::string trace_path;
  std::string machine;                  // "ethernet-10g (star of 64 nodes × 16 cores)"
  std::string placement;                // "block"
  std::vector<Scenario> scenarios;      // in the order in which they were applied
  std::vector<std::string> changes;     // "every link's latency × 0.5"
  std::vector<NetworkRow> networks;     // with --network all
  std::optional<CalibrationBand> band;  // where the platform was calibrated
  std::vector<std::string> no_effect;   // which changes had none, and why
  std::vector<std::string> remarks;     // other facts the reader must know
};

// Of this process; not deterministic, so printed on request only.
struct SimulationCost {
  double cpu_s = 0;
  std::uint64_t peak_rss_bytes = 0;
};

// MORE: tables between the ranks and what must be remarked.
std::string outcome_text(const sim::Outcome&, const trace_io::Header&, const ReportContext&,
                         bool every_rank, const std::optional<SimulationCost>&,
                         const std::string& more = "");
// " (3.1% of their time)": a loss against the simulated time of all ranks; empty where it has no time.
std::string share_text(const trace_io::Loss&, const sim::Outcome&);
// docs/JSON.md; MORE: further keys of the answer.
std::string outcome_json(const sim::Outcome&, const ReportContext&,
                         const std::optional<SimulationCost>&,
                         const nlohmann::ordered_json& more = nlohmann::ordered_json::object());
nlohmann::ordered_json ranks_json(const sim::Outcome&);

}  // namespace reprise::cli
