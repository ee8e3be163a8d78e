// SPDX-License-Identifier: MIT
// What a collective operation does, as messages: pure functions from (who I am, what is asked, round) to the round's steps.
//
// Rounds  a member carries out rounds 0, 1, 2 … one after the other until there is none. In a round it starts its steps in order
//         (sends and receives, none waits for another), then waits for all of them. A round may be empty.
// State   none: a round is computed from its number, in O(its steps + log members). Nothing is stored per member, whatever the
//         size. Some algorithms are others in stages (reduce, then bcast); a member's Position then counts both.
// Pairs   between two members, sends and receives pair up in the order in which they are started.
// Members are numbered 0 … size−1 as in the communicator; on an intercommunicator the own group comes first, and member
//         size + r is rank r of the remote group.
// Blocks  say which part of the data a step moves: elements in bcast, reduce and allreduce, whole vectors in scans, members' blocks
//         in the rest. tests/physics/collective_symbols.hpp executes schedules on symbols by them and proves that everyone ends up
//         with what MPI promises. The replay looks at peers and bytes only, and at the combining of what a step received.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "trace-io/base/quantity.hpp"
#include "trace-io/model/procedure.hpp"

namespace reprise::sim {

class NodeMap;
class Chooser;

// One member's view of one collective operation.
struct CollectiveCall {
  trace_io::Collective operation = trace_io::Collective::none;
  std::int32_t rank = 0, size = 1;  // in the own group
  std::int32_t remote_size = 0;     // of the other group of an intercommunicator
  std::uint32_t group = 0;          // which of an intercommunicator's groups is the own one
  // Rooted operations: the root's rank; in an intercommunicator counted in the root's group.
  std::int32_t root = 0;
  enum class Side : std::uint8_t {
    root,
    with_root,
    opposite
  };  // on an intercommunicator: who I am to the root
  Side side = Side::opposite;
  // bcast, reductions: the whole argument. Operations with one block per member: one block. v- and w-variants: what a member
  // that has no list sends or receives.
  Bytes bytes;
  Bytes
      receive_bytes;  // allgather-like and alltoall-like operations: one block received (intercommunicators may differ)
  std::span<const std::int64_t> send_list,
      receive_list;  // bytes per member (remote member), or per neighbour
  std::span<const std::int32_t> sources,
      destinations;  // neighbourhoods: members, kNobody where there is none
  bool commutes = true;
  bool is_in_place = false;  // the own share lies where it belongs already
  Bytes element_bytes{1};    // what an algorithm may not cut

  // How the algorithm is tuned.
  Bytes segment;  // pipelines: the data goes in pieces of this size; 0: as a whole
  std::int32_t fanout =
      0;  // trees: children per node; exchanges: messages under way at once; 0: the algorithm's own
  const NodeMap* nodes = nullptr;    // who shares a node; null: nobody is asked
  const Chooser* chooser = nullptr;  // of the algorithms of stages; null: the first that there is

  static constexpr std::int32_t kNobody = -1;
};

struct Step {
  enum class Kind : std::uint8_t {
    send,
    receive,
    combine
  };  // combine: receive and reduce into what is there
  enum class Buffer : std::uint8_t { input, work };
  Kind kind = Kind::send;
  std::int32_t peer = 0;
  Bytes bytes;
  // Blocks first … first + count − 1, modulo the number of blocks; of the input or of what has been worked out so far.
  Buffer from = Buffer::work;
  std::int64_t first = 0, count = 1;
  std::int32_t also = -1;  // combine: a second block into which the same data goes
  std::int8_t bit = -1;    // of the blocks first + i only those whose i has this bit set
};
using Steps = std::vector<Step>;

// Appends the steps of a round to `steps`; false where the member has no such round (and none after it).
using Schedule = bool (*)(const CollectiveCall&, std::uint32_t round, Steps& steps);

struct Algorithm;

// A part of an algorithm that is itself one, among some of the members.
struct Stage {
  CollectiveCall call;
  const Algorithm* algorithm = nullptr;   // null: this member has no part in the stage
  std::span<const std::int32_t> members;  // by rank in the stage; empty: everyone, as they are
};
// The stage of that number; false where there is none (and none after it). The same number of stages for every member.
using Stages = bool (*)(const CollectiveCall&, std::uint32_t number, Stage&);

// Where an algorithm plays another one of its operation, from the first step to the last.
struct Fallback {
  bool (*holds)(const CollectiveCall&);
  std::string_view algorithm;  // that is played
  std::string_view reason;     // "fewer elements than ranks"
  std::string_view library;    // that does the same: "Open MPI"; empty: none
  bool keeps_tuning = false;   // the other one takes segment and fan-out
};

struct Algorithm {
  trace_io::Collective operation;
  bool on_intercommunicators;
  std::string_view name;  // "binomial"
  Schedule schedule;      // null where there are stages
  Stages stages = nullptr;
  bool only_commuting = false;  // reductions: may combine operands in any order
  const Fallback* fallback = nullptr;
};

// Where a member stands in an algorithm.
struct Position {
  static constexpr std::size_t kDepth = 4;  // stages in stages
  std::array<std::uint32_t, kDepth> stage{};
  std::uint32_t round = 0;
};

// Appends the steps of the member's next round; false where there is none.
bool next_round(const Algorithm&, const CollectiveCall&, Position&, Steps&);

// Every algorithm there is; the first of an operation is the simple one.
std::span<const Algorithm> algorithms();
// Null where there is none of that name.
const Algorithm* find_algorithm(trace_io::Collective, bool on_intercommunicator,
                                std::string_view name);
// REQUIRES: the operation exists on that kind of communicator (not: scan, exscan, neighbourhoods between groups).
const Algorithm& simple_algorithm(trace_io::Collective, bool on_intercommunicator);

// An algorithm and how it is tuned.
struct Choice {
  const Algorithm* algorithm = nullptr;
  Bytes segment;
  std::int32_t fanout = 0;
  const Algorithm* asked = nullptr;  // what a rule of the platform names; null: the library decides
};

class Chooser {
 public:
  virtual ~Chooser() = default;
  // Depends on nothing that members may see differently: operation, size, bytes, element, order, nodes.
  virtual Choice choose(const CollectiveCall&) const = 0;
};

}  // namespace reprise::sim
