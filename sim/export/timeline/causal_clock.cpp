// SPDX-License-Identifier: MIT
#include "sim/export/timeline/causal_clock.hpp"

#include <algorithm>
#include <utility>

#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

using trace_io::Kind;

// Whether part of a call's time may be waiting for other ranks.
bool may_wait(const trace_io::Procedure& procedure) {
  if (procedure.is_test) return false;
  switch (procedure.kind) {
    case Kind::send:
    case Kind::receive:
    case Kind::sendrecv:
    case Kind::wait:
    case Kind::wait_all:
    case Kind::wait_any:
    case Kind::wait_some:
    case Kind::probe:
    case Kind::matched_probe:
    case Kind::matched_receive:
    case Kind::collective:
    case Kind::comm_create:
    case Kind::window_create:
    case Kind::window_free:
    case Kind::fence:
    case Kind::access_start:
    case Kind::access_complete:
    case Kind::exposure_wait:
    case Kind::finalize:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string moved_note(const CausalMoves& moves) {
  const auto time = [](std::int64_t ns) { return duration_text(Nanoseconds{ns}.seconds()); };
  std::string text;
  if (moves.received_early > 0)
    text = grouped(moves.received_early) + " of " + counted(moves.messages, "message") +
           " seemed to be received before they were sent, by up to " + time(moves.most_early);
  if (moves.left_early > 0)
    text += (text.empty() ? "" : ", and ") + grouped(moves.left_early) + " of " +
            counted(moves.collective_calls, "call") +
            " that end collectives seemed to end before others had entered them, by up to " +
            time(moves.most_left_early);
  if (!text.empty()) text += ": calls were moved by up to " + time(moves.most_moved);
  if (moves.circles > 0)
    text += (text.empty() ? "" : "; ") + counted(moves.circles, "call") +
            " would wait for each other in a circle, and " +
            (moves.circles == 1 ? "does not wait" : "do not wait");
  return text;
}

CausalClock::CausalClock(const trace_io::Programs& programs, DeltaPlayer& compute,
                         DeltaPlayer& communicate, std::span<const std::int64_t> starts)
    : matches_(programs.trace()), collectives_(programs.trace()), ranks_(starts.size()) {
  for (std::size_t r = 0; r < starts.size(); ++r) {
    const Rank rank{static_cast<std::int32_t>(r)};
    ranks_[r].is_over = !programs.has(rank, 0);
    if (!ranks_[r].is_over)
      ranks_[r].timeline =
          std::make_unique<RecordedTimeline>(programs, compute, communicate, rank, starts[r]);
  }
}

CausalClock::Times CausalClock::next(Rank rank) {
  advance(rank);
  auto& known = of(rank).known;
  const Times times = known.front();
  known.pop_front();
  return times;
}

// A message carries the time of its send as its place; a receive the number of the call that completes it as its time.
std::uint64_t CausalClock::on_send() { return static_cast<std::uint64_t>(sent_); }

void CausalClock::on_receive(Rank from, Rank to) { ++of(to).senders[from.value]; }

void CausalClock::on_match(Rank from, Rank to, std::int64_t, const MessageMatches::Send& sent,
                           const MessageMatches::Receive& received) {
  ++moves_.messages;
  OfRank& receiver = of(to);
  if (!receiver.is_in_call || std::cmp_not_equal(received.completed, receiver.calls)) return;
  const auto awaited = receiver.senders.find(from.value);
  if (awaited == receiver.senders.end()) return;
  if (--awaited->second == 0) receiver.senders.erase(awaited);
  receiver.needed.take_later({sent.begin, static_cast<std::int64_t>(sent.place)});
  const std::int64_t early = sent.begin - receiver.timeline->call().end;
  if (early <= 0) return;
  ++moves_.received_early;
  moves_.most_early = std::max(moves_.most_early, early);
}

std::optional<Rank> CausalClock::missing(OfRank& rank) {
  if (!rank.senders.empty()) return Rank{rank.senders.begin()->first};
  while (!rank.waits.empty()) {
    auto& wait = rank.waits.back();
    if (const auto missing = wait.missing()) return missing;
    ++moves_.collective_calls;
    const MovedTime& latest = wait.latest();
    const std::int64_t early = latest.recorded - rank.timeline->call().end;
    if (latest.recorded != MovedTime::kNever && early > 0) {
      ++moves_.left_early;
      moves_.most_left_early = std::max(moves_.most_left_early, early);
    }
    rank.needed.take_later(latest);
    rank.waits.pop_back();
  }
  return std::nullopt;
}

void CausalClock::wait_no_more(OfRank& rank, Rank missing) {
  rank.senders.erase(missing.value);
  std::erase_if(rank.waits, [&](auto& wait) { return wait.missing() == missing; });
}

void CausalClock::begin_call(Rank rank) {
  OfRank& one = of(rank);
  if (!one.timeline->next()) {
    one.is_over = true;
    return;
  }
  const TimedCall& call = one.timeline->call();
  one.is_in_call = true;
  ++one.calls;
  one.begin = one.end + call.begin - call.computed_since;
  one.needed = {};
  if (trace_io::fields(call.procedure).empty()) return;
  sent_ = one.begin;
  told_ = call;
  told_.end = static_cast<std::int64_t>(one.calls);
  matches_.call(rank, told_, *this);
  if (auto wait = collectives_.enter(rank, call, {call.begin, one.begin})) {
    if (call.started >= 0)
      one.started.insert_or_assign(call.started, std::move(*wait));
    else if (call.procedure.kind == Kind::collective || call.procedure.kind == Kind::comm_create)
      one.waits.push_back(std::move(*wait));
  }
  for (const std::int64_t request : call.ended)
    if (auto started = one.started.extract(request))
      one.waits.push_back(std::move(started.mapped()));
}

void CausalClock::end_call(OfRank& rank) {
  const TimedCall& call = rank.timeline->call();
  const std::int64_t length = call.end - call.begin;
  std::int64_t end =
      std::max(call.end, rank.begin + (may_wait(call.procedure) ? rank.timeline->least() : length));
  if (end < rank.needed.now) end = rank.needed.now + 1;
  rank.known.push_back({rank.end, rank.begin, end});
  moves_.most_moved = std::max(moves_.most_moved, end - call.end);
  rank.end = end;
  rank.is_in_call = false;
}

// Until a call of the rank is known: whom it waits for goes on first, and whom that waits for.
void CausalClock::advance(Rank wanted) {
  path_.assign(1, wanted);
  of(wanted).is_on_path = true;
  const auto leave = [&] {
    of(path_.back()).is_on_path = false;
    path_.pop_back();
  };
  while (!path_.empty()) {
    const Rank rank = path_.back();
    OfRank& one = of(rank);
    OfRank* const waiting = path_.size() > 1 ? &of(path_[path_.size() - 2]) : nullptr;
    if (waiting != nullptr ? missing(*waiting) != rank : !one.known.empty() || one.is_over) {
      leave();
    } else if (one.is_over) {
      wait_no_more(*waiting, rank);
      leave();
    } else if (!one.is_in_call) {
      begin_call(rank);
    } else if (const auto next = missing(one)) {
      if (of(*next).is_on_path) {
        wait_no_more(one, *next);
        ++moves_.circles;
      } else {
        of(*next).is_on_path = true;
        path_.push_back(*next);
      }
    } else {
      end_call(one);
    }
  }
}

}  // namespace reprise::sim
