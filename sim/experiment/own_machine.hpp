// SPDX-License-Identifier: MIT
// The machine that a trace was recorded on, as far as the run's own messages tell: where times of messages were sampled
// (record --messages), its message costs are measured; else they are assumed (sim/recorded_machine.hpp).
//
// Which samples  of each size the median of those that can hold nothing but the message (recorder/finish/message_join.hpp): the receiver's call
//                waited for this message alone, and before it could be there. That is o_s + L + n/B + o_r in closed form, so no lower
//                envelope has to be guessed; the median is what is left when fewer than half of them were disturbed. It holds what the
//                program's own caches cost a message, so cold caches are not added.
// Exchanges      of sizes that no receiver waited for so, but that were exchanged: both were in MPI, sending to each other, and received what was
//                there. That is one way, or longer by what one message takes from the other.
// Eager limit    between the largest size whose sends ended before a late receiver came and the smallest whose sends waited for it: the
//                largest power of two there, or what lies just below the latter if that is one (libraries count a header in).
// Oversubscribed recordings' messages wait for time slices: replays take the assumed machine for them.
// Not told       sizes that were not sent keep the base's times; how messages share bandwidth, and whether larger ones go on while the
//                receiver computes, are the base's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platforms/calibration/calibrated_platform.hpp"
#include "platforms/json/document.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

inline constexpr std::uint64_t kFewestMessages = 8;  // of a size, that a time is taken of

// Empty where the trace tells nothing. BASE: what gives eager limits their other side.
platforms::Measurements measured_messages(const trace_io::Trace&, const platforms::Platform& base);

// The platform of a trace's messages on BASE, or else on the machine of the recording. Throws InputError where they tell nothing.
platforms::Calibration calibrate_from(const trace_io::Trace&, const std::string& trace_path,
                                      platforms::CalibrationSettings);

// What to replay on where the user names no machine, and in words.
platforms::Document own_machine(const trace_io::Trace&);
std::string describe_own_machine(const trace_io::Trace&);

}  // namespace reprise::sim
