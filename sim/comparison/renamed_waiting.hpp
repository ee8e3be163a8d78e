// SPDX-License-Identifier: MIT
// Waiting that has one name in one run and another in the other. A sender whose receiver is late waits in its send under rendezvous (late
// receiver); where the message is eager, it goes on, and waits for what that receiver sends (late sender).
//
// Rule   late receiver and late sender (with those in the wrong order) change in opposite directions, on the same ranks for the most part; the
//        smaller of the two changes is at least half of the larger one, no less than that of any other wait state, and a hundredth of all waiting
//        or more.
// Units  seconds, over all ranks.
// Cost   O(rows of both answers' wait states).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace reprise::sim {

struct RenamedWaiting {
  double late_receiver_s = 0, late_sender_s = 0;  // changes
};

// Of the answers' `wait_states` (docs/JSON.md); nothing where an answer has none, or the rule does not hold.
std::optional<RenamedWaiting> renamed_waiting(const nlohmann::ordered_json& a,
                                              const nlohmann::ordered_json& b);

}  // namespace reprise::sim
