// SPDX-License-Identifier: MIT
// Transport::prepare(): asks the processor for what a message's next event will touch, some events before it.
#include "sim/engine/point_to_point/transport.hpp"
#include "sim/fetch.hpp"

namespace reprise::sim {

std::uint32_t Transport::prepare(std::uint32_t index, unsigned steps) const {
  const Message& message = messages_[index];
  if (steps > 3) {
    fetch(message);
    return kNothing;
  }
  const Mailbox& mailbox = mailboxes_[static_cast<std::size_t>(message.to)];
  const int kind = message.context.is_collective() ? 1 : 0;
  if (message.receive != kNothing) {  // its tail is what comes, and then perhaps receives
    if (steps == 3) fetch(requests_[message.receive]);
    if (steps == 2) fetch(mailbox.unexpected[kind]);
    return steps == 2 ? message.receive : kNothing;
  }
  const MatchQueue& posted = mailbox.posted[kind];
  if (steps == 3) {
    fetch(posted);
    prefetch(&mailbox.unexpected[kind]);  // the rank's next receive looks there first
    return kNothing;
  }
  // Where they are hashed, the table and the node that it leads to are two more steps of the way.
  if (posted.is_hashed() && steps > 0) {
    posted.prepare({message.context, message.from, message.tag}, steps);
    return kNothing;
  }
  const unsigned there = posted.is_hashed() ? 0 : 2;
  const bool asks_next = kind == 1 && steps + 1 == there;
  if (steps < there && !asks_next) return kNothing;
  const std::uint32_t receive =
      posted.glance_for_message(message.context, message.from, message.tag);
  if (asks_next) return receive;
  if (receive != kNothing) fetch(requests_[receive]);
  return kNothing;
}

}  // namespace reprise::sim
