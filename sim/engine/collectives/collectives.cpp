// SPDX-License-Identifier: MIT
#include "sim/engine/collectives/collectives.hpp"

#include "sim/engine/collectives/collective_call.hpp"
#include "sim/engine/loop/balance.hpp"
#include "sim/site_text.hpp"

namespace reprise::sim {

using trace_io::Collective;
using trace_io::Field;

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

Collectives::Collectives(Runtime& runtime, Transport& transport,
                         const platforms::Platform& platform)
    : runtime_(runtime),
      runs_(runtime, transport, platform),
      selection_(platform, runtime.trace().header.mpi_library) {
  runtime.set_meetings(*this);
}

Progress Collectives::collective(std::uint32_t index, const EventFields& fields, bool is_blocking) {
  Actor& actor = runtime_.actor(index);
  CommunicatorView* view = runtime_.communicator(actor, fields.scalar(Field::comm));
  if (view == nullptr) return Progress::blocked;
  const Collective operation = actor.cursor.procedure().collective;
  const CollectiveCall call = describe_collective(operation, fields, *view);
  const std::string problem = check_collective(call, *view);
  if (!problem.empty()) return runtime_.fail(actor, problem);
  return carry_out(index, enter(index, *view, call), fields, is_blocking);
}

// Members agree on the new communicator's number: modelled as a barrier of those who take part, which is everyone in the parent
// except where MPI says that only the new communicator's members do.
Progress Collectives::make_communicator(std::uint32_t index, const EventFields& fields,
                                        bool is_blocking) {
  const Actor& actor = runtime_.actor(index);
  const std::int64_t made = fields.scalar(Field::new_comm);
  CommunicatorView* view = runtime_.communicator(actor, fields.scalar(Field::comm));
  CommunicatorView* new_view =
      made == trace_io::kNone ? nullptr : runtime_.communicator(actor, made);
  if (runtime_.error()) return Progress::blocked;
  if (new_view != nullptr) {
    const auto neighbours = [](std::span<const std::int64_t> codes) {
      std::vector<std::int32_t> members;
      for (const auto code : codes)
        members.push_back(code >= trace_io::kFirstPeer
                              ? static_cast<std::int32_t>(code - trace_io::kFirstPeer)
                              : CollectiveCall::kNobody);
      return members;
    };
    new_view->sources = neighbours(fields.vector(Field::sources));
    new_view->destinations = neighbours(fields.vector(Field::destinations));
  }
  const std::string_view name = actor.cursor.procedure().name;
  if (name == "MPI_Comm_create_group" || name == "MPI_Intercomm_create") view = new_view;
  if (view == nullptr) return Progress::done;
  return carry_out(index, enter(index, *view), fields, is_blocking);
}

Progress Collectives::carry_out(std::uint32_t index, std::uint32_t run, const EventFields& fields,
                                bool is_blocking) {
  if (run == kNothing) return Progress::blocked;
  if (is_blocking) return runs_.carry_out(index, run);
  const std::uint32_t made = runtime_.make_request(index, Request::Kind::collective, 0);
  runtime_.actor(index).slot(fields.scalar(Field::request)) = made;
  runs_.start(run, made);
  return Progress::done;
}

Progress Collectives::meet(std::uint32_t index, CommunicatorView& view) {
  const std::uint32_t run = enter(index, view);
  return run == kNothing ? Progress::blocked : runs_.carry_out(index, run);
}

void Collectives::begin(std::uint32_t meeting, std::uint32_t request, double at) {
  runs_[meeting].clock = at;
  if (CriticalPath* const path = runtime_.path(); path != nullptr) {
    const std::uint32_t access = runtime_.requests()[request].file_access;
    if (access != kNothing)
      path->take_over({CriticalPath::Of::run, meeting}, {CriticalPath::Of::access, access});
  }
  runs_.start(meeting, request);
}

std::uint32_t Collectives::enter(std::uint32_t index, CommunicatorView& view) {
  CollectiveCall call;
  call.rank = view.place.local_rank;
  call.size = view.place.size;
  call.remote_size = view.place.remote_size;
  call.group = view.place.group;
  return enter(index, view, call);
}

std::uint32_t Collectives::enter(std::uint32_t index, CommunicatorView& view,
                                 const CollectiveCall& call) {
  Actor& actor = runtime_.actor(index);
  const bool is_inter = view.place.is_inter();
  OpenCollectives::Entry entry;
  entry.operation = call.operation;
  operations_met_ |= 1U << static_cast<unsigned>(call.operation);
  entry.root = root_of(call, runtime_.communicators(), actor.rank, view);
  entry.bytes = common_bytes(call, is_inter);
  entry.commutes = call.commutes;
  entry.rank = actor.rank;
  entry.site = actor.cursor.site();
  CollectiveCall tuned = call;
  tuned.nodes = nodes_of(actor, view);
  tuned.chooser = &selection_;
  const std::int32_t members = entry.members = view.members();
  if (members > 1 && !open_.admits(view.context, view.entered)) {
    runtime_.fail(actor,
                  "enters a collective that, by count, its other members have left or not reached",
                  "members of a communicator, window or file must enter its collectives in one "
                  "order",
                  ReplayError::Kind::collective_mismatch);
    return kNothing;
  }
  const OpenCollectives::Entry* first =
      members > 1 ? open_.find(view.context, view.entered) : nullptr;
  if (first != nullptr) {
    if (!agree(actor, entry, *first)) return kNothing;
    entry.choice = first->choice;
    // Members that give different sizes would cut their data differently and never meet: the first one's holds.
    if (first->bytes != entry.bytes) {
      ++different_sizes_;
      runtime_.forbid_fast_forward(
          "members of a collective that give different sizes are counted one by one");
      tuned.bytes = *first->bytes;
    }
  } else {
    entry.choice = selection_.choose(tuned);
    if (members > 1) note_choice(entry.choice, tuned);
  }
  if (members > 1) {
    open_.enter(view.context, view.entered, entry);
    actor.balance += collective_term(
        view.context, view.place.local_rank == 0 && (!is_inter || view.place.group == 0), members);
  }
  tuned.segment = entry.choice.segment;
  tuned.fanout = entry.choice.fanout;
  return runs_.make(index, view, tuned, entry.choice.algorithm, own_share(call));
}

void Collectives::note_choice(const Choice& choice, const CollectiveCall& call) {
  const Played now = played(choice, call);
  const auto is_it = [&now](const Met& met) {
    const Choice &one = met.played.choice, &other = now.choice;
    return one.algorithm == other.algorithm && one.segment == other.segment &&
           one.fanout == other.fanout && one.asked == other.asked &&
           met.played.reason == now.reason;
  };
  auto met = std::find_if(met_.rbegin(), met_.rend(), is_it);
  if (met == met_.rend()) {
    met_.push_back({now, 0});
    met = met_.rbegin();
  }
  ++met->calls;
}

// Null where no choice depends on who shares a node.
const NodeMap* Collectives::nodes_of(const Actor& actor, const CommunicatorView& view) {
  if (!selection_.asks_for_nodes() || view.place.is_inter()) return nullptr;
  auto& map = node_maps_[view.number];
  if (!map) {
    std::vector<std::uint32_t> nodes;
    for (std::int32_t member = 0; member < view.place.size; ++member)
      nodes.push_back(
          runtime_.paths().node(runtime_.communicators().member(actor.rank, view, member)));
    map = std::make_unique<NodeMap>(nodes);
  }
  return map.get();
}

// Says what the two members disagree in and returns false where they do.
bool Collectives::agree(const Actor& actor, const OpenCollectives::Entry& entry,
                        const OpenCollectives::Entry& first) {
  const auto other = [&] {
    return "rank " + std::to_string(first.rank) + " in " + call_text(runtime_.trace(), first.site);
  };
  if (first.operation != entry.operation) {
    runtime_.fail(actor, "meets " + other() + " on the same communicator",
                  "members of a communicator must enter its collectives in one order",
                  ReplayError::Kind::collective_mismatch);
    return false;
  }
  if (first.members != entry.members) {
    runtime_.fail(actor,
                  "is one of " + std::to_string(entry.members) + " ranks in it, " + other() +
                      " one of " + std::to_string(first.members),
                  "a communicator, window or file must have the same members on all of them",
                  ReplayError::Kind::collective_mismatch);
    return false;
  }
  if (first.root != entry.root && first.root != OpenCollectives::kUnknownRoot &&
      entry.root != OpenCollectives::kUnknownRoot) {
    runtime_.fail(actor,
                  "has rank " + std::to_string(entry.root) + " as its root, " + other() +
                      " has rank " + std::to_string(first.root),
                  "members of a communicator must name one root",
                  ReplayError::Kind::collective_mismatch);
    return false;
  }
  if (first.commutes != entry.commutes) {
    runtime_.fail(actor,
                  std::string("reduces with an operator that ") +
                      (entry.commutes ? "commutes, " : "does not commute, ") + other() +
                      " with one that " + (first.commutes ? "does" : "does not"),
                  "members of a communicator must reduce with one operator",
                  ReplayError::Kind::collective_mismatch);
    return false;
  }
  return true;
}

// Everybody has finished, and still a collective lacks members: those who entered had nothing to wait for.
void Collectives::check_complete() const {
  const auto open = open_.unfinished();
  if (!open) return;
  std::int32_t missing = -1;
  const bool is_communicator =
      open->communicator < runtime_.communicators().contexts();  // else a window or a file
  for (std::int32_t rank = 0;
       is_communicator && rank < runtime_.communicators().ranks() && missing < 0; ++rank)
    if (runtime_.communicators().is_member(rank, open->communicator) &&
        runtime_.communicators().entered(rank, open->communicator) <= open->sequence)
      missing = rank;
  throw ReplayError(
      ReplayError::Kind::collective_incomplete,
      "rank " + std::to_string(open->first.rank) + " in " +
          call_text(runtime_.trace(), open->first.site),
      "only " + std::to_string(open->entered) + " of " + std::to_string(open->members) +
          " members ever enter this collective" +
          (missing >= 0 ? "; rank " + std::to_string(missing) + " is the first that does not" : ""),
      "members of a communicator must enter its collectives in one order");
}

std::vector<std::string> Collectives::operations_met() const {
  std::vector<std::string> names;
  for (unsigned bit = 1; bit < 32; ++bit)
    if ((operations_met_ >> bit & 1) != 0)
      names.emplace_back(operation_name(static_cast<Collective>(bit)));
  return names;
}

std::vector<platforms::SettingsUse::Algorithm> Collectives::algorithms_met() const {
  std::vector<platforms::SettingsUse::Algorithm> all;
  for (const Met& met : met_) {
    const Choice& choice = met.played.choice;
    if (!choice.algorithm->on_intercommunicators)
      all.push_back({std::string(operation_name(choice.algorithm->operation)),
                     std::string(choice.algorithm->name), choice.segment.value, choice.fanout});
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<platforms::SettingsUse::Replaced> Collectives::algorithms_replaced() const {
  std::vector<platforms::SettingsUse::Replaced> all;
  for (const Met& met : met_) {
    const Algorithm* const asked = met.played.choice.asked;
    if (asked == nullptr || met.played.in_place_of == nullptr) continue;
    std::uint64_t of_calls = 0;
    for (const Met& other : met_)
      if (other.played.choice.asked == asked) of_calls += other.calls;
    all.push_back({std::string(operation_name(asked->operation)), std::string(asked->name),
                   std::string(met.played.choice.algorithm->name), std::string(met.played.reason),
                   std::string(met.played.library), met.calls, of_calls});
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace reprise::sim
