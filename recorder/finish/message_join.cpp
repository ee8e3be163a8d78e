// SPDX-License-Identifier: MIT
#include "recorder/finish/message_join.hpp"

#include <algorithm>
#include <utility>

#include "recorder/capture/message_sampler.hpp"

namespace reprise::recorder {
namespace {

auto place_of(const TimedSide& side) { return std::pair(side.stream, side.number); }

bool was_soon_over(const TimedSide& send, const TimedSide& receive) {
  return 4 * (send.end - send.begin) <= 3 * (receive.end - send.begin);
}

// Whether the receiver was there before the message could be.
bool is_awaited(const TimedSide& send, const TimedSide& receive) {
  const std::int64_t later = receive.begin - send.begin, latency = receive.end - send.begin;
  if (later * MessageJoin::kSmallPart <= latency) return true;
  return send.tells_cost && send.bytes <= MessageSampler::kSmall && was_soon_over(send, receive) &&
         receive.begin <= send.end;
}

void add_cost(trace_io::MessageCost& cost, const TimedSide& send, const TimedSide& receive) {
  const std::int64_t later = receive.begin - send.begin;
  if (is_awaited(send, receive)) {
    cost.one_way.add(Nanoseconds{receive.end - send.begin});
    if (send.tells_cost && send.end >= receive.end) ++cost.held_back;
    return;
  }
  const bool is_exchange =
      (receive.stay - send.begin) * MessageJoin::kSmallPart <= receive.end - send.begin;
  if (is_exchange) {
    cost.exchange.add(Nanoseconds{receive.end - send.begin});
    if (send.tells_cost && send.bytes > MessageSampler::kSmall && !was_soon_over(send, receive))
      ++cost.held_back;
    return;
  }
  if (!send.tells_cost) return;
  if (send.end <= receive.begin) {
    cost.send.add(Nanoseconds{send.end - send.begin});
    if (receive.begin - send.end >= MessageJoin::kLate)
      cost.receive.add(Nanoseconds{receive.end - receive.begin});
  }
  if (later < MessageJoin::kLate + static_cast<std::int64_t>(send.bytes)) return;
  if (send.end <= receive.begin)
    ++cost.sent_ahead;
  else
    ++cost.held_back;
}

}  // namespace

MessageJoin joined(std::vector<TimedSide> sends, std::vector<TimedSide> receives, std::int32_t rank,
                   const std::vector<trace_io::MessageDistance>& distances,
                   std::vector<JoinedPair>* pairs) {
  MessageJoin join;
  join.messages.chosen = sends.size();
  std::ranges::sort(sends, {}, place_of);
  std::ranges::sort(receives, {}, place_of);
  auto receive = receives.begin();
  for (const TimedSide& send : sends) {
    while (receive != receives.end() && place_of(*receive) < place_of(send)) {
      ++join.without_sender;
      ++receive;
    }
    if (receive == receives.end() || place_of(*receive) != place_of(send)) {
      ++join.without_receiver;
      continue;
    }
    if (receive->bytes != kUnknownBytes && receive->bytes != send.bytes) {
      ++join.different;
    } else {
      ++join.messages.joined;
      const auto distance = distances[static_cast<std::size_t>(send.peer)];
      join.messages.add({rank, send.peer, send.site, receive->site, distance,
                         trace_io::size_class_of(send.bytes)},
                        send.bytes, Nanoseconds{receive->end - send.begin});
      if (receive->tells_cost) add_cost(join.messages.cost(distance, send.bytes), send, *receive);
      if (pairs != nullptr) pairs->push_back({send, *receive});
    }
    ++receive;
  }
  join.without_sender += static_cast<std::uint64_t>(receives.end() - receive);
  return join;
}

}  // namespace reprise::recorder
