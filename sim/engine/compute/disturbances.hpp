// SPDX-License-Identifier: MIT
// What happens to computing: nodes that are slower for a while, and noise (docs/MODEL.md, Nodes that change and Noise).
//
// Noise   each rank has a clock of its own computing; an interruption comes when that has reached the next of its dates:
//         periodic: u·every, then each `every`, u uniform by seed and rank; random: intervals and durations exponential. With patterns (of
//         cores or ranks) durations are drawn from their distributions, or dealt out as they were recorded. What a rank
//         suffers is a function of seed, rank, thread and what it computes: the same on every machine, network and placement.
// Cost    slow nodes: a look-up by time per stretch of computing of their ranks. Noise: periodic O(1), random a logarithm or two per
//         interruption. Nothing where there is neither.
// Errors  InputError{change.where, …}: a rank that is not there, a node that has none.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "platforms/placement.hpp"
#include "sim/conditions.hpp"
#include "sim/varying_rate.hpp"
#include "trace-io/base/quantity.hpp"

namespace reprise::sim {

class Disturbances {
 public:
  Disturbances(const Conditions&, std::span<const platforms::RankLocation>, std::uint64_t seed);

  // What interruptions add to a stretch of computing, in seconds. ACTOR: chosen by the caller, one for each thread of each rank.
  double noise(std::uint32_t actor, Rank, std::uint32_t thread, double work);
  Seconds total_noise() const { return total_noise_; }

  // How fast a rank's node computes over time; null where nothing changes that.
  const VaryingRate* speed(std::int32_t rank) const {
    return speed_of_node(locations_[static_cast<std::size_t>(rank)].node);
  }
  const VaryingRate* speed_of_node(platforms::NodeIndex node) const {
    return node < speeds_.size() ? speeds_[node].get() : nullptr;
  }
  // The rank has computed then.
  void note(std::int32_t rank, double from, double to);

  // Changes that changed nothing, and why. END: of the run.
  void add_without_effect(Seconds end, std::vector<std::string>& facts) const;

 private:
  struct Source {  // of noise, for one actor
    double computed = 0, next = 0;
    std::uint64_t stream = 0, drawn = 0;
    const NoisePattern* pattern = nullptr;
    double scale = 1;  // of dealt durations
    std::uint64_t interruptions = 0;
    bool is_open = false, is_concerned = false;
  };
  double draw(Source&) const;
  double interval(Source&, const NoiseChange&) const;
  double duration(Source&) const;
  double pattern_noise(Source&, const NoiseChange&) const;
  void open(Source&, const NoiseChange&, std::size_t number, Rank, std::uint32_t thread) const;

  const Conditions conditions_;
  const std::vector<platforms::RankLocation> locations_;
  const std::uint64_t seed_;
  std::vector<std::unique_ptr<VaryingRate>> speeds_;  // by node
  std::vector<bool> has_effect_on_nodes_;             // by change
  std::vector<bool> has_interrupted_;                 // by source of noise
  std::vector<std::vector<Source>> sources_;          // by change, then actor
  Seconds total_noise_;
};

// " from 0.1 s to 0.3 s", " from 0.1 s on", or nothing where it is always.
std::string in_words(const TimeSpan&);
// Why a change that holds then had no effect on a run that ended before, or else `otherwise`.
std::string why_without_effect(const TimeSpan&, Seconds end, const std::string& otherwise);

}  // namespace reprise::sim
