// SPDX-License-Identifier: MIT
// A member enters a collective: what it says must agree with what the first one said, whose algorithm all carry out.
#include "sim/engine/collectives/collective_call.hpp"
#include "sim/engine/interpreter.hpp"
#include "sim/engine/loop/balance.hpp"
#include "sim/site_text.hpp"
#include "sim/time_grid.hpp"

namespace reprise::sim {

using trace_io::Collective;

namespace {

// Where all members must give one size (MPI 3.1, chapter 5), and it is known to each.
std::optional<Bytes> common_bytes(const CollectiveCall& call, bool is_inter) {
  if (is_inter) return std::nullopt;
  switch (call.operation) {
    case Collective::bcast:
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan:
    case Collective::gather:
    case Collective::scatter:
    case Collective::allgather:
    case Collective::alltoall:
    case Collective::reduce_scatter_block:
      return call.bytes;
    default:
      return std::nullopt;
  }
}

}  // namespace

// Null where no choice depends on who shares a node.
const NodeMap* Interpreter::nodes_of(const Actor& actor, const CommunicatorView& view) {
  if (!selection_.asks_for_nodes() || view.place.is_inter()) return nullptr;
  auto& map = node_maps_[view.number];
  if (!map) {
    std::vector<std::uint32_t> nodes;
    for (std::int32_t member = 0; member < view.place.size; ++member)
      nodes.push_back(transport_.node_of(memberships_.member(actor.rank, view, member)));
    map = std::make_unique<NodeMap>(nodes);
  }
  return map.get();
}

// Says what the two members disagree in and returns false where they do.
bool Interpreter::agree(const Actor& actor, const OpenCollectives::Entry& entry,
                        const OpenCollectives::Entry& first) {
  const std::string other =
      "rank " + std::to_string(first.rank) + " in " + call_text(trace_, first.site);
  if (first.operation != entry.operation) {
    fail(actor, "meets " + other + " on the same communicator",
         "members of a communicator must enter its collectives in one order",
         ReplayError::Kind::collective_mismatch);
    return false;
  }
  if (first.root != entry.root && first.root != OpenCollectives::kUnknownRoot &&
      entry.root != OpenCollectives::kUnknownRoot) {
    fail(actor,
         "has rank " + std::to_string(entry.root) + " as its root, " + other + " has rank " +
             std::to_string(first.root),
         "members of a communicator must name one root", ReplayError::Kind::collective_mismatch);
    return false;
  }
  if (first.commutes != entry.commutes) {
    fail(actor,
         std::string("reduces with an operator that ") +
             (entry.commutes ? "commutes, " : "does not commute, ") + other + " with one that " +
             (first.commutes ? "does" : "does not"),
         "members of a communicator must reduce with one operator",
         ReplayError::Kind::collective_mismatch);
    return false;
  }
  return true;
}

std::uint32_t Interpreter::enter(std::uint32_t index, CommunicatorView& view,
                                 const CollectiveCall& call) {
  Actor& actor = actors_[index];
  const bool is_inter = view.place.is_inter();
  OpenCollectives::Entry entry;
  entry.operation = call.operation;
  collectives_met_ |= 1U << static_cast<unsigned>(call.operation);
  entry.root = root_of(call, memberships_, actor.rank, view);
  entry.bytes = common_bytes(call, is_inter);
  entry.commutes = call.commutes;
  entry.rank = actor.rank;
  entry.site = actor.cursor.site();
  CollectiveCall tuned = call;
  tuned.nodes = nodes_of(actor, view);
  tuned.chooser = &selection_;
  const std::int32_t members = view.number == 1 ? 1 : call.size + call.remote_size;
  const OpenCollectives::Entry* first =
      members > 1 ? open_collectives_.find(view.context, view.entered) : nullptr;
  if (first != nullptr) {
    if (!agree(actor, entry, *first)) return kNothing;
    entry.choice = first->choice;
    // Members that give different sizes would cut their data differently and never meet: the first one's holds.
    if (first->bytes != entry.bytes) {
      ++different_sizes_;
      if (forward_)
        forward_->forbid(
            "members of a collective that give different sizes are counted one by one");
      tuned.bytes = *first->bytes;
    }
  } else if (is_inter) {
    entry.choice.algorithm = &simple_algorithm(
        call.operation == Collective::none ? Collective::barrier : call.operation, true);
  } else {
    entry.choice = selection_.choose(tuned);
  }
  if (members > 1) {
    open_collectives_.enter(view.context, view.entered, members, entry);
    actor.balance += collective_term(
        view.context, view.place.local_rank == 0 && (!is_inter || view.place.group == 0), members);
  }
  tuned.segment = entry.choice.segment;
  tuned.fanout = entry.choice.fanout;
  const std::uint32_t made = runs_.take();
  CollectiveRun& run = runs_[made];
  run.actor = index;
  run.request = kNothing;
  run.communicator = &view;
  run.tag = static_cast<std::int32_t>(view.entered++);
  run.call = tuned;
  run.algorithm = entry.choice.algorithm;
  run.position = {};
  run.pending = 0;
  const Bytes own = own_share(call);
  if (own.value > 0) transport_.note_own_copy();
  run.clock = actor.clock + on_grid(platform_.intra_node_mpi.copy_time(own).value);
  run.wait = 0;
  run.partner_ready = actor.clock;
  run.is_finished = false;
  return made;
}

// Everybody has finished, and still a collective lacks members: those who entered had nothing to wait for.
void Interpreter::check_collectives_complete() {
  const auto open = open_collectives_.unfinished();
  if (!open) return;
  std::int32_t missing = -1;
  const bool is_communicator =
      open->communicator < memberships_.contexts();  // else a window or a file
  for (std::int32_t rank = 0; is_communicator && rank < memberships_.ranks() && missing < 0; ++rank)
    if (memberships_.is_member(rank, open->communicator) &&
        memberships_.entered(rank, open->communicator) <= open->sequence)
      missing = rank;
  throw ReplayError(
      ReplayError::Kind::collective_incomplete,
      "rank " + std::to_string(open->first.rank) + " in " + call_text(trace_, open->first.site),
      "only " + std::to_string(open->entered) + " of " + std::to_string(open->members) +
          " members ever enter this collective" +
          (missing >= 0 ? "; rank " + std::to_string(missing) + " is the first that does not" : ""),
      "members of a communicator must enter its collectives in one order");
}

}  // namespace reprise::sim
