// SPDX-License-Identifier: MIT
// Messages numbered on both sides of a stream, and the times of those that are chosen (message_choice.hpp).
//
// Order    MPI lets no message overtake another of its stream (communicator, sender, receiver, tag), so a sender numbers messages as it
//          starts them. At the receiver the n-th message of a stream is matched by the n-th of those receives that match messages of
//          that stream, in the order in which they were posted, wildcards or not: were a receive posted before another and
//          matched a later message of the stream, it would have been there, free and suitable, when the earlier message
//          was matched. A matched probe counts as a receive posted and matched. So a receive of one stream is numbered when it is
//          posted, and how requests complete is of no account. One with a wildcard has a stream only when it is complete; until
//          then it and what was posted after it and might match a message that it might match wait in line (Waiting).
// Threads  two threads that send, or receive, on one stream have no order that we know: the stream is lost. So is one with a receive
//          that was cancelled after it was numbered. Calls that failed, were missed while recording was off, or that are not modelled may have
//          moved messages of any stream: then all messages of this rank are lost.
// Startall is taken to start requests in the order of its list, as both MPI libraries do.
// Cost     off: nothing is called. On: a hash look-up and a hash a message, no clock; two times of the call for those chosen.
// Memory   streams, see there; kMostSamples times on either side, then the share is halved; kMostWaiting receives in line.
// Locking  the caller holds the lock of handles.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "recorder/capture/communicators.hpp"
#include "recorder/capture/message_choice.hpp"
#include "recorder/capture/message_streams.hpp"

namespace reprise::recorder {

// One side of a message.
struct MessageSample {
  std::uint64_t stream = 0;
  std::uint32_t number = 0, hash = 0;
  std::uint64_t begin = 0,
                end = 0;    // ticks of the call that sent it, or that completed its receive
  std::uint64_t bytes = 0;  // kUnknownBytes on the receiver's side where the program did not ask
  std::uint64_t stay = 0;   // ticks: since when the thread was in MPI, but for short steps
  std::uint32_t site = 0;
  std::int32_t peer = 0;  // of MPI_COMM_WORLD
  bool tells_cost =
      false;  // the send is a plain MPI_Send; the receive is all that its call waited for
};
inline constexpr std::uint64_t kUnknownBytes = ~std::uint64_t{0};

// What a call did about a message that has to be remembered until its times are known. Kept by the thread (Description).
struct MessageNote {
  std::uint32_t ticket = 0;  // of a receive; kNone: `sample` is a send
  MessageSample sample;
};

// Of a call, in ticks that all threads and processes of a node have in common.
struct MessageCall {
  std::uint64_t begin = 0, end = 0, stay = 0;
  std::uint32_t site = 0;
  bool is_plain_send = false;
  bool waits_for_one = true;  // it completed one receive, and no large send
};

class MessageSampler {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  // In place of a ticket: a send under way.
  static constexpr std::uint32_t kSmallSend = kNone - 1, kLargeSend = kNone - 2;
  static constexpr std::uint32_t kFirstNoTicket = kLargeSend;
  static constexpr std::uint64_t kSmall = 4096;  // bytes that no library waits for a receiver with
  static constexpr std::size_t kMostSamples = std::size_t{1} << 18, kMostWaiting = 4096;
  static constexpr int kAny = -1;

  MessageSampler(const MessageChoice& choice, int rank, bool has_threads)
      : choice_(choice), rank_(rank), has_threads_(has_threads) {}

  // `thread`: whatever tells threads apart.
  void send(const CommunicatorInfo&, int dest, int tag, std::uint64_t bytes, const void* thread,
            std::vector<MessageNote>&);
  // A receive is posted; kAny for wildcards. Its ticket, to be given to complete() or drop().
  std::uint32_t post(const CommunicatorInfo&, int source, int tag, const void* thread);
  // It is complete: with what it matched (kAny: what it was posted for), or cancelled.
  void complete(std::uint32_t ticket, int source, int tag, std::uint64_t bytes,
                std::vector<MessageNote>&);
  void cancelled(std::uint32_t ticket);
  // Whether complete() needs to know what it matched.
  bool wants_status(std::uint32_t ticket) const {
    return ticket < kFirstNoTicket && (receives_[ticket].is_waiting || receives_[ticket].is_chosen);
  }
  // Nobody will ever know what it matched, or when.
  void drop(std::uint32_t ticket);

  // A persistent request: what a start of it is. Its number, for start() and forget().
  struct Persistent {
    const CommunicatorInfo* comm = nullptr;
    bool sends = false;
    int peer = 0, tag = 0;
    std::uint64_t bytes = 0;
    std::uint32_t ticket = kNone;  // of the receive under way
  };
  std::uint32_t keep(const Persistent&);
  Persistent& persistent(std::uint32_t number) { return persistent_[number]; }
  void start(std::uint32_t number, const void* thread, std::vector<MessageNote>&);
  void forget(std::uint32_t number);

  // The times of what a call has noted.
  void commit(const std::vector<MessageNote>&, const MessageCall&);
  void lose_everything() { is_lost_ = true; }

  // ------------------------------------------------------------------ when all is over
  const MessageChoice& choice() const { return choice_; }
  bool is_lost() const { return is_lost_; }
  std::uint64_t share() const { return share_; }
  std::uint64_t messages() const { return messages_; }    // sent, of those that could be chosen
  std::uint64_t uncounted() const { return uncounted_; }  // of streams that there was no room for
  std::uint64_t lost_streams() const { return sent_.lost() + received_.lost(); }
  // Of streams that are not lost, with hashes below `share`.
  std::vector<MessageSample> sends(std::uint64_t share) const;
  std::vector<MessageSample> receives(std::uint64_t share) const;

 private:
  struct Receive {
    const CommunicatorInfo* comm = nullptr;
    const void* thread = nullptr;
    int source = 0, tag = 0;  // kAny until it is complete
    bool is_waiting = false;  // in line
    bool is_chosen = false;
    bool is_complete = false, is_dropped = false;  // dropped: complete, but nobody wants its times
    MessageSample sample;
  };
  using Waiting = std::vector<std::uint32_t>;  // tickets, in the order of posting

  bool picks(std::uint64_t stream, std::uint32_t number, std::uint32_t hash) const;
  std::uint16_t number_of(const void* thread);
  bool note_thread(MessageStreams::Stream&, const void* thread);
  void number(Receive&);
  bool may_precede(const Receive& earlier, const Receive& later) const;
  bool is_held_up(const Waiting&, std::size_t end, const Receive&) const;
  void advance(std::uint64_t context);
  void finish(std::uint32_t ticket);
  std::uint32_t add(const Receive&);
  void release(std::uint32_t ticket);
  void keep_sample(std::vector<MessageSample>&, const MessageSample&);
  bool is_due(std::uint64_t begin);

  const MessageChoice choice_;
  const int rank_;
  const bool has_threads_;
  bool is_lost_ = false;
  std::uint64_t share_ = choice_.share;  // halved where there is no room
  MessageStreams sent_, received_;
  std::unordered_map<std::uint64_t, Waiting> waiting_;  // by context
  std::size_t waiting_count_ = 0;
  std::vector<Receive> receives_;
  std::vector<std::uint32_t> free_receives_, free_persistent_;
  std::vector<Persistent> persistent_;
  std::vector<const void*> threads_;
  std::vector<MessageSample> sent_samples_, received_samples_;
  std::uint64_t messages_ = 0, uncounted_ = 0;
  std::uint64_t due_ = 0, timers_ = 0;  // ticks; how often the timer has been set
};

}  // namespace reprise::recorder
