// SPDX-License-Identifier: MIT
#include "sim/engine/tape/loop_tape.hpp"

#include <algorithm>
#include <utility>

namespace reprise::sim {

using Event = EventGraph::Event;

void LoopTape::begin_period(std::uint32_t index, double clock, const DeltaState& played) {
  Rank& rank = ranks_[index];
  if (graph_.ends_.empty()) {
    graph_.ends_.resize(ranks_.size());
    graph_.clocks_.resize(ranks_.size());
    graph_.computed_.resize(ranks_.size());
  }
  switch (++rank.period) {
    case 0:
      rank.sends = rank.posts = 0;
      break;
    case 1:
      rank.sends_before = rank.sends;
      rank.posts_before = rank.posts;
      rank.clock = clock;
      break;
    case 2:
      rank.sends_after = rank.sends;
      rank.posts_after = rank.posts;
      graph_.ends_[index] = clock - rank.clock;
      graph_.clocks_[index] = clock;
      for (const std::uint32_t slot : rank.slots)
        graph_.slots_[slot] = *player_.find_slot(*graph_.slots_[slot].delta, played);
      ++ended_;
      break;
    default:
      break;
  }
}

Event& LoopTape::write(std::uint32_t rank, Event::Kind kind, double at, double after) {
  Event& event = graph_.events_.emplace_back();
  event.kind = kind;
  event.rank = rank;
  event.lead = at - ranks_[rank].clock;
  ranks_[rank].clock = after;
  return event;
}

std::uint32_t LoopTape::place(std::uint32_t rank, trace_io::SiteId site) {
  std::vector<std::uint32_t>& known = ranks_[rank].places;
  const auto same = std::ranges::find_if(
      known, [&](std::uint32_t place) { return graph_.places_[place].site == site; });
  if (same != known.end()) return *same;
  known.push_back(static_cast<std::uint32_t>(graph_.places_.size()));
  graph_.places_.push_back({rank, site, 0});
  graph_.computed_at_.push_back(0);
  return known.back();
}

void LoopTape::computed(std::uint32_t index, trace_io::SiteId site,
                        const trace_io::DeltaClass& delta, const DeltaState& played, double factor,
                        double before, double after) {
  if (!is_written(index)) return;
  const std::uint32_t at = place(index, site);
  const DeltaState::Slot* found = player_.find_slot(delta, played);
  if (found == nullptr) {
    graph_.places_[at].constant += after - before;
    return;
  }
  Rank& rank = ranks_[index];
  const auto same = std::ranges::find_if(
      rank.slots, [&](std::uint32_t slot) { return graph_.slots_[slot].delta == &delta; });
  std::uint32_t slot = 0;
  if (same != rank.slots.end()) {
    slot = *same;
  } else {
    slot = static_cast<std::uint32_t>(graph_.slots_.size());
    graph_.slots_.push_back(*found);
    graph_.slot_ranks_.push_back(index);
    rank.slots.push_back(slot);
  }
  Event& event = write(index, Event::Kind::compute, before, after);
  event.a = slot;
  event.b = at;
  event.factor = factor;
}

void LoopTape::sent(std::uint32_t index, std::uint32_t message, std::uint32_t request, double at,
                    double until_met) {
  Rank& rank = ranks_[index];
  Message& sent = entry(messages_, message);
  sent = {};
  sent.from = index;
  sent.number = rank.period >= 0 ? rank.sends++ : kUnknown;
  sent.send = request;
  sent.is_rendezvous = until_met >= 0;
  sent.issued = at;
  sent.until_met = until_met;
  Request& record = entry(requests_, request);
  record = {};
  record.kind = Request::Kind::send;
  record.rank = index;
  record.number = sent.number;
  record.message = sent;
  if (!is_written(index)) return;
  Event& event = write(index, Event::Kind::send, at, at);
  event.a = sent.number - rank.sends_before;
  event.takes = at;
}

void LoopTape::posted(std::uint32_t index, std::uint32_t request, double at) {
  Rank& rank = ranks_[index];
  Request& record = entry(requests_, request);
  record = {};
  record.kind = Request::Kind::receive;
  record.rank = index;
  record.number = rank.period >= 0 ? rank.posts++ : kUnknown;
  if (!is_written(index)) return;
  Event& event = write(index, Event::Kind::post, at, at);
  event.a = record.number - rank.posts_before;
  event.takes = at;
}

void LoopTape::matched(std::uint32_t message, std::uint32_t receive, double when) {
  Message& met = entry(messages_, message);
  Request& request = entry(requests_, receive);
  met.receive = receive;
  met.met = when;
  request.message = met;
  request.is_matched = true;
  if (!met.is_rendezvous || met.send == kUnknown) return;
  Request& send = entry(requests_, met.send);
  send.is_matched = true;
  send.message.met = when;
  send.to = request.rank;
  send.receive = request.number;
}

void LoopTape::reached(std::uint32_t message, double when) {
  entry(messages_, message).head = when;
}

void LoopTape::arrived(std::uint32_t message, double when) {
  Message& come = entry(messages_, message);
  come.has_arrived = true;
  come.arrived = when;
  if (come.receive != kUnknown) entry(requests_, come.receive).message = come;
}

void LoopTape::awaited(std::uint32_t index, std::uint32_t number, const Wait& wait) {
  const double before = wait.before, done = wait.done, after = wait.after;
  Request& request = entry(requests_, number);
  if (!is_written(index)) {
    request = {};
    return;
  }
  const Message& message = request.message;
  const bool is_receive = request.kind == Request::Kind::receive;
  const double behind = after - std::max(before, done);
  if (request.kind == Request::Kind::other || (is_receive && !request.is_matched) ||
      (!is_receive && !message.is_rendezvous && done <= message.issued)) {
    if (done > before) give_up("a call in it waits for what began before it was watched");
    request = {};
    return;
  }
  if (message.number == kUnknown) {
    give_up("messages are on the way for more than an iteration");
    return;
  }
  if (message.is_rendezvous) {
    const std::uint32_t post = is_receive ? request.number : request.receive;
    if (post == kUnknown || !request.is_matched)
      return give_up("messages are on the way for more than an iteration");
    Event& event = write(index, Event::Kind::rendezvous, before, after);
    event.a = message.number;
    event.b = post;
    event.takes = done - message.met;
    event.factor = message.until_met;
    event.after = behind;
    ends_of_waits_.push_back({message.from, is_receive ? index : request.to});
  } else {
    Event& event = write(index, Event::Kind::message, before, after);
    event.a = message.number;
    event.takes = (is_receive && message.has_arrived ? message.arrived : done) - message.issued;
    event.after = behind;
    // Whether it has to be copied depends on when the receive is posted, if that is known.
    if (is_receive && request.number != kUnknown && wait.copy > 0) {
      event.b = request.number;
      event.copy = wait.copy;
      event.factor = message.head - message.issued;
      if (wait.was_copied) event.after -= wait.copy;
    }
    ends_of_waits_.push_back({message.from, index});
  }
  request = {};
}

EventGraph LoopTape::graph() {
  std::vector<std::uint32_t> first_send{0}, first_post{0};
  for (const Rank& rank : ranks_) {
    if (rank.sends_after != 2 * rank.sends_before || rank.posts_after != 2 * rank.posts_before)
      give_up("its iterations differ in what they do");
    first_send.push_back(first_send.back() + rank.sends_before);
    first_post.push_back(first_post.back() + rank.posts_before);
  }
  // From numbers of a rank since the first period to numbers of all ranks in one period.
  const auto renumber = [this](std::uint32_t& number, bool& is_before, std::uint32_t first,
                               std::uint32_t a_period) {
    is_before = number < a_period;
    if (!is_before) number -= a_period;
    if (number >= a_period) {
      give_up("messages of its next iteration overtake the end of one");
      number = 0;
    }
    number += first;
  };
  for (auto* times : {&graph_.sends_[0], &graph_.sends_[1]}) times->resize(first_send.back());
  for (auto* times : {&graph_.posts_[0], &graph_.posts_[1]}) times->resize(first_post.back());
  if (!problem_.empty()) return std::move(graph_);
  std::size_t wait = 0;
  for (Event& event : graph_.events_) {
    switch (event.kind) {
      case Event::Kind::compute:
        break;
      case Event::Kind::send:
        event.a += first_send[event.rank];
        graph_.sends_[0][event.a] = event.takes;
        break;
      case Event::Kind::post:
        event.a += first_post[event.rank];
        graph_.posts_[0][event.a] = event.takes;
        break;
      case Event::Kind::message:
      case Event::Kind::rendezvous: {
        const auto [from, to] = ends_of_waits_[wait++];
        renumber(event.a, event.is_a_before, first_send[from], ranks_[from].sends_before);
        if (event.kind == Event::Kind::rendezvous || event.copy > 0)
          renumber(event.b, event.is_b_before, first_post[to], ranks_[to].posts_before);
        break;
      }
    }
  }
  return std::move(graph_);
}

}  // namespace reprise::sim
