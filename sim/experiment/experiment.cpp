// SPDX-License-Identifier: MIT
#include "sim/experiment/experiment.hpp"

#include <algorithm>

#include "platforms/catalogue.hpp"
#include "platforms/load.hpp"
#include "platforms/override.hpp"
#include "platforms/placement.hpp"
#include "sim/experiment/own_machine.hpp"
#include "sim/experiment/platform_profiles.hpp"
#include "sim/recorded_machine.hpp"
#include "sim/scenario/noise_signature.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::sim {
namespace {

void append(std::vector<std::string>& to, const std::vector<std::string>& what) {
  to.insert(to.end(), what.begin(), what.end());
}

class Preparation {
 public:
  Preparation(const Experiment& experiment, ChangeLog* log)
      : experiment_(experiment),
        log_(log),
        prepared_{experiment.machine, {}, experiment.settings} {}

  Prepared run() {
    if (log_ != nullptr) log_->placement = experiment_.placement;
    for (const Scenario& scenario : experiment_.scenarios) make(scenario.changes);
    make(experiment_.changes);
    for (const ComputeRule& rule : experiment_.compute) {
      prepared_.settings.compute.push_back(rule);
      told(describe(rule));
    }
    if (experiment_.memory_traffic) {
      prepared_.settings.memory_traffic = *experiment_.memory_traffic;
      told(describe_memory_traffic(*experiment_.memory_traffic));
    }
    add_noise();
    tell_of_analytic_messages();
    for (const std::string& setting : experiment_.set) {
      platforms::apply_set(prepared_.document, setting, "--set");
      changed(setting);
    }
    scale("latency", experiment_.latency);
    scale("bandwidth", experiment_.bandwidth);
    scale_overheads();
    prepared_.platform = platforms::parse_platform(prepared_.document);
    if (!is_placed_) place();
    add_profiles(prepared_.platform, prepared_.settings.conditions);
    return std::move(prepared_);
  }

 private:
  // On the machine of the recording as it was there, as long as it has as many nodes.
  void place() {
    if (experiment_.is_recorded_machine && !experiment_.keeps_placement) {
      const auto& header = experiment_.trace->header;
      auto recorded = recorded_placement(header);
      if (recorded && prepared_.platform.nodes.count == header.hosts.size()) {
        prepared_.settings.placement = std::move(*recorded);
        if (log_ != nullptr) log_->placement = "recorded";
        return;
      }
    }
    prepared_.settings.placement = platforms::load_placement(
        experiment_.placement, prepared_.platform, experiment_.placement_place);
  }

  void told(std::string change) {
    if (log_ != nullptr) log_->changes.push_back(std::move(change));
  }
  void changed(const std::string& change) {
    told(change);
    if (log_ != nullptr) log_->tracker.changed(change, prepared_.document);
  }

  void make(const std::vector<Change>& changes) {
    const auto before = prepared_.settings.network;
    for (const Change& change : changes) make(change);
    if (experiment_.keeps_network) prepared_.settings.network = before;
  }

  void make(const Change& change) {
    const auto* placement = std::get_if<PlacementChange>(&change.what);
    const bool is_network = std::holds_alternative<NetworkChange>(change.what);
    is_placed_ |= placement != nullptr && !experiment_.keeps_placement;
    if (log_ == nullptr) {
      apply({&change, 1}, prepared_.document, prepared_.settings);
      return;
    }
    const auto before = prepared_.document.value;
    const auto applied = apply({&change, 1}, prepared_.document, prepared_.settings);
    append(log_->changes, applied.changes);
    append(log_->no_effect, applied.no_effect);
    if (prepared_.document.value != before)
      log_->tracker.changed(change.place.text() + ": " + describe(change), prepared_.document);
    if (placement != nullptr && !experiment_.keeps_placement) log_->placement = placement->how;
    if ((placement != nullptr && experiment_.keeps_placement) ||
        (is_network && experiment_.keeps_network))
      log_->no_effect.push_back(change.place.text() + ": --" +
                                (is_network ? "network" : "placement") + " overrides it");
  }

  void add_noise() {
    if (experiment_.noise == "none") return;
    NamedNoise noise = named_noise(experiment_.noise, *experiment_.trace, experiment_.noise_place);
    if (noise.change) prepared_.settings.conditions.noise.push_back(std::move(*noise.change));
    if (!noise.told.empty()) told(std::move(noise.told));
  }

  void tell_of_analytic_messages() {
    const ReplaySettings& settings = prepared_.settings;
    if (log_ == nullptr || settings.analytic_below.value == 0) return;
    if (model_of(settings.network).times_small_messages_alone)
      told("messages of fewer than " + to_text(settings.analytic_below) +
           " are timed as if they were alone");
    else
      log_->remarks.push_back("--analytic-below has no effect on the " +
                              std::string(name_of(settings.network)) + " network");
  }

  // The factors come last: they scale what was set.
  void scale(const std::string& key, std::optional<double> factor) {
    if (!factor) return;
    const auto platform = platforms::parse_platform(prepared_.document);  // it must be sound
    platforms::multiply_links(prepared_.document, key, *factor, "--" + key);
    changed((platform.network ? "every link's " + key : "the " + key + " inside the node") +
            formatted(" × %g", *factor));
  }

  void scale_overheads() {
    if (!experiment_.overhead) return;
    const auto platform = platforms::parse_platform(prepared_.document);  // it must be sound
    const double all = platform.mpi.send_overhead.value + platform.mpi.recv_overhead.value +
                       platform.intra_node_mpi.send_overhead.value +
                       platform.intra_node_mpi.recv_overhead.value;
    if (all == 0 && log_ != nullptr)
      return log_->no_effect.push_back("--overhead: messages take no CPU time on this machine");
    platforms::multiply_overheads(prepared_.document, *experiment_.overhead, "--overhead");
    changed("send and receive overheads" + formatted(" × %g", *experiment_.overhead));
  }

  const Experiment& experiment_;
  ChangeLog* log_;
  Prepared prepared_;
  bool is_placed_ = false;  // by a change
};

}  // namespace

Prepared prepare(const Experiment& experiment, ChangeLog* log) {
  return Preparation(experiment, log).run();
}

void set_machine(Experiment& experiment, const std::optional<std::string>& platform) {
  experiment.is_recorded_machine = !platform;
  experiment.machine = platform ? platforms::load_document(platforms::find_platform(
                                      *platform, platforms::platform_folders(), "--platform"))
                                : own_machine(*experiment.trace);
}

}  // namespace reprise::sim
