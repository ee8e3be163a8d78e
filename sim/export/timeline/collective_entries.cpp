// SPDX-License-Identifier: MIT
#include "sim/export/timeline/collective_entries.hpp"

#include <algorithm>
#include <numeric>

#include "sim/export/timeline/call_messages.hpp"

namespace reprise::sim {

using trace_io::Collective;
using trace_io::Field;
using trace_io::kFirstPeer;
using trace_io::Kind;

namespace {

// Calls that every member of their communicator makes, in one order. Comm_create_group is made by some members only.
bool is_of_all_members(const trace_io::Procedure& procedure) {
  switch (procedure.kind) {
    case Kind::collective:
    case Kind::start_collective:
      return true;
    case Kind::comm_create:
    case Kind::start_comm_create:
      return procedure.name != "MPI_Comm_create_group" && procedure.name != "MPI_Intercomm_create";
    default:
      return false;
  }
}

Kind blocking(Kind kind) {
  return kind == Kind::start_collective    ? Kind::collective
         : kind == Kind::start_comm_create ? Kind::comm_create
                                           : kind;
}

struct Awaited {
  bool everyone = false;
  std::vector<std::int32_t> members;  // local ranks
};

// Members from which something comes, by a list of bytes; everyone where there is no such list.
Awaited senders(const TimedCall& call, std::size_t list, std::int32_t size) {
  Awaited awaited;
  if (call.vectors.size() <= list || std::cmp_not_equal(call.vectors[list].size(), size))
    return {true, {}};
  const auto bytes = call.vectors[list];
  for (std::int32_t member = 0; member < size; ++member)
    if (bytes[static_cast<std::size_t>(member)] > 0) awaited.members.push_back(member);
  if (std::cmp_equal(awaited.members.size(), size)) return {true, {}};
  return awaited;
}

Awaited awaited_by(const TimedCall& call, std::int32_t me, std::int32_t size) {
  const std::int64_t root = scalar_of(call, Field::peer) - kFirstPeer;
  const auto if_bytes = [&](Field field, const Awaited& awaited) {
    return scalar_of(call, field) == 0 ? Awaited{} : awaited;
  };
  const auto the_root = [&] {
    return root < 0 || root >= size || root == me
               ? Awaited{}
               : Awaited{false, {static_cast<std::int32_t>(root)}};
  };
  const auto those_before = [&](std::int32_t end) {
    Awaited awaited{false, std::vector<std::int32_t>(static_cast<std::size_t>(end))};
    std::iota(awaited.members.begin(), awaited.members.end(), 0);
    return awaited;
  };
  switch (call.procedure.collective) {
    case Collective::none:  // a communicator is made
    case Collective::barrier:
    case Collective::reduce_scatter:
      return {true, {}};
    case Collective::bcast:
      return if_bytes(Field::send_bytes, the_root());
    case Collective::scatter:
    case Collective::scatterv:
      return if_bytes(Field::receive_bytes_per_peer, the_root());
    case Collective::reduce:
      return root == me ? if_bytes(Field::send_bytes, {true, {}}) : Awaited{};
    case Collective::gather:
      return root == me ? if_bytes(Field::receive_bytes_per_peer, {true, {}}) : Awaited{};
    case Collective::gatherv:
      return root == me ? senders(call, 0, size) : Awaited{};
    case Collective::allreduce:
    case Collective::reduce_scatter_block:
      return if_bytes(Field::send_bytes, {true, {}});
    case Collective::allgather:
    case Collective::alltoall:
      return if_bytes(Field::receive_bytes_per_peer, {true, {}});
    case Collective::allgatherv:
      return senders(call, 0, size);
    case Collective::alltoallv:
    case Collective::alltoallw:
      return senders(call, 1, size);
    case Collective::scan:
    case Collective::exscan:
      return if_bytes(Field::send_bytes, those_before(me));
    default:  // of neighbours
      return {};
  }
}

}  // namespace

CollectiveEntries::CollectiveEntries(const trace_io::Trace& trace)
    : numbers_(trace),
      communicators_(trace),
      counts_(static_cast<std::size_t>(trace.header.ranks)) {}

std::optional<Rank> CollectiveEntries::Operation::missing_of_all() {
  if (count == entered.size()) return std::nullopt;
  while (entered[first_missing].now != MovedTime::kNever) ++first_missing;
  return ranks[first_missing];
}

std::optional<Rank> CollectiveEntries::Wait::missing() {
  if (!operation_->is_one) return std::nullopt;
  if (who_ == For::everyone) {
    const auto missing = operation_->missing_of_all();
    if (!missing) latest_ = operation_->latest;
    return missing;
  }
  for (; looked_at_ < members_.size(); ++looked_at_) {
    const auto member = static_cast<std::size_t>(members_[looked_at_]);
    const MovedTime& entered = operation_->entered[member];
    if (entered.now == MovedTime::kNever) return operation_->ranks[member];
    latest_.take_later(entered);
  }
  return std::nullopt;
}

std::shared_ptr<CollectiveEntries::Operation> CollectiveEntries::operation_of(
    Rank rank, std::int64_t comm, std::int32_t size, const TimedCall& call) {
  const std::int64_t number = numbers_.number(rank, comm);
  const Key key{number, counts_[static_cast<std::size_t>(rank.value)][number]++};
  auto& operation = under_way_[key];
  if (operation == nullptr) {
    operation = std::make_shared<Operation>();
    operation->kind = blocking(call.procedure.kind);
    operation->collective = call.procedure.collective;
    operation->entered.resize(static_cast<std::size_t>(size));
    for (std::int32_t member = 0; member < size; ++member)
      operation->ranks.push_back(*communicators_.world_rank(rank, comm, member));
  }
  auto found = operation;
  found->is_one = found->is_one && found->kind == blocking(call.procedure.kind) &&
                  found->collective == call.procedure.collective;
  if (++found->count == found->entered.size()) under_way_.erase(key);
  return found;
}

std::optional<CollectiveEntries::Wait> CollectiveEntries::enter(Rank rank, const TimedCall& call,
                                                                const MovedTime& time) {
  if (!is_of_all_members(call.procedure)) return std::nullopt;
  const std::int64_t comm = scalar_of(call, Field::comm);
  const auto place = communicators_.place(rank, comm);
  if (!place || place->is_inter() || place->size < 2) return std::nullopt;
  Wait wait;
  wait.operation_ = operation_of(rank, comm, place->size, call);
  wait.operation_->entered[static_cast<std::size_t>(place->local_rank)] = time;
  wait.operation_->latest.take_later(time);
  Awaited awaited = awaited_by(call, place->local_rank, place->size);
  if (!awaited.everyone && awaited.members.empty()) return std::nullopt;
  wait.who_ = awaited.everyone ? Wait::For::everyone : Wait::For::members;
  wait.members_ = std::move(awaited.members);
  return wait;
}

}  // namespace reprise::sim
