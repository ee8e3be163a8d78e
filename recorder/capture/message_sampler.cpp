// SPDX-License-Identifier: MIT
#include "recorder/capture/message_sampler.hpp"

#include <algorithm>
#include <iterator>

namespace reprise::recorder {
namespace {

using trace_io::MessageMode;

bool may_be_equal(int a, int b) {
  return a == b || a == MessageSampler::kAny || b == MessageSampler::kAny;
}

}  // namespace

bool MessageSampler::picks(std::uint64_t stream, std::uint32_t number, std::uint32_t hash) const {
  return hash < share_ &&
         (choice_.mode != MessageMode::counter || counts_out(choice_, stream, number));
}

std::uint16_t MessageSampler::number_of(const void* thread) {
  auto at = std::find(threads_.begin(), threads_.end(), thread);
  if (at == threads_.end()) {
    threads_.push_back(thread);
    at = std::prev(threads_.end());
  }
  return static_cast<std::uint16_t>(1 + (at - threads_.begin()) % 0xffff);
}

// Whether the thread is the only one on the stream.
bool MessageSampler::note_thread(MessageStreams::Stream& stream, const void* thread) {
  if (!has_threads_) return true;
  const std::uint16_t mine = number_of(thread);
  if (stream.thread == 0) stream.thread = mine;
  if (stream.thread != mine) stream.is_lost = true;
  return !stream.is_lost;
}

// ------------------------------------------------------------------ sends
void MessageSampler::send(const CommunicatorInfo& comm, int dest, int tag, std::uint64_t bytes,
                          const void* thread, std::vector<MessageNote>& notes) {
  if (!comm.modelled || dest < 0 || dest >= comm.peers) return;
  const int peer = comm.world_rank(dest);
  MessageSample sample;
  sample.stream = stream_id(comm.context, rank_, peer, tag);
  MessageStreams::Stream* const stream = sent_.of(sample.stream);
  if (stream == nullptr) {
    ++uncounted_;
    return;
  }
  sample.number = stream->next++;
  if (!note_thread(*stream, thread)) return;
  sample.hash = message_hash(sample.stream, sample.number);
  if (!choice_.is_of_size(bytes)) return;
  ++messages_;
  if (!picks(sample.stream, sample.number, sample.hash)) return;
  sample.bytes = bytes;
  sample.peer = peer;
  notes.push_back({kNone, sample});
}

// The timer of the sends: `begin` is this call's.
bool MessageSampler::is_due(std::uint64_t begin) {
  if (choice_.mode != MessageMode::timer) return true;
  if (begin < due_) return false;
  const std::uint64_t jitter =
      trace_io::mixed_bits(++timers_ * trace_io::kHashMultiplier) % (2 * choice_.variance + 1);
  due_ = begin + choice_.period - choice_.variance + jitter;
  return true;
}

// ------------------------------------------------------------------ receives
std::uint32_t MessageSampler::add(const Receive& receive) {
  if (free_receives_.empty()) {
    receives_.push_back(receive);
    return static_cast<std::uint32_t>(receives_.size() - 1);
  }
  const std::uint32_t ticket = free_receives_.back();
  free_receives_.pop_back();
  receives_[ticket] = receive;
  return ticket;
}

void MessageSampler::release(std::uint32_t ticket) { free_receives_.push_back(ticket); }

// Whether a message that `later` may match might be one that `earlier` may match: then `earlier` comes first.
bool MessageSampler::may_precede(const Receive& earlier, const Receive& later) const {
  return (!has_threads_ || earlier.thread == later.thread) &&
         may_be_equal(earlier.source, later.source) && may_be_equal(earlier.tag, later.tag);
}

bool MessageSampler::is_held_up(const Waiting& line, std::size_t end,
                                const Receive& receive) const {
  for (std::size_t i = 0; i < end; ++i)
    if (may_precede(receives_[line[i]], receive)) return true;
  return false;
}

std::uint32_t MessageSampler::post(const CommunicatorInfo& comm, int source, int tag,
                                   const void* thread) {
  if (!comm.modelled || source >= comm.peers) return kNone;
  Receive receive;
  receive.comm = &comm;
  receive.thread = thread;
  receive.source = source;
  receive.tag = tag;
  const bool is_wild = source == kAny || tag == kAny;
  if (!is_wild && waiting_count_ == 0) {
    number(receive);
    return add(receive);
  }
  Waiting& line = waiting_[comm.context];
  if (!is_wild && !is_held_up(line, line.size(), receive)) {
    number(receive);
    return add(receive);
  }
  if (line.size() >= kMostWaiting) {
    lose_everything();
    return kNone;
  }
  receive.is_waiting = true;
  const std::uint32_t ticket = add(receive);
  line.push_back(ticket);
  ++waiting_count_;
  return ticket;
}

// REQUIRES: its source and tag are known, and all that precede it have their numbers.
void MessageSampler::number(Receive& receive) {
  const int peer = receive.comm->world_rank(receive.source);
  MessageSample& sample = receive.sample;
  sample.stream = stream_id(receive.comm->context, peer, rank_, receive.tag);
  sample.peer = peer;
  receive.is_chosen = false;
  MessageStreams::Stream* const stream = received_.of(sample.stream);
  if (stream == nullptr) {
    ++uncounted_;
    return;
  }
  sample.number = stream->next++;
  if (!note_thread(*stream, receive.thread)) return;
  sample.hash = message_hash(sample.stream, sample.number);
  receive.is_chosen = picks(sample.stream, sample.number, sample.hash);
}

void MessageSampler::complete(std::uint32_t ticket, int source, int tag, std::uint64_t bytes,
                              std::vector<MessageNote>& notes) {
  if (ticket >= kFirstNoTicket) return;
  Receive& receive = receives_[ticket];
  if (!receive.is_waiting && !receive.is_chosen) return release(ticket);
  if (source != kAny) receive.source = source;
  if (tag != kAny) receive.tag = tag;
  if (receive.source < 0 || receive.source >= receive.comm->peers || receive.tag < 0)
    return drop(ticket);  // of nobody
  receive.sample.bytes = bytes;
  notes.push_back({ticket, {}});
}

void MessageSampler::cancelled(std::uint32_t ticket) {
  if (ticket >= kFirstNoTicket) return;
  Receive& receive = receives_[ticket];
  if (receive.is_waiting) {
    Waiting& line = waiting_[receive.comm->context];
    line.erase(std::find(line.begin(), line.end(), ticket));
    --waiting_count_;
    advance(receive.comm->context);
  } else if (MessageStreams::Stream* const stream = received_.of(receive.sample.stream)) {
    stream->is_lost = true;  // it was counted
  }
  release(ticket);
}

void MessageSampler::drop(std::uint32_t ticket) {
  if (ticket >= kFirstNoTicket) return;
  Receive& receive = receives_[ticket];
  if (!receive.is_waiting) return release(ticket);
  if (receive.source == kAny || receive.tag == kAny) return lose_everything();
  receive.is_complete = receive.is_dropped = true;
  advance(receive.comm->context);
}

// What is in line gets its number where nothing before it may precede it.
void MessageSampler::advance(std::uint64_t context) {
  Waiting& line = waiting_[context];
  std::size_t kept = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::uint32_t ticket = line[i];
    Receive& receive = receives_[ticket];
    const bool is_wild = receive.source == kAny || receive.tag == kAny;
    if (is_wild || is_held_up(line, kept, receive)) {
      line[kept++] = ticket;
      if (receive.source == kAny && receive.tag == kAny && !has_threads_) {
        while (++i < line.size()) line[kept++] = line[i];  // it holds up everything
        break;
      }
      continue;
    }
    receive.is_waiting = false;
    --waiting_count_;
    number(receive);
    if (receive.is_complete) finish(ticket);
  }
  line.resize(kept);
}

// Numbered and complete.
void MessageSampler::finish(std::uint32_t ticket) {
  const Receive& receive = receives_[ticket];
  if (receive.is_chosen && !receive.is_dropped) keep_sample(received_samples_, receive.sample);
  release(ticket);
}

// ------------------------------------------------------------------ persistent requests
std::uint32_t MessageSampler::keep(const Persistent& persistent) {
  if (free_persistent_.empty()) {
    persistent_.push_back(persistent);
    return static_cast<std::uint32_t>(persistent_.size() - 1);
  }
  const std::uint32_t number = free_persistent_.back();
  free_persistent_.pop_back();
  persistent_[number] = persistent;
  return number;
}

void MessageSampler::start(std::uint32_t number, const void* thread,
                           std::vector<MessageNote>& notes) {
  if (number >= kFirstNoTicket) return;
  Persistent& started = persistent_[number];
  if (started.sends)
    send(*started.comm, started.peer, started.tag, started.bytes, thread, notes);
  else
    started.ticket = post(*started.comm, started.peer, started.tag, thread);
}

void MessageSampler::forget(std::uint32_t number) {
  if (number >= kFirstNoTicket) return;
  drop(persistent_[number].ticket);
  persistent_[number] = {};
  free_persistent_.push_back(number);
}

// ------------------------------------------------------------------ times
void MessageSampler::keep_sample(std::vector<MessageSample>& samples, const MessageSample& sample) {
  if (sample.hash >= share_) return;
  if (sample.bytes != kUnknownBytes && !choice_.is_of_size(sample.bytes)) return;
  samples.push_back(sample);
  if (samples.size() < kMostSamples) return;
  share_ /= 2;
  for (auto* all : {&sent_samples_, &received_samples_})
    std::erase_if(*all, [&](const MessageSample& one) { return one.hash >= share_; });
}

void MessageSampler::commit(const std::vector<MessageNote>& notes, const MessageCall& call) {
  for (const MessageNote& note : notes) {
    MessageSample sample = note.ticket == kNone ? note.sample : receives_[note.ticket].sample;
    sample.begin = call.begin;
    sample.end = call.end;
    sample.stay = std::min(call.stay, call.begin);
    sample.site = call.site;
    sample.tells_cost = note.ticket == kNone ? call.is_plain_send : call.waits_for_one;
    if (note.ticket == kNone) {
      if (is_due(call.begin)) keep_sample(sent_samples_, sample);
      continue;
    }
    Receive& receive = receives_[note.ticket];
    receive.sample = sample;
    receive.is_complete = true;
    if (!receive.is_waiting) finish(note.ticket);
  }
  for (const MessageNote& note : notes)
    if (note.ticket != kNone && receives_[note.ticket].is_waiting) {
      const Waiting& line = waiting_[receives_[note.ticket].comm->context];
      const auto place =
          static_cast<std::size_t>(std::find(line.begin(), line.end(), note.ticket) - line.begin());
      if (place < line.size() && !is_held_up(line, place, receives_[note.ticket]))
        advance(receives_[note.ticket].comm->context);
    }
}

namespace {

std::vector<MessageSample> those_of(const std::vector<MessageSample>& samples,
                                    const MessageStreams& streams, std::uint64_t share) {
  std::vector<MessageSample> kept;
  std::copy_if(samples.begin(), samples.end(), std::back_inserter(kept), [&](const auto& sample) {
    return sample.hash < share && !streams.is_lost(sample.stream);
  });
  return kept;
}

}  // namespace

std::vector<MessageSample> MessageSampler::sends(std::uint64_t share) const {
  return is_lost_ ? std::vector<MessageSample>{} : those_of(sent_samples_, sent_, share);
}
std::vector<MessageSample> MessageSampler::receives(std::uint64_t share) const {
  return is_lost_ ? std::vector<MessageSample>{} : those_of(received_samples_, received_, share);
}

}  // namespace reprise::recorder
