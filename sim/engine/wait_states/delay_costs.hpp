// SPDX-License-Identifier: MIT
// Whose computing has caused how much waiting of others: delay costs (Böhme, Geimer, Wolf, Arnold, ICPP 2010; Scalasca's term).
//
// Cost    of a delay: the waiting that it explains, over all ranks. Direct, where the delayed rank is the one that is waited for (in a collective:
//         computing before the same call); in a chain, where that one was kept waiting itself. What computing does not explain is
//         put down to messages. So the costs add up to the waiting.
// Memory  a row for each call that waits, and rank and call that it waits for.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "sim/engine/critical_path/critical_path.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

struct DelayCosts {
  struct Key {
    trace_io::SiteId waiting = trace_io::kNoSite;
    std::int32_t rank = kMessages;
    trace_io::SiteId computing = trace_io::kNoSite;
    bool is_direct = false;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  static constexpr std::int32_t kMessages = -1;

  std::map<Key, double> costs;                  // seconds
  std::map<trace_io::SiteId, double> waitings;  // by call that waits

  // A rank waits SECONDS in the call, for PARTNER.
  void add(trace_io::SiteId waiting, bool is_collective, std::int32_t partner, double seconds,
           std::span<const CriticalPath::Delayer> delayers) {
    double left = seconds;
    for (const auto& [by, delay] : delayers) {
      const bool is_direct = by.rank == partner || (is_collective && by.site == waiting);
      costs[{waiting, by.rank, by.site, is_direct}] += delay;
      left -= delay;
    }
    if (left > 0) costs[{waiting, kMessages, trace_io::kNoSite, false}] += left;
    waitings[waiting] += seconds;
  }
};

}  // namespace reprise::sim
