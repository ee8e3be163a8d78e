// SPDX-License-Identifier: MIT
// What messages and receives are matched by: MPI 3.1 §3.2.4 and §3.5.
#pragma once

#include <cstdint>

#include "sim/engine/loop/request.hpp"

namespace reprise::sim {

// A posted receive, or a message that nobody has received yet.
struct MatchEntry;

// What a receive or a probe looks for.
struct Pattern {
  Context context;
  std::int32_t peer = kAnyPeer, tag = kAnyTagValue;
  bool is_wild() const { return peer == kAnyPeer || tag == kAnyTagValue; }
  bool covers(Context of, std::int32_t from, std::int32_t with) const {
    return context == of && (peer == from || peer == kAnyPeer) &&
           (tag == with || tag == kAnyTagValue);
  }
  bool covers(const MatchEntry& message) const;
};

struct MatchEntry {
  Context context;
  std::int32_t peer = 0, tag = 0;  // of a posted receive possibly wild, of a message never
  std::uint32_t id = 0;
  Pattern pattern() const { return {context, peer, tag}; }
};

inline bool Pattern::covers(const MatchEntry& message) const {
  return covers(message.context, message.peer, message.tag);
}

}  // namespace reprise::sim
