// SPDX-License-Identifier: MIT
// Messages as flows that share links max-min fairly: SimGrid's CM02 model, driven from its kernel's own context. The reference of
// flow_network.hpp, which is the same model at a fraction of the cost.
//
// Model   a flow's rate is its max-min fair share of the links it crosses, at most the narrowest of them. Latency is waited out
//         here, before the flow exists, so that shares do not depend on it (platforms/zones/zone.hpp, LatencyPaidBy).
// Alone   max-min shares of flows that have no link in common, not even through others, are independent. A flow whose links
//         carry nobody else runs at its narrowest link's rate without SimGrid, and is handed over with its remaining bytes
//         when a second flow comes upon one of its links. The times are the same, the solver is called for contention only.
// SimGrid (3.32, read in its source and tried)
//         - No actor is needed: Engine::run() goes on while a timer or an activity is pending, and returns after the last.
//         - A Comm started by maestro (from a kernel timer or a completion callback) must not be detached and its CommPtr
//           must be held: then Activity::on_completion fires for it, inside the kernel's loop. The pointer may be dropped only
//           after the callback has returned. A Comm of 0 bytes never starts.
//         - Every Comm of this kind stands in a list of maestro's that is searched from end to end when it completes: the cost
//           of a completion grows with the number of flows in flight.
//         - kernel_timers() fire at their date before the completions of that date.
// Cost    0.1 to 0.2 µs a message that stays alone. With contention SimGrid solves the connected component again at every start
//         and end: a halo exchange on 64 nodes takes 1 µs a message in lockstep, 4 µs with jitter, 13 µs where it saturates
//         all links; in lockstep on 4096 nodes 35 µs, of which the list above is nearly all.
// Once    one per process: SimGrid keeps its clock in globals. Create it in a process that has simulated nothing yet.
#pragma once

#include <memory>

#include "platforms/platform.hpp"
#include "sim/network/network.hpp"

namespace reprise::sim {

std::unique_ptr<Network> make_simgrid_network(const platforms::Platform&);

}  // namespace reprise::sim
