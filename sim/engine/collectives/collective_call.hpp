// SPDX-License-Identifier: MIT
// From a recorded collective call to what schedules take.
#pragma once

#include <string>

#include "sim/collectives/schedule.hpp"
#include "sim/engine/loop/communicators.hpp"
#include "sim/engine/loop/event_stream.hpp"

namespace reprise::sim {

// Lists refer to the event under the cursor and to the view.
CollectiveCall describe_collective(trace_io::Collective, const EventFields&,
                                   const CommunicatorView&);

// What the member moves from its send to its receive buffer itself: its own block, or a reduction's whole operand. Libraries copy it
// before anything else; nothing in place and between groups.
Bytes own_share(const CollectiveCall&);

// What is wrong with it, such as a root that is not there or a list of the wrong length; empty where nothing is.
std::string check_collective(const CollectiveCall&, const CommunicatorView&);

// The root's world rank as all members see it: OpenCollectives::kNoRoot where the operation has none, kUnknownRoot where this
// member does not know it.
std::int32_t root_of(const CollectiveCall&, const Communicators&, std::int32_t rank,
                     const CommunicatorView&);

}  // namespace reprise::sim
