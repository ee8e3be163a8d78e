// SPDX-License-Identifier: MIT
// One member's part in one collective operation that is going on: where it stands in its schedule, and its clock.
//
// A blocking collective's clock is its rank's; a non-blocking one goes on beside its rank (progress is assumed, its overheads cost
// the rank nothing).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/collectives/schedule.hpp"
#include "sim/engine/loop/request.hpp"

namespace reprise::sim {

struct CommunicatorView;

struct CollectiveRun {
  std::uint32_t actor = 0;
  std::uint32_t request = kNothing;  // of a non-blocking one
  const CommunicatorView* communicator = nullptr;
  std::int32_t tag = 0;  // the operation's number on its communicator
  CollectiveCall call;
  const Algorithm* algorithm = nullptr;
  Position position;
  std::uint32_t pending = 0;  // steps of this round that have not completed
  double clock = 0, wait = 0;
  double partner_ready = 0;  // of the step that completed last
  bool is_finished = false;
  Steps steps;                                        // scratch
  std::vector<std::uint32_t> complete_at_once;        // scratch: requests
  std::vector<std::int64_t> send_list, receive_list;  // a non-blocking one's own copies
};

}  // namespace reprise::sim
