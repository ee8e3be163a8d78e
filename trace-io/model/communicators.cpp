// SPDX-License-Identifier: MIT
#include "trace-io/model/communicators.hpp"

#include <algorithm>

#include "trace-io/base/error.hpp"

namespace reprise::trace_io {
namespace {

// The members, ascending.
std::vector<std::int32_t> checked_members(const ValueSequence& group, std::int32_t ranks,
                                          const std::string& where) {
  if (group.empty()) throw InputError(where, "a group has no members");
  if (group.size() > static_cast<std::uint64_t>(ranks))  // before anything is unrolled
    throw InputError(where, "a group has " + std::to_string(group.size()) +
                                " members, but the trace has " + std::to_string(ranks) + " ranks");
  std::vector<std::int32_t> members;
  members.reserve(group.size());
  for (ValueSequence::Cursor cursor(group); !cursor.at_end();) {
    const std::int64_t rank = cursor.next();
    if (rank < 0 || rank >= ranks)
      throw InputError(where, "member " + std::to_string(rank) + " is not one of the " +
                                  std::to_string(ranks) + " ranks of the trace");
    members.push_back(static_cast<std::int32_t>(rank));
  }
  std::sort(members.begin(), members.end());
  return members;
}

// All members, ascending.
std::vector<std::int32_t> check_definition(const Communicator& communicator, std::int32_t ranks,
                                           const std::string& where) {
  const auto& groups = communicator.groups;
  if (groups.empty() || groups.size() > 2)
    throw InputError(where, "it has " + std::to_string(groups.size()) + " groups",
                     "a communicator has one group, an intercommunicator two");
  std::vector<std::int32_t> all = checked_members(groups[0], ranks, where);
  if (groups.size() == 2) {
    const std::vector<std::int32_t> remote = checked_members(groups[1], ranks, where);
    if (remote.front() < all.front())
      throw InputError(where, "group 1 has the lowest rank, " + std::to_string(remote.front()),
                       "the group with the lowest rank comes first");
    all.insert(all.end(), remote.begin(), remote.end());
    std::sort(all.begin(), all.end());
  }
  const auto twice = std::adjacent_find(all.begin(), all.end());
  if (twice != all.end())
    throw InputError(where, "rank " + std::to_string(*twice) + " is a member twice");
  return all;
}

}  // namespace

CommunicatorTable::Group::Group(const ValueSequence& sequence)
    : size(static_cast<std::int32_t>(sequence.size())) {
  const auto terms = sequence.terms();
  if (terms.size() == 1 && !terms[0].is_loop) {
    start = static_cast<std::int32_t>(terms[0].start);
    stride = static_cast<std::int32_t>(terms[0].stride);
    return;
  }
  members.reserve(static_cast<std::size_t>(size));
  ordered.reserve(static_cast<std::size_t>(size));
  for (ValueSequence::Cursor cursor(sequence); !cursor.at_end();) {
    const auto world = static_cast<std::int32_t>(cursor.next());
    ordered.emplace_back(world, static_cast<std::int32_t>(members.size()));
    members.push_back(world);
  }
  std::sort(ordered.begin(), ordered.end());
}

std::optional<Rank> CommunicatorTable::Group::member(std::int64_t local) const {
  if (local < 0 || local >= size) return std::nullopt;
  if (!members.empty()) return Rank{members[static_cast<std::size_t>(local)]};
  return Rank{start + stride * static_cast<std::int32_t>(local)};
}

std::optional<std::int32_t> CommunicatorTable::Group::local_rank(Rank rank) const {
  if (!members.empty()) {
    const auto found =
        std::lower_bound(ordered.begin(), ordered.end(), std::pair(rank.value, std::int32_t{0}));
    if (found == ordered.end() || found->first != rank.value) return std::nullopt;
    return found->second;
  }
  const std::int32_t distance = rank.value - start;
  if (stride == 0) return distance == 0 && size > 0 ? std::optional(0) : std::nullopt;
  const std::int32_t local = distance / stride;
  if (distance % stride != 0 || local < 0 || local >= size) return std::nullopt;
  return local;
}

CommunicatorTable::CommunicatorTable(const Trace& trace) : ranks_(trace.header.ranks) {
  definitions_.reserve(trace.communicators.size());
  for (const Communicator& communicator : trace.communicators)
    definitions_.emplace_back(communicator.groups.begin(), communicator.groups.end());
  indices_.reserve(trace.communicator_indices.size());
  for (const auto& uses : trace.communicator_indices) {
    Index index{uses, {}};
    if (uses.size() > 1)
      for (const CommunicatorUse& use : uses)
        for (const Rank rank : use.ranks.ranks())
          index.by_rank.emplace_back(rank.value, use.communicator);
    std::sort(index.by_rank.begin(), index.by_rank.end());
    indices_.push_back(std::move(index));
  }
}

std::optional<std::uint32_t> CommunicatorTable::definition(Rank rank, std::int64_t index) const {
  if (index < kFirstOwnIndex ||
      index - kFirstOwnIndex >= static_cast<std::int64_t>(indices_.size()))
    return std::nullopt;
  const Index& entry = indices_[static_cast<std::size_t>(index - kFirstOwnIndex)];
  if (entry.by_rank.empty()) {
    if (entry.uses.empty() || !entry.uses[0].ranks.contains(rank)) return std::nullopt;
    return entry.uses[0].communicator;
  }
  const auto found = std::lower_bound(entry.by_rank.begin(), entry.by_rank.end(),
                                      std::pair(rank.value, std::uint32_t{0}));
  if (found == entry.by_rank.end() || found->first != rank.value) return std::nullopt;
  return found->second;
}

std::optional<CommunicatorTable::Place> CommunicatorTable::place(Rank rank,
                                                                 std::int64_t index) const {
  if (rank.value < 0 || rank.value >= ranks_) return std::nullopt;
  if (index == kWorldIndex) return Place{std::nullopt, 0, rank.value, ranks_, 0};
  if (index == kSelfIndex) return Place{std::nullopt, 0, 0, 1, 0};
  const auto which = definition(rank, index);
  if (!which) return std::nullopt;
  const auto& groups = definitions_[*which];
  for (std::uint32_t group = 0; group < groups.size(); ++group)
    if (const auto local = groups[group].local_rank(rank))
      return Place{which, group, *local, groups[group].size,
                   groups.size() == 2 ? groups[1 - group].size : 0};
  return std::nullopt;
}

std::optional<Position> CommunicatorTable::frame_of(Rank rank, std::int64_t index) const {
  const auto found = place(rank, index);
  if (!found) return std::nullopt;
  return Position{found->local_rank, found->is_inter() ? found->remote_size : found->size};
}

std::optional<Rank> CommunicatorTable::world_rank(Rank rank, std::int64_t index,
                                                  std::int64_t peer) const {
  const auto found = place(rank, index);
  if (!found) return std::nullopt;
  if (found->definition)
    return member(*found->definition, found->is_inter() ? 1 - found->group : 0, peer);
  if (peer < 0 || peer >= found->size) return std::nullopt;
  return index == kSelfIndex ? rank : Rank{static_cast<std::int32_t>(peer)};
}

std::int32_t CommunicatorTable::group_count(std::uint32_t definition) const {
  return static_cast<std::int32_t>(definitions_.at(definition).size());
}

std::int32_t CommunicatorTable::group_size(std::uint32_t definition, std::uint32_t group) const {
  return definitions_.at(definition).at(group).size;
}

std::optional<Rank> CommunicatorTable::member(std::uint32_t definition, std::uint32_t group,
                                              std::int64_t local) const {
  return definitions_.at(definition).at(group).member(local);
}

std::optional<std::int32_t> CommunicatorTable::local_rank(std::uint32_t definition,
                                                          std::uint32_t group, Rank rank) const {
  return definitions_.at(definition).at(group).local_rank(rank);
}

void check_communicators(const Trace& trace, const std::string& where) {
  std::vector<RankList> members;
  for (std::size_t i = 0; i < trace.communicators.size(); ++i) {
    const auto all = check_definition(trace.communicators[i], trace.header.ranks,
                                      where + ": communicator " + std::to_string(i));
    std::vector<Rank> ranks(all.size());
    std::transform(all.begin(), all.end(), ranks.begin(),
                   [](std::int32_t rank) { return Rank{rank}; });
    members.push_back(RankList::from_ranks(std::move(ranks)));
  }
  for (std::size_t i = 0; i < trace.communicator_indices.size(); ++i) {
    const std::string place = where + ": communicator index " +
                              std::to_string(i + static_cast<std::size_t>(kFirstOwnIndex));
    std::vector<Rank> users;
    for (const CommunicatorUse& use : trace.communicator_indices[i]) {
      if (use.communicator >= members.size())
        throw InputError(place, "communicator " + std::to_string(use.communicator) +
                                    " is not one of the " + std::to_string(members.size()) +
                                    " that are defined");
      const RankList strangers = use.ranks.minus(members[use.communicator]);
      if (!strangers.empty())
        throw InputError(place, "rank " + std::to_string(strangers.front().value) +
                                    " is not a member of communicator " +
                                    std::to_string(use.communicator));
      const auto ranks = use.ranks.ranks();
      users.insert(users.end(), ranks.begin(), ranks.end());
    }
    std::sort(users.begin(), users.end());
    const auto twice = std::adjacent_find(users.begin(), users.end());
    if (twice != users.end())
      throw InputError(place, "rank " + std::to_string(twice->value) + " has it twice");
  }
}

}  // namespace reprise::trace_io
