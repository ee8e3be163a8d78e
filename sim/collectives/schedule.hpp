// SPDX-License-Identifier: MIT
// What a collective operation does, as messages: pure functions from (who I am, what is asked, round) to the round's steps.
//
// Rounds  a member carries out rounds 0, 1, 2 … one after the other until there is none. In a round it starts its steps in order
//         (sends and receives, none waits for another), then waits for all of them. A round may be empty.
// State   none: a round is computed from its number, in O(its steps). Nothing is stored per member, whatever the size.
// Pairs   between two members, sends and receives pair up in the order in which they are started.
// Members are numbered 0 … size−1 as in the communicator; on an intercommunicator the own group comes first, and member
//         size + r is rank r of the remote group.
// Time    combining received data costs nothing here: a trace does not say how fast an operator is.
// Blocks  say which part of the data a step moves; tests/physics/collective_symbols.hpp executes schedules on symbols by them
//         and proves that everyone ends up with what MPI promises. The replay looks at peers and bytes only.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "trace-io/base/quantity.hpp"
#include "trace-io/model/procedure.hpp"

namespace reprise::sim {

// One member's view of one collective operation.
struct CollectiveCall {
  trace_io::Collective operation = trace_io::Collective::none;
  std::int32_t rank = 0, size = 1;  // in the own group
  std::int32_t remote_size = 0;     // of the other group of an intercommunicator
  std::uint32_t group = 0;          // which of an intercommunicator's groups is the own one
  // Rooted operations: the root's rank; in an intercommunicator counted in the root's group.
  std::int32_t root = 0;
  enum class Side : std::uint8_t { root, with_root, opposite };  // on an intercommunicator: who I am to the root
  Side side = Side::opposite;
  // bcast, reductions: the whole argument. Operations with one block per member: one block. v- and w-variants: what a member
  // that has no list sends or receives.
  Bytes bytes;
  Bytes receive_bytes;  // allgather-like and alltoall-like operations: one block received (intercommunicators may differ)
  std::span<const std::int64_t> send_list, receive_list;  // bytes per member (remote member), or per neighbour
  std::span<const std::int32_t> sources, destinations;    // neighbourhoods: members, kNobody where there is none
  bool commutes = true;

  static constexpr std::int32_t kNobody = -1;
};

struct Step {
  enum class Kind : std::uint8_t { send, receive, combine };  // combine: receive and reduce into what is there
  enum class Buffer : std::uint8_t { input, work };
  Kind kind = Kind::send;
  std::int32_t peer = 0;
  Bytes bytes;
  // Blocks first … first + count − 1, modulo the number of blocks; of the input or of what has been worked out so far.
  Buffer from = Buffer::work;
  std::int32_t first = 0, count = 1;
  std::int32_t also = -1;  // combine: a second block into which the same data goes
};
using Steps = std::vector<Step>;

// Appends the steps of a round to `steps`; false where the member has no such round (and none after it).
using Schedule = bool (*)(const CollectiveCall&, std::uint32_t round, Steps& steps);

struct Algorithm {
  trace_io::Collective operation;
  bool on_intercommunicators;
  std::string_view name;  // "binomial"
  Schedule schedule;
};

// Every algorithm there is; the first of an operation is what replays use.
std::span<const Algorithm> algorithms();
// REQUIRES: the operation exists on that kind of communicator (not: scan, exscan, neighbourhoods between groups).
Schedule default_schedule(trace_io::Collective, bool on_intercommunicator);

}  // namespace reprise::sim
