// SPDX-License-Identifier: MIT
// A further replay in which MPI makes progress inside calls only. Where it predicts another run time, what ranks compute while their messages
// are on the way decides the answer: most MPI libraries answer a large message's request to send only when their rank calls them.
//
// Asked   where the platform's file does not say how MPI makes progress, or says it without a measurement (the base's, of a calibration). A
//         --set or a scenario that says it is an answer, too.
// Cost    one more replay. Left out beyond kMostCompared calls (other_sharing.hpp), and where nothing is computed between the start and
//         the end of a non-blocking call that progress can hold up: a message beyond the eager limit, or a collective.
#pragma once

#include <optional>
#include <string>

#include "platforms/json/document.hpp"
#include "platforms/platform.hpp"
#include "sim/engine/replay.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

inline constexpr double kProgressNoticed = 0.05;  // of the predicted time

// What ranks compute while non-blocking calls are under way, as parts of all that they compute: 0 … 1. A call counts as over at the first
// that completes any, and what is computed right before such a call counts too: rather too much than too little.
struct Overlapped {
  double messages = 0, collectives = 0;
};
Overlapped overlapped_computing(const trace_io::Trace&);

struct ProgressInCalls {
  Seconds predicted;  // the answer's own where the question is settled, or nothing depends on it
  bool is_settled = false;  // somebody has said how MPI makes progress
  bool is_noticed = false;  // by more than kProgressNoticed another run time
};

// DOCUMENT is what PLATFORM was parsed from. None where it is open what the run takes then: no further replay is made, though it might matter.
std::optional<ProgressInCalls> with_progress_in_calls(const trace_io::Trace&,
                                                      const platforms::Document&,
                                                      const platforms::Platform&,
                                                      const ReplaySettings&, const Outcome&);
// "if MPI makes progress only inside its calls, the run takes 0.068013 s, 23% more time: …"
std::string describe(const ProgressInCalls&, const Outcome&);
// Of `how sure`: "; how MPI makes progress matters (asynchronous 0.0555 s, in_calls 0.068 s)".
std::string certainty_of(const ProgressInCalls&, const Outcome&);

}  // namespace reprise::sim
