// SPDX-License-Identifier: MIT
// Algorithms made of others: a reduction and what spreads its result; two levels, inside nodes and between their leaders.
//
// Not overlapping: Open MPI 4.1.4, coll_base_allreduce.c, coll_base_reduce_scatter.c, coll_base_reduce_scatter_block.c.
// Two levels: MPICH 4.0.2, src/mpi/coll/*/*_intra_smp.c and src/mpid/ch4/src/ch4_coll_impl.h (compositions alpha). There a reduction
// inside the root's node comes last and ends at the root; here it ends at the node's leader, which passes the result to the root.
#include "sim/collectives/node_map.hpp"
#include "sim/collectives/parts.hpp"
#include "sim/collectives/schedules.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

using Side = CollectiveCall::Side;
using trace_io::Collective;

void choose(Stage& stage) {
  if (stage.call.chooser == nullptr) {
    stage.algorithm = &simple_algorithm(stage.call.operation, false);
    return;
  }
  const Choice choice = stage.call.chooser->choose(stage.call);
  stage.algorithm = choice.algorithm;
  stage.call.segment = choice.segment;
  stage.call.fanout = choice.fanout;
}

Stage stage_of(const CollectiveCall& call, Collective operation, std::int32_t root) {
  Stage stage{call, nullptr, {}};
  stage.call.operation = operation;
  stage.call.root = root;
  stage.call.side = call.rank == root ? Side::root : Side::opposite;
  stage.call.segment = Bytes{};
  stage.call.fanout = 0;
  return stage;
}

// Among MEMBERS, of which I am number RANK (not among them: negative).
Stage among(const CollectiveCall& call, std::span<const std::int32_t> members, std::int32_t rank,
            Collective operation, std::int32_t root) {
  CollectiveCall inner = call;
  inner.rank = rank;
  inner.size = static_cast<std::int32_t>(members.size());
  inner.nodes = nullptr;
  Stage stage = stage_of(inner, operation, root);
  stage.members = members;
  if (rank >= 0 && members.size() > 1) choose(stage);
  return stage;
}
Stage in_node(const CollectiveCall& call, Collective operation) {
  return among(call, call.nodes->members(call.nodes->node(call.rank)), call.nodes->place(call.rank),
               operation, 0);
}
Stage of_leaders(const CollectiveCall& call, Collective operation, std::int32_t root_node) {
  const bool leads = call.nodes->place(call.rank) == 0;
  return among(call, call.nodes->leaders(), leads ? call.nodes->node(call.rank) : -1, operation,
               root_node);
}

bool to_leader(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const std::int32_t leader =
      call.nodes->leaders()[static_cast<std::size_t>(call.nodes->node(call.root))];
  if (round > 0 || leader == call.root || (call.rank != leader && call.rank != call.root))
    return false;
  steps.push_back(call.rank == call.root ? whole(Step::Kind::send, leader, call)
                                         : whole(Step::Kind::receive, call.root, call));
  return true;
}
bool from_leader(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const std::size_t old = steps.size();
  if (!to_leader(call, round, steps)) return false;
  Step& step = steps[old];
  step.kind = step.kind == Step::Kind::send ? Step::Kind::receive : Step::Kind::send;
  return true;
}
constexpr Algorithm kToLeader{Collective::bcast, false, "to_leader", to_leader};
constexpr Algorithm kFromLeader{Collective::reduce, false, "from_leader", from_leader};

bool nonoverlapping_allreduce(const CollectiveCall& call, std::uint32_t number, Stage& stage) {
  if (number > 1) return false;
  stage = stage_of(call, number == 0 ? Collective::reduce : Collective::bcast, 0);
  choose(stage);
  return true;
}

bool nonoverlapping_reduce_scatter(const CollectiveCall& call, std::uint32_t number, Stage& stage) {
  if (number > 1) return false;
  const bool has_list = call.operation == Collective::reduce_scatter;
  stage = stage_of(call,
                   number == 0 ? Collective::reduce
                   : has_list  ? Collective::scatterv
                               : Collective::scatter,
                   0);
  if (number == 0) {
    // The vector that is reduced is cut into the members' shares: an element here is a share in the end. Steps of this stage
    // count elements; whoever looks at blocks must have shares of one element each.
    stage.call.bytes = times(call.bytes, call.size);
    if (has_list) stage.call.bytes = sum(call.receive_list);
  } else if (has_list) {
    stage.call.bytes = listed(call.receive_list, call.rank);
    stage.call.send_list = call.receive_list;
  }
  choose(stage);
  return true;
}

bool two_level_barrier(const CollectiveCall& call, std::uint32_t number, Stage& stage) {
  REPRISE_ASSERT(call.nodes != nullptr, "two levels are chosen where nodes are known");
  if (number > 2) return false;
  if (number == 0) stage = in_node(call, Collective::barrier);
  if (number == 1) stage = of_leaders(call, Collective::barrier, 0);
  if (number == 2) stage = in_node(call, Collective::bcast);
  return true;
}

bool two_level_bcast(const CollectiveCall& call, std::uint32_t number, Stage& stage) {
  REPRISE_ASSERT(call.nodes != nullptr, "two levels are chosen where nodes are known");
  if (number > 2) return false;
  if (number == 0) stage = {call, &kToLeader, {}};
  if (number == 1) stage = of_leaders(call, Collective::bcast, call.nodes->node(call.root));
  if (number == 2) stage = in_node(call, Collective::bcast);
  return true;
}

bool two_level_reduce(const CollectiveCall& call, std::uint32_t number, Stage& stage) {
  REPRISE_ASSERT(call.nodes != nullptr, "two levels are chosen where nodes are known");
  if (number > 2) return false;
  if (number == 0) stage = in_node(call, Collective::reduce);
  if (number == 1) stage = of_leaders(call, Collective::reduce, call.nodes->node(call.root));
  if (number == 2) stage = {call, &kFromLeader, {}};
  return true;
}

bool two_level_allreduce(const CollectiveCall& call, std::uint32_t number, Stage& stage) {
  REPRISE_ASSERT(call.nodes != nullptr, "two levels are chosen where nodes are known");
  if (number > 2) return false;
  if (number == 0) stage = in_node(call, Collective::reduce);
  if (number == 1) stage = of_leaders(call, Collective::allreduce, 0);
  if (number == 2) stage = in_node(call, Collective::bcast);
  return true;
}

constexpr Algorithm kStages[] = {
    {Collective::barrier, false, "two_level", nullptr, two_level_barrier},
    {Collective::bcast, false, "two_level", nullptr, two_level_bcast},
    {Collective::reduce, false, "two_level", nullptr, two_level_reduce, true},
    {Collective::allreduce, false, "nonoverlapping", nullptr, nonoverlapping_allreduce},
    {Collective::allreduce, false, "two_level", nullptr, two_level_allreduce, true},
    {Collective::reduce_scatter, false, "nonoverlapping", nullptr, nonoverlapping_reduce_scatter},
    {Collective::reduce_scatter_block, false, "nonoverlapping", nullptr,
     nonoverlapping_reduce_scatter},
};

}  // namespace

std::span<const Algorithm> stages() { return kStages; }

bool next_round(const Algorithm& algorithm, const CollectiveCall& call, Position& at,
                Steps& steps) {
  struct Walk {
    Position& at;
    Steps& steps;
    bool next(const Algorithm& algorithm, const CollectiveCall& call, std::size_t depth) {
      if (algorithm.schedule != nullptr) return algorithm.schedule(call, at.round++, steps);
      REPRISE_ASSERT(depth < Position::kDepth, "stages are nested a few levels deep");
      for (Stage stage; algorithm.stages(call, at.stage[depth], stage); ++at.stage[depth]) {
        const std::size_t old = steps.size();
        if (stage.algorithm != nullptr && next(*stage.algorithm, stage.call, depth + 1)) {
          for (std::size_t i = old; i < steps.size() && !stage.members.empty(); ++i)
            steps[i].peer = stage.members[static_cast<std::size_t>(steps[i].peer)];
          return true;
        }
        at.round = 0;
        if (depth + 1 < Position::kDepth) at.stage[depth + 1] = 0;
      }
      return false;
    }
  };
  return Walk{at, steps}.next(algorithm, call, 0);
}

}  // namespace reprise::sim
