// SPDX-License-Identifier: MIT
// Replays a hand-written trace in a process of its own: a network may be SimGrid's, which simulates once per process.
#pragma once

#include <optional>
#include <string>

#include "platforms/platform.hpp"
#include "sim/engine/replay.hpp"

namespace reprise::test {

// BODY: the text form of a trace without its first two lines (trace-io/text/SYNTAX.md). Errors of the replay come out as the
// exceptions that they are.
sim::Outcome simulate(int ranks, const std::string& body, const platforms::Platform&,
                      const sim::ReplaySettings& = {});
// BODY as the statements of thread 0.
sim::Outcome simulate_calls(int ranks, const std::string& calls, const platforms::Platform&,
                            const sim::ReplaySettings& = {});
// The whole text of the error that the replay ends with; empty where it does not.
std::string error_of(int ranks, const std::string& body, const platforms::Platform&,
                     const sim::ReplaySettings& = {});

// Of that error; nothing where the replay ends without one.
std::optional<sim::ReplayError::Kind> error_kind_of(int ranks, const std::string& body,
                                                    const platforms::Platform&);

double finish(const sim::Outcome&, int rank);

}  // namespace reprise::test
