// SPDX-License-Identifier: MIT
// Which links hold messages back, and for how long each: where what a message waits for others is put down.
//
// Rates   a flow that has the rate r where it could have R alone loses (1 - r/R) dt, to the link at which the network says that it is held back.
// Waits   where links serve messages one after the other: what a message waits for a link.
// Crowds  no rates are reported; the link that holds a flow back at its end counts for the flow's whole time.
// Bounds  four links a message; of more, the one that counts least goes into the next.
// Cost    O(1) a change of a rate. Memory 96 bytes a message under way.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/network/flow_observer.hpp"

namespace reprise::sim {

class HeldBack {
 public:
  using Link = platforms::LinkIndex;
  static constexpr Link kNoLink = FlowObserver::kNoLink;
  struct Part {
    Link link = kNoLink;
    double seconds = 0;
  };

  void begin(std::uint32_t message, double now) {
    Message& one = at(message);
    one = {};
    one.since = now;
  }
  // From NOW on it has LOST of its time, a share, to LINK.
  void rate(std::uint32_t message, double now, double lost, Link link) {
    Message& one = at(message);
    add(one, one.by, one.lost * (now - one.since));
    one.since = now;
    one.lost = lost;
    one.by = link;
  }
  void wait(std::uint32_t message, Link link, double seconds) { add(at(message), link, seconds); }
  void end(std::uint32_t message, double now, Link link, bool is_crowd) {
    Message& one = at(message);
    add(one, is_crowd ? link : one.by, (is_crowd ? 1 : one.lost) * (now - one.since));
    one.since = now;
    one.lost = 0;
  }
  // In no order; none where it was never held back. They are forgotten with the next call of forget() or begin().
  std::span<const Part> parts(std::uint32_t message) const {
    if (message >= messages_.size()) return {};
    return std::span(messages_[message].parts).first(messages_[message].count);
  }
  void forget(std::uint32_t message) {
    if (message < messages_.size()) messages_[message].count = 0;
  }
  void clear() { messages_.clear(); }

 private:
  struct Message {
    std::array<Part, 4> parts{};
    std::uint32_t count = 0;
    Link by = kNoLink;
    double since = 0, lost = 0;
  };
  Message& at(std::uint32_t message) {
    if (messages_.size() <= message)
      messages_.resize(std::max<std::size_t>(message + std::size_t{1}, 2 * messages_.size()));
    return messages_[message];
  }
  static void add(Message& one, Link link, double seconds) {
    if (seconds <= 0 || link == kNoLink) return;
    for (Part& part : std::span(one.parts).first(one.count))
      if (part.link == link) {
        part.seconds += seconds;
        return;
      }
    if (one.count < one.parts.size()) {
      one.parts[one.count++] = {link, seconds};
      return;
    }
    Part& least = *std::ranges::min_element(one.parts, {}, &Part::seconds);
    least = {link, least.seconds + seconds};
  }

  std::vector<Message> messages_;
};

}  // namespace reprise::sim
