// SPDX-License-Identifier: MIT
// One question to the simulator, as plain data: a trace, a machine, a placement, what is to be different, the settings of the replay.
// Every verb that replays makes one of these; answer() (answer.hpp) answers it.
//
// Order   of the changes: those of the scenarios, then `changes`, then compute rules, then `set`, then the factors on links and overheads.
// Errors  InputError naming the file and place of a change that cannot be made, or of a platform that it ruins.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "platforms/effects.hpp"
#include "platforms/json/document.hpp"
#include "platforms/platform.hpp"
#include "sim/scenario/scenario.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

struct Experiment {
  const trace_io::Trace* trace = nullptr;  // must outlive the experiment and its answer
  std::string trace_path;                  // as messages name it
  std::string trace_key;  // of its file's bytes (sim/content_key.hpp); empty: not known
  bool is_one_of_several =
      false;                    // recordings that are replayed: what is said of this one names it
  std::string version;          // of reprise, as the answer names it; empty: not named
  platforms::Document machine;  // before the changes
  bool is_recorded_machine = false;  // nobody named one: sim/recorded_machine.hpp

  // As --placement takes it; on the machine of the recording (is_recorded_machine) it stands only where keeps_placement, else that of the
  // recording.
  std::string placement = "block";
  std::string placement_place = "--placement";          // who says so, for messages
  bool keeps_placement = false, keeps_network = false;  // changes of them do not count

  std::vector<Scenario> scenarios;
  std::vector<Change> changes;
  std::vector<ComputeRule> compute;
  std::vector<std::string> set;              // "POINTER=VALUE"
  std::optional<double> latency, bandwidth;  // factors on every link of the network
  std::optional<double> overhead;  // factor on what sending and receiving takes of the CPU
  std::optional<BytesPerSecond> memory_traffic;  // of a rank while it computes

  std::string noise = "none";           // scenario/noise_signature.hpp
  std::string noise_place = "--noise";  // who says so, for messages

  ReplaySettings settings;     // all but placement and observation, which are found out here
  bool seed_is_given = false;  // so that a seed without use is told
};

// What has been told while the changes were made.
struct ChangeLog {
  explicit ChangeLog(const platforms::Document& machine) : tracker(machine) {}
  std::vector<std::string> changes, no_effect, remarks;  // in words
  std::string placement;                                 // as the answer names it
  platforms::ChangeTracker tracker;
};

// An experiment whose changes have been made.
struct Prepared {
  platforms::Document document;
  platforms::Platform platform;
  ReplaySettings settings;  // the placement may have yet to be searched for
};

// Cost: 0.1 ms, and with a log the platform is parsed once more after each change.
Prepared prepare(const Experiment&, ChangeLog* = nullptr);

// The platform that a verb's --platform names; where it names none, the machine of the recording.
void set_machine(Experiment&, const std::optional<std::string>& platform);

inline constexpr std::array<std::string_view, 4> kDeltasNames{"ordered", "mean", "distribution",
                                                              "sample"};
inline std::string_view name_of(Deltas deltas) {
  return kDeltasNames[static_cast<std::size_t>(deltas)];
}

}  // namespace reprise::sim
