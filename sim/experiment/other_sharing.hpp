// SPDX-License-Identifier: MIT
// A further replay in which messages share links by another rule. Where it predicts another run time, what messages do to each other decides the
// answer: ranks that drift apart by microseconds can have their messages share links for the rest of the run under max-min fair shares, which
// slow the message that is needed now for those that are needed later, and never where links serve one message after the other.
//
// Rule    max-min fair shares (flow, fluid, simgrid) are compared with queue, queue with flow. A network without contention is not compared:
//         whoever takes it has chosen so.
// Cost    one more replay. Left out beyond kMostCompared calls, and where no rank spends kNoticed of the run in MPI, by which no rule of
//         sharing could shorten it then.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "platforms/platform.hpp"
#include "sim/engine/replay.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

inline constexpr std::uint64_t kMostCompared = 2'000'000;

// The network that shares by another rule; none where there is nothing to compare with.
std::optional<NetworkKind> other_sharing(NetworkKind);

struct OtherSharing {
  NetworkKind network;
  Seconds predicted;
  bool is_noticed = false;  // by more than kNoticed (mean_times.hpp) another run time
};

// None where no further replay is made.
std::optional<OtherSharing> with_other_sharing(const trace_io::Trace&, const platforms::Platform&,
                                               const ReplaySettings&, const Outcome&);
// "by network queue (each link serves whole messages one after the other) the run takes 3.16 ms, 74% less time: …"
std::string describe(const OtherSharing&, const Outcome&);
// Of `how sure`: "; network models differ (flow 12.1 ms, queue 3.16 ms)".
std::string certainty_of(const OtherSharing&, const Outcome&);

}  // namespace reprise::sim
