// SPDX-License-Identifier: MIT
#include "sim/engine/compute/disturbances.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/counter_random.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::sim {
namespace {

void check(const std::string& where, const char* what, std::int64_t highest, std::size_t count,
           const char* which) {
  if (highest >= static_cast<std::int64_t>(count))
    throw InputError(where, what + std::to_string(highest) + " is not among the " +
                                std::to_string(count) + which);
}

// The place of the k-th of COUNT durations dealt out: multiples of a number near COUNT over the golden ratio and coprime to it land far
// apart, and COUNT of them on every place once.
std::uint64_t coprime_step(std::uint64_t count) {
  constexpr double kGolden = 1.6180339887498949;
  auto step =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(count) / kGolden));
  while (std::gcd(step, count) != 1) ++step;
  return step;
}

double duration_at(const NoisePattern& pattern, double share) {
  for (const DurationShare& part : pattern.durations)
    if (share <= part.up_to) return part.duration;
  return pattern.durations.back().duration;
}

double dealt(const NoisePattern& pattern, std::uint64_t number) {
  __extension__ using Wide = unsigned __int128;
  const auto place =
      static_cast<std::uint64_t>(Wide{number} * coprime_step(pattern.count) % pattern.count);
  return duration_at(pattern,
                     (static_cast<double>(place) + 0.5) / static_cast<double>(pattern.count));
}

// What the durations dealt out are multiplied by, so that all of them take the pattern's total.
double scale_of(const NoisePattern& pattern) {
  const auto count = static_cast<double>(pattern.count);
  double sum = 0, below = 0;
  for (const DurationShare& part : pattern.durations) {
    const double above = std::clamp(std::floor(part.up_to * count + 0.5), below, count);
    sum += (above - below) * part.duration;
    below = above;
  }
  return sum > 0 ? pattern.total / sum : 0;
}

}  // namespace

std::string in_words(const TimeSpan& when) {
  if (when.is_always()) return "";
  const std::string from = " from " + to_text(Seconds{when.from});
  return from + (when.to == TimeSpan{}.to ? " on" : " to " + to_text(Seconds{when.to}));
}

std::string why_without_effect(const TimeSpan& when, Seconds end, const std::string& otherwise) {
  if (when.from < end.value) return otherwise;
  return "the run is over before " + to_text(Seconds{when.from});
}

Disturbances::Disturbances(const Conditions& conditions,
                           std::span<const platforms::RankLocation> locations, std::uint64_t seed)
    : conditions_(conditions),
      locations_(locations.begin(), locations.end()),
      seed_(seed),
      has_effect_on_nodes_(conditions.nodes.size()),
      has_interrupted_(conditions.noise.size()),
      sources_(conditions.noise.size()) {
  std::size_t nodes = 0;
  for (const auto& location : locations_)
    nodes = std::max<std::size_t>(nodes, location.node + std::size_t{1});
  for (const NoiseChange& change : conditions_.noise) {
    check(change.where, "rank ", highest(change.ranks), locations_.size(), " ranks");
    check(change.where, "node ", highest(change.nodes), nodes, " nodes that have ranks");
  }
  for (std::size_t i = 0; i < conditions_.nodes.size(); ++i) {
    const NodeChange& change = conditions_.nodes[i];
    if (!change.is_of_platform())
      check(change.where, "node ", highest(change.nodes), nodes, " nodes that have ranks");
    if (change.compute == 1 && !change.is_of_platform()) {
      has_effect_on_nodes_[i] = true;
      continue;
    }
    speeds_.resize(nodes);
    for (std::size_t node = 0; node < nodes; ++node) {
      if (!contains(change.nodes, static_cast<std::int64_t>(node))) continue;
      if (!speeds_[node]) speeds_[node] = std::make_unique<VaryingRate>();
      speeds_[node]->multiply(change.when.from, change.when.to, 1 / change.compute);
      speeds_[node]->follow(change.speed_steps);
    }
  }
}

double Disturbances::draw(Source& source) const {
  return unit_interval(mixed(source.stream + mixed(source.drawn++)));
}

void Disturbances::open(Source& source, const NoiseChange& change, std::size_t number, Rank rank,
                        std::uint32_t thread) const {
  source.is_open = true;
  const auto& location = locations_[static_cast<std::size_t>(rank.value)];
  source.is_concerned = contains(change.ranks, rank.value) && contains(change.nodes, location.node);
  const std::uint64_t who = static_cast<std::uint64_t>(rank.value) << 32 | thread;
  source.stream = mixed(seed_ ^ mixed(who ^ mixed(0x6e6f6973u + number)));
  if (change.patterns_are != NoiseChange::Patterns::none) {
    const std::size_t number_of = change.patterns_are == NoiseChange::Patterns::of_cores
                                      ? location.core % change.patterns.size()
                                      : static_cast<std::size_t>(rank.value);
    source.pattern = number_of < change.patterns.size() ? &change.patterns[number_of] : nullptr;
    if (source.pattern == nullptr || std::isinf(source.pattern->every)) source.is_concerned = false;
    if (!source.is_concerned) return;
    if (source.pattern->count > 0) source.scale = scale_of(*source.pattern);
    source.next = interval(source, change);
    return;
  }
  const double u = draw(source);
  source.next = change.arrivals == NoiseChange::Arrivals::periodic ? u * change.every
                                                                   : -std::log(u) * change.every;
}

// Until the next interruption; the first one of periodic ones comes at a random place of a period.
double Disturbances::interval(Source& source, const NoiseChange& change) const {
  if (change.arrivals == NoiseChange::Arrivals::random)
    return -std::log(draw(source)) * source.pattern->every;
  return source.interruptions == 0 ? draw(source) * source.pattern->every : source.pattern->every;
}

double Disturbances::duration(Source& source) const {
  const NoisePattern& pattern = *source.pattern;
  const std::uint64_t number = source.interruptions++;
  if (pattern.count > 0) return dealt(pattern, number % pattern.count) * source.scale;
  return duration_at(pattern, draw(source));
}

double Disturbances::pattern_noise(Source& source, const NoiseChange& change) const {
  double sum = 0;
  while (source.next <= source.computed) {
    sum += duration(source);
    source.next += interval(source, change);
  }
  return sum;
}

double Disturbances::noise(std::uint32_t actor, Rank rank, std::uint32_t thread, double work) {
  double sum = 0;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const NoiseChange& change = conditions_.noise[i];
    if (sources_[i].size() <= actor) sources_[i].resize(actor + 1);
    Source& source = sources_[i][actor];
    if (!source.is_open) open(source, change, i, rank, thread);
    if (!source.is_concerned) continue;
    source.computed += work;
    if (source.computed < source.next) continue;
    has_interrupted_[i] = true;
    if (source.pattern != nullptr) {
      sum += pattern_noise(source, change);
      continue;
    }
    if (change.arrivals == NoiseChange::Arrivals::periodic) {
      const double count = std::floor((source.computed - source.next) / change.every) + 1;
      source.next += count * change.every;
      sum += count * change.duration;
      continue;
    }
    while (source.next <= source.computed) {
      sum -= std::log(draw(source)) * change.duration;
      source.next -= std::log(draw(source)) * change.every;
    }
  }
  total_noise_ += Seconds{sum};
  return sum;
}

void Disturbances::note(std::int32_t rank, double from, double to) {
  for (std::size_t i = 0; i < has_effect_on_nodes_.size(); ++i) {
    const NodeChange& change = conditions_.nodes[i];
    if (from < change.when.to && to > change.when.from &&
        contains(change.nodes, locations_[static_cast<std::size_t>(rank)].node))
      has_effect_on_nodes_[i] = true;
  }
}

void Disturbances::add_without_effect(Seconds end, std::vector<std::string>& facts) const {
  for (std::size_t i = 0; i < has_effect_on_nodes_.size(); ++i) {
    const NodeChange& change = conditions_.nodes[i];
    if (!has_effect_on_nodes_[i] && !change.is_of_platform())
      facts.push_back(
          change.where + ": " +
          why_without_effect(change.when, end,
                             "no rank of node " + to_text(change.nodes) + " computed during it"));
  }
  for (std::size_t i = 0; i < has_interrupted_.size(); ++i)
    if (!has_interrupted_[i])
      facts.push_back(conditions_.noise[i].where + ": no interruption hit a computing rank");
}

}  // namespace reprise::sim
