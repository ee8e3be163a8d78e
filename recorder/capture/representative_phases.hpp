// SPDX-License-Identifier: MIT
// Phases of completions that stand for others (trace-io/model/completions.hpp).
//
// Alike    phases in which requests that were started before have the same numbers, the same call sites start as many sends and receives, complete requests,
//          and complete as many of them. What of the sends and receives differs (tags that count steps, sizes) stays each phase's own.
// Kept     the first kRepresentatives of phases that are alike; a later one, the n-th, is stored as number n mod kRepresentatives. Ranks that go through the
//          same phases thus all store the same one at the same time. Others may store phases of different times, and a replay of these may deadlock.
// Order    a call of the representative is the one of the phase that has the same place among those of its call site, by communicator, peer and tag. Messages between
//          two ranks with one tag must not overtake each other: where they would, the phase stands for itself.
// Memory   at most kMostElements numbers; phases beyond that stand for themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "recorder/capture/phase_calls.hpp"
#include "recorder/capture/phase_numbers.hpp"

namespace reprise::recorder {

class RepresentativePhases {
 public:
  static constexpr std::size_t kRepresentatives = 4;
  static constexpr std::size_t kMostElements = std::size_t{1} << 18;

  // One call of a representative: which start of the phase it is, by its place among those of its site; or which requests complete.
  struct Step {
    trace_io::SiteId site;
    bool is_start;
    std::uint32_t place;
    std::vector<std::vector<std::int64_t>> vectors;
  };
  using Steps = std::vector<Step>;

  // The steps stored for this phase; null where it stands for itself. REQUIRES: numbers.begin() of the same calls. `begins_at_call`: the
  // phase has all calls since the one before it that could not be part of one.
  const Steps* find(std::span<const PhaseCall>, const PhaseNumbers&, bool begins_at_call);
  // Of the phase asked for last, where it stands for itself and has numbers now.
  void keep(std::span<const PhaseCall>);
  // Its calls that start something, by site and place; numbers of the phase's calls.
  std::size_t start_at(trace_io::SiteId site, std::uint32_t place) const;

 private:
  struct Alike {
    std::uint64_t phases = 0;
    std::vector<Steps> representatives;
  };

  void sort_starts(std::span<const PhaseCall>);
  bool keeps_messages_in_order(std::span<const PhaseCall>, const Steps&);
  void describe(std::span<const PhaseCall>, const PhaseNumbers&, bool begins_at_call);

  std::map<std::vector<std::int64_t>, Alike> all_;
  std::vector<std::int64_t> description_;                         // of the phase asked for last
  std::vector<std::size_t> starts_;                               // calls, by site and place
  std::vector<std::pair<trace_io::SiteId, std::size_t>> firsts_;  // site, its first in starts_
  std::vector<std::int64_t> places_;                              // scratch: in starts_, by call
  std::vector<std::pair<std::size_t, std::size_t>>
      told_;  // scratch: calls in the representative's order, numbered
  Alike* alike_ = nullptr;
  std::size_t elements_ = 0;
};

}  // namespace reprise::recorder
