// SPDX-License-Identifier: MIT
#include "sim/engine/point_to_point/transport.hpp"

#include <algorithm>
#include <utility>

#include "sim/engine/tape/loop_tape.hpp"
#include "sim/network/pool.hpp"
#include "sim/site_text.hpp"
#include "sim/time_grid.hpp"
#include "trace-io/model/byte_counts.hpp"

namespace reprise::sim {

using trace_io::SendMode;

Transport::Transport(Runtime& runtime)
    : runtime_(runtime),
      paths_(runtime.paths()),
      requests_(runtime.requests()),
      mailboxes_(paths_.locations().size()),
      may_overtake_(paths_.may_overtake() || runtime.heads_wait()),
      heads_under_way_(may_overtake_ ? mailboxes_.size() : 0),
      held_(paths_.needs_ranks() ? mailboxes_.size() : 0) {}

void Transport::send(std::uint32_t index, double at) {
  const std::uint32_t sent = messages_.take();
  Message& message = messages_[sent];
  Request& request = requests_[index];
  const platforms::Mpi& mpi = paths_.between(request.me, request.peer);
  message = Message{};
  message.context = request.context;
  message.from = request.me;
  message.to = request.peer;
  message.tag = request.tag;
  message.bytes = request.bytes;
  message.site = request.site;
  message.issued = at;
  message.is_rendezvous =
      request.mode == SendMode::synchronous ||
      (request.mode != SendMode::ready && request.bytes.value > mpi.eager_limit.value);
  platforms::PathUse& use = paths_.use_between(message.from, message.to);
  use.sizes.add(message.bytes.value);
  if (request.mode != SendMode::synchronous && request.mode != SendMode::ready)
    use.by_limit.add(message.bytes.value);
  if (message.is_rendezvous) use.has_rendezvous = true;
  ++runtime_.actor(request.actor).sent;
  runtime_.note_sent(request.actor, request.me, request.peer, request.bytes);
  request.posted = at;
  const bool is_acknowledged = acknowledgement(message).value > 0;
  if ((message.is_rendezvous || is_acknowledged) && request.mode != SendMode::buffered) {
    request.partner_ready = at;
    request.state = Request::State::active;
    message.send = index;
  } else {
    request.state = Request::State::complete;
    request.done = request.partner_ready = at;
  }
  if (runtime_.path() != nullptr) [[unlikely]]
    note_posted({CriticalPath::Of::message, sent}, request);
  if (runtime_.tape() != nullptr) [[unlikely]]
    runtime_.tape()->sent(request.actor, sent, index, at, until_met(message));
  if (may_overtake_)
    heads_under_way_[static_cast<std::size_t>(message.from)].append(under_way(message, sent));
  const auto from = paths_.end(message.from), to = paths_.end(message.to);
  if (is_own_copy(message)) {
    use.has_copies = true;
    runtime_.post(at, NetworkEvent::message, sent);
  } else if (!message.is_rendezvous)
    runtime_.post(
        {from, to, message.bytes, Seconds{at}, Network::Head::kTravels, sent, message.to});
  else
    runtime_.post(at + until_met(message), NetworkEvent::message, sent);
  if (message.is_rendezvous && message.send == kNothing) message.send = keep_in_buffer(index);
}

// Making a request may move the others.
std::uint32_t Transport::keep_in_buffer(std::uint32_t sent) {
  const std::uint32_t kept = requests_.take();
  Request& request = requests_[kept] = requests_[sent];
  request.state = Request::State::active;
  request.is_persistent = false;
  request.is_orphan = true;
  buffered_[request.me].push_back(kept);
  return kept;
}

std::vector<std::uint32_t> Transport::take_buffered(std::int32_t rank) {
  const auto found = buffered_.find(rank);
  return found == buffered_.end() ? std::vector<std::uint32_t>() : std::exchange(found->second, {});
}

// How long a request to send is on its way: no time where none is sent; −1 of an eager message, which has none.
double Transport::until_met(const Message& message) const {
  if (!message.is_rendezvous) return -1;
  const platforms::Mpi& mpi = paths_.between(message.from, message.to);
  if (mpi.meets_at_once() || is_own_copy(message)) return 0;
  return (runtime_.latency(message.from, message.to, message.issued) *
          (mpi.rendezvous_handshake ? 1.0 : mpi.head_latency_factor(message.bytes)))
      .value;
}

void Transport::receive(std::uint32_t index, double at) {
  Request& request = requests_[index];
  request.state = Request::State::active;
  request.posted = at;
  request.message = kNothing;
  request.was_late = false;
  if (runtime_.path() != nullptr) [[unlikely]]
    note_posted({CriticalPath::Of::request, index}, request);
  if (runtime_.tape() != nullptr) [[unlikely]]
    runtime_.tape()->posted(request.actor, index, at);
  if (request.peer == kNeverComes) return;
  const int kind = request.context.is_collective() ? 1 : 0;
  if (kind == 0 && request.peer >= 0) runtime_.expect_send(request.me, request.peer);
  Mailbox& mailbox = mailboxes_[static_cast<std::size_t>(request.me)];
  const Pattern pattern{request.context, request.peer, request.tag};
  const std::uint32_t found = mailbox.unexpected[kind].take_message(pattern);
  if (found == kNothing) {
    mailbox.posted[kind].append({request.context, request.peer, request.tag, index});
    return;
  }
  request.was_late = !messages_[found].is_rendezvous && !messages_[found].is_expected;
  match(found, index, at);
}

void Transport::receive_claimed(std::uint32_t index, std::uint32_t message, double at) {
  requests_[index].state = Request::State::active;
  requests_[index].posted = at;
  if (runtime_.path() != nullptr) [[unlikely]]
    note_posted({CriticalPath::Of::request, index}, requests_[index]);
  if (runtime_.tape() != nullptr) [[unlikely]]
    runtime_.tape()->posted(requests_[index].actor, index, at);
  requests_[index].was_late = !messages_[message].is_rendezvous && !messages_[message].is_expected;
  match(message, index, at);
}

bool Transport::withdraw(std::uint32_t index) {
  Request& request = requests_[index];
  if (request.state != Request::State::active || request.message != kNothing) return false;
  mailboxes_[static_cast<std::size_t>(request.me)]
      .posted[request.context.is_collective() ? 1 : 0]
      .remove({request.context, request.peer, request.tag, index});
  return true;
}

std::uint32_t Transport::find_unexpected(std::int32_t rank, const Pattern& pattern) const {
  return mailboxes_[static_cast<std::size_t>(rank)].unexpected[0].find_message(pattern);
}

void Transport::find_unexpected(std::int32_t rank, const Pattern& pattern,
                                std::vector<std::uint32_t>& found) const {
  mailboxes_[static_cast<std::size_t>(rank)].unexpected[0].find_messages(pattern, found);
}

void Transport::claim(std::uint32_t index) {
  Message& message = messages_[index];
  message.is_claimed = true;
  mailboxes_[static_cast<std::size_t>(message.to)].unexpected[0].remove(
      {message.context, message.from, message.tag, index});
}

void Transport::watch(std::int32_t rank, const Pattern& pattern, std::uint32_t actor) {
  mailboxes_[static_cast<std::size_t>(rank)].probes.push_back({pattern, actor});
}

// Both have met: the later of the two was there at `at`.
void Transport::match(std::uint32_t index, std::uint32_t receive, double at) {
  Message& message = messages_[index];
  Request& request = requests_[receive];
  message.receive = receive;
  message.matched = at;
  request.message = index;
  request.sender = message.from;
  request.partner_ready = message.issued;
  request.received = message.bytes;
  if (runtime_.path() != nullptr) [[unlikely]]
    note_match(index, at);
  if (request.bytes < message.bytes && !message.context.is_collective()) {
    if (!may_cut_short() && !runtime_.were_sizes_left_out()) return truncate(message, request);
    request.received = request.bytes;
  }
  if (runtime_.tape() != nullptr) [[unlikely]]
    runtime_.tape()->matched(index, receive, at);
  if (message.is_rendezvous) {
    // A receive that is called now is inside MPI; one that was posted before may have left its rank alone.
    if (at == request.posted || !must_wait_for(message.to, message)) return answer(index, at);
    held_[static_cast<std::size_t>(message.to)].push_back(index);
    return;
  }
  if (!message.has_tail) return;
  request.state = Request::State::complete;
  request.done = at;
  if (runtime_.is_observed()) [[unlikely]]
    note_received(message, receive, at);
  messages_.give_back(index);
}

// Which messages were cut short is not in a trace, only that some were.
bool Transport::may_cut_short() const {
  const auto& losses = runtime_.trace().losses;
  return std::any_of(losses.begin(), losses.end(),
                     [](const trace_io::Loss& loss) { return loss.name == trace_io::kCutShort; });
}

// A replay of the recorded matches cannot cut a message short unless its matches differ.
void Transport::truncate(const Message& message, const Request& request) {
  if (runtime_.error()) return;
  const trace_io::Trace& trace = runtime_.trace();
  runtime_.fail({ReplayError::Kind::truncation,
                 "rank " + std::to_string(request.me) + " in " + call_text(trace, request.site),
                 "has room for " + std::to_string(request.bytes.value) +
                     " bytes, but the message that it matches has " +
                     std::to_string(message.bytes.value) + ": sent by rank " +
                     std::to_string(message.from) + " in " + call_text(trace, message.site) +
                     ", tag " + std::to_string(message.tag),
                 "the recorded program did not truncate it, so its messages matched differently; "
                 "`reprise trace check` lists the problems of the trace"});
}

bool Transport::must_wait_for(std::int32_t rank, const Message& message) const {
  return paths_.between(message.from, message.to).progress == platforms::Progress::kInCalls &&
         !runtime_.is_inside_mpi(rank);
}

// The receiver lets the payload come.
void Transport::answer(std::uint32_t index, double at) {
  Message& message = messages_[index];
  message.matched = at;
  message.is_answered = true;
  const auto from = paths_.end(message.from), to = paths_.end(message.to);
  const platforms::Mpi& mpi = paths_.between(message.from, message.to);
  if (is_own_copy(message))
    runtime_.post(at + on_grid(mpi.copy_time(message.bytes).value), NetworkEvent::clearance, index);
  else if (mpi.rendezvous_handshake)
    runtime_.post((Seconds{at} + runtime_.latency(message.to, message.from, at)).value,
                  NetworkEvent::clearance, index);
  else
    runtime_.post({from, to, message.bytes, Seconds{at},
                   mpi.meets_at_once() ? Network::Head::kTravels : Network::Head::kIsThere, index,
                   message.to});
}

void Transport::start_payload(std::uint32_t index) {
  const Message& message = messages_[index];
  runtime_.post({paths_.end(message.from), paths_.end(message.to), message.bytes,
                 Seconds{runtime_.now()}, Network::Head::kTravels, index, message.to});
}

void Transport::progress(std::int32_t rank) {
  auto& held = held_[static_cast<std::size_t>(rank)];
  for (const std::uint32_t index : held) {
    if (runtime_.path() != nullptr) [[unlikely]]
      note_progress(rank, index);
    if (messages_[index].is_answered)
      start_payload(index);
    else
      answer(index, runtime_.now());
  }
  held.clear();
}

void Transport::on_head(std::uint32_t index) {
  if (runtime_.path() != nullptr) [[unlikely]]
    note_head(index);
  if (!messages_[index].is_rendezvous) arrive_in_order(index);
}

void Transport::on_request_to_send(std::uint32_t index) {
  const bool is_eager = !messages_[index].is_rendezvous;  // a rank's own, copied already
  if (runtime_.path() != nullptr && !is_eager) [[unlikely]]
    note_request(index);
  arrive_in_order(index);
  if (is_eager) on_tail(index);
}

void Transport::on_clearance(std::uint32_t index) {
  const bool is_copied = is_own_copy(messages_[index]);
  if (runtime_.path() != nullptr) [[unlikely]]
    is_copied ? note_own_copy(index) : note_clearance(index);
  if (is_copied)
    on_tail(index);
  else if (must_wait_for(messages_[index].from, messages_[index]))
    held_[static_cast<std::size_t>(messages_[index].from)].push_back(index);
  else
    start_payload(index);
}

// By where it goes: its tag does not matter for the order.
MatchEntry Transport::under_way(const Message& message, std::uint32_t index) {
  return {message.context, message.to, 0, index};
}

void Transport::arrive_in_order(std::uint32_t index) {
  if (!may_overtake_) return arrive(index);
  messages_[index].has_head = true;
  // Those of the sender's to the same place that are on the way, in order: each may be met once those before it are there.
  const MatchEntry entry = under_way(messages_[index], index);
  MatchQueue& queue = heads_under_way_[static_cast<std::size_t>(messages_[index].from)];
  for (;;) {
    const std::uint32_t first = queue.find_hashed(entry.pattern());
    if (first == kNothing || !messages_[first].has_head) return;
    queue.take_message(entry.pattern());
    arrive(first);
  }
}

void Transport::arrive(std::uint32_t index) {
  Message& message = messages_[index];
  message.has_head = true;
  message.arrived = runtime_.now();
  if (runtime_.path() != nullptr) [[unlikely]]
    note_arrival(index);
  if (runtime_.tape() != nullptr) [[unlikely]]
    runtime_.tape()->reached(index, message.arrived);
  const int kind = message.context.is_collective() ? 1 : 0;
  Mailbox& mailbox = mailboxes_[static_cast<std::size_t>(message.to)];
  const std::uint32_t receive =
      mailbox.posted[kind].take_for_message(message.context, message.from, message.tag);
  if (receive != kNothing) {
    // A rank that runs ahead of the network posts receives that are later than the message.
    if (runtime_.waits() != nullptr && kind == 0) [[unlikely]]
      note_order(index, receive);
    requests_[receive].was_late =
        !message.is_rendezvous && message.arrived < requests_[receive].posted;
    match(index, receive, std::max(runtime_.now(), requests_[receive].posted));
    if (requests_[receive].state == Request::State::complete) complete(receive);
    return;
  }
  mailbox.unexpected[kind].append({message.context, message.from, message.tag, index});
  if (mailbox.probes.empty() || kind == 1) return;
  const auto watching =
      std::find_if(mailbox.probes.begin(), mailbox.probes.end(), [&](const Mailbox::Watch& watch) {
        const Pattern& pattern = watch.pattern;
        return pattern.context == message.context &&
               (pattern.peer == kAnyPeer || pattern.peer == message.from) &&
               (pattern.tag == kAnyTagValue || pattern.tag == message.tag);
      });
  if (watching == mailbox.probes.end()) return;
  const std::uint32_t actor = watching->actor;
  mailbox.probes.erase(watching);
  probes_->on_probed(actor, index);
}

void Transport::on_tail(std::uint32_t index) {
  Message& message = messages_[index];
  message.has_tail = true;
  const std::uint32_t send = message.send, receive = message.receive;
  const bool is_buffered = send != kNothing && requests_[send].mode == SendMode::buffered;
  const Seconds acknowledged_in = is_buffered ? Seconds{} : acknowledgement(message);
  if (send != kNothing && message.is_rendezvous) requests_[send].partner_ready = message.matched;
  message.send = kNothing;
  if (runtime_.path() != nullptr) [[unlikely]]
    note_tail(index, send);
  const double now = runtime_.now();
  if (runtime_.tape() != nullptr) [[unlikely]]
    runtime_.tape()->arrived(index, now);
  if (receive != kNothing && runtime_.is_observed()) [[unlikely]]
    note_received(message, receive, std::max(now, requests_[receive].posted));
  if (receive != kNothing) messages_.give_back(index);
  if (send != kNothing) complete_send(send, acknowledged_in);
  if (receive == kNothing) return;  // unexpected, or overtook: its receive takes it as it is
  requests_[receive].done = std::max(now, requests_[receive].posted);
  complete(receive);
}

void Transport::complete_send(std::uint32_t send, Seconds acknowledgement) {
  if (acknowledgement.value > 0)
    runtime_.post(runtime_.now() + on_grid(acknowledgement.value), NetworkEvent::acknowledgement,
                  send);
  else
    on_acknowledgement(send);
}

void Transport::on_acknowledgement(std::uint32_t send) {
  const Request& request = requests_[send];
  requests_[send].done = runtime_.now();
  if (runtime_.path() != nullptr) [[unlikely]]
    note_acknowledged(send);
  if (request.mode == SendMode::buffered && request.is_orphan)
    std::erase(buffered_[request.me], send);
  complete(send);
}

void Transport::complete(std::uint32_t index) {
  requests_[index].state = Request::State::complete;
  runtime_.complete(index);
}

}  // namespace reprise::sim
