// SPDX-License-Identifier: MIT
// Messages that wait for one another: each link serves whole messages in the order in which their heads reach it.
//
// Model   cut-through. With a_i the time at which a message's head reaches link i of its route, L_i and B_i the link's latency and
//         bandwidth, f_i the time from which the link is free, n the bytes (λ and β: the platform's factors by size):
//           served from   s_i = max(a_i, f_i)              head at the next link  a_{i+1} = s_i + λ·L_i
//           link busy till f_i := s_i + n/(β·B_i)          tail off the link      e_i = max(e_{i-1}, s_i + n/(β·B_i)) + λ·L_i
//         Alone: head at Σ λL_i, tail at Σ λL_i + n/(β·min B_i), as in the other networks. A link is busy for its own service time
//         only: behind a narrower link it could carry others in between, and does. Switches have room for all that waits; a
//         message that waits holds no link. Links that nobody contends for (RouteTable, is_contended) serve all at once.
// Family  store-and-forward queueing at message granularity with cut-through timing: P. Kermani, L. Kleinrock, "Virtual
//         Cut-Through: A New Computer Communication Switching Technique", Computer Networks 3(4), 1979.
// Differs from flow: two messages that share a link both take twice as long there; here the first is not delayed at all and the
//         second waits for it. The last of them ends at the same time.
// Cost    an event per link, one for the head and one for the tail; no solver: a message costs the same whatever else is on the
//         way. Memory: 8 bytes a link, and what is in flight. No SimGrid, any number per process.
#pragma once

#include <memory>
#include <span>

#include "platforms/platform.hpp"
#include "sim/conditions.hpp"
#include "sim/network/network.hpp"

namespace reprise::sim {

std::unique_ptr<Network> make_queue_network(const platforms::Platform&,
                                            std::span<const LinkChange> = {});

}  // namespace reprise::sim
