// SPDX-License-Identifier: MIT
#include "sim/export/timeline/receive_completions.hpp"

#include <algorithm>

#include "sim/export/timeline/call_messages.hpp"

namespace reprise::sim {

using trace_io::Field;
using trace_io::Kind;

namespace {

constexpr std::int64_t kNever = -1;

// The last nanosecond of a call: at its end the next one may begin.
std::int64_t last_moment(const TimedCall& call) { return std::max(call.begin, call.end - 1); }

}  // namespace

void ReceiveCompletions::call(Rank rank, const TimedCall& call) {
  Side& side = sides_[static_cast<std::size_t>(rank.value)];
  const Kind kind = call.procedure.kind;
  if (kind == Kind::receive || kind == Kind::sendrecv)
    side.receives.emplace(
        call.begin,
        Receive{scalar_of(call, kind == Kind::sendrecv ? Field::receive_tag : Field::tag),
                call.never_ends ? kNever : last_moment(call)});
  if (kind == Kind::start_receive && call.started >= 0)
    side.open[call.started] =
        side.receives.emplace(call.begin, Receive{scalar_of(call, Field::tag), kNever});
  if (call.never_ends) return;
  for (const std::int64_t request : call.ended) {
    const auto found = side.open.find(request);
    if (found == side.open.end()) continue;
    found->second->second.completed = last_moment(call);
    side.open.erase(found);
  }
}

std::int64_t ReceiveCompletions::of(const TimedMessage& message) {
  Side& side = sides_[static_cast<std::size_t>(message.to.value)];
  const auto [first, last] = side.receives.equal_range(message.posted);
  const auto found = std::find_if(first, last, [&](const auto& one) {
    const Receive& receive = one.second;
    return !receive.is_taken && (receive.tag < 0 || receive.tag == message.tag);
  });
  if (found == last || found->second.completed == kNever) return message.received;
  found->second.is_taken = true;
  return std::max(message.received, found->second.completed);
}

}  // namespace reprise::sim
