// SPDX-License-Identifier: MIT
// Messages of a timeline matched as MPI matches them, so that each becomes one line of communication.
//
// A channel is (communicator, sender, receiver, tag), in world ranks: its sends and receives meet in their order. A receive counts when
// it is complete: then its sender and tag are known.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <tuple>

namespace reprise::sim {

class MessageMatches {
 public:
  using Channel = std::tuple<std::int64_t, std::int32_t, std::int32_t, std::int64_t>;
  struct Send {
    std::uint64_t place;  // of its line
    std::int64_t begin, end, bytes;
  };
  struct Receive {
    std::int64_t posted, completed;  // ns
  };

  // Each calls matched(Send, Receive) if its partner is there already.
  template <class Matched>
  void send(const Channel& channel, Send send, const Matched& matched) {
    Queues& queues = channels_[channel];
    if (queues.receives.empty()) return queues.sends.push_back(send);
    matched(send, queues.receives.front());
    queues.receives.pop_front();
    forget(channel, queues);
  }
  template <class Matched>
  void receive(const Channel& channel, Receive receive, const Matched& matched) {
    Queues& queues = channels_[channel];
    if (queues.sends.empty()) return queues.receives.push_back(receive);
    matched(queues.sends.front(), receive);
    queues.sends.pop_front();
    forget(channel, queues);
  }

 private:
  struct Queues {
    std::deque<Send> sends;
    std::deque<Receive> receives;
  };
  void forget(const Channel& channel, const Queues& queues) {
    if (queues.sends.empty() && queues.receives.empty()) channels_.erase(channel);
  }
  std::map<Channel, Queues> channels_;
};

}  // namespace reprise::sim
