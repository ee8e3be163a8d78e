// SPDX-License-Identifier: MIT
// What is under way: an MPI request, a blocking call's own, or a collective's step.
//
// Requests live in a pool and are addressed by index. Ranks are world ranks; times are simulated seconds.
#pragma once

#include <cstdint>

#include "trace-io/base/quantity.hpp"
#include "trace-io/model/event.hpp"
#include "trace-io/model/procedure.hpp"

namespace reprise::sim {

inline constexpr std::uint32_t kNothing = ~std::uint32_t{0};

// Where messages can meet: a communicator, twice (point-to-point, collectives).
struct Context {
  std::uint32_t value = 0;
  static Context point_to_point(std::uint32_t communicator) { return {2 * communicator}; }
  static Context collective(std::uint32_t communicator) { return {2 * communicator + 1}; }
  bool is_collective() const { return value % 2 == 1; }
  std::uint32_t communicator() const { return value / 2; }
  friend bool operator==(Context, Context) = default;
};

// Peers and tags of receives that are not a plain number. A receive from kNeverComes was cancelled when it was recorded.
inline constexpr std::int32_t kAnyPeer = -1, kNullPeer = -2, kNeverComes = -3;
inline constexpr std::int32_t kAnyTagValue = -1;

struct Request {
  enum class Kind : std::uint8_t {
    send,
    receive,
    collective,
    one_sided
  };  // one_sided: also what a rank does with a file alone
  enum class State : std::uint8_t {
    inactive,
    active,
    complete
  };  // inactive: persistent, not started
  Kind kind = Kind::send;
  State state = State::active;
  trace_io::SendMode mode = trace_io::SendMode::standard;
  bool is_persistent = false;
  bool is_awaited = false;  // its actor is blocked and counts on it
  bool is_orphan = false;   // freed while active: goes when it completes
  std::uint8_t combines =
      0;  // a collective's receive: how often its data is combined with other data
  std::uint32_t actor = 0;   // who made it
  std::uint32_t waiter = 0;  // who awaits it
  bool was_late = false;     // a receive that found its eager message waiting: MPI has to copy it
  trace_io::SiteId site = trace_io::kNoSite;  // of the call that made it
  std::uint32_t run = kNothing;               // the collective run that it is a step of
  std::uint32_t file_access = kNothing;       // that it stands for
  std::uint32_t message = kNothing;           // of a receive: the one matched
  Context context;
  std::int32_t me = 0, peer = 0, tag = 0;
  std::int32_t sender = 0;   // of a matched receive
  Bytes bytes;               // sent, or room to receive
  Bytes received;            // of a matched receive
  double posted = 0;         // when the call was made
  double partner_ready = 0;  // when the other side had done its part: sent, or posted the receive
  double done = 0;           // when it completed
};

}  // namespace reprise::sim
