// SPDX-License-Identifier: MIT
#include "recorder/capture/communicators.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "trace-io/base/integers.hpp"

namespace reprise::recorder {
namespace {

std::size_t hash_of(const std::vector<int>& first, const std::vector<int>& second) {
  std::size_t hash = 0xcbf29ce484222325u;
  const auto mix = [&](int value) {
    hash = (hash ^ static_cast<unsigned>(value)) * 0x100000001b3u;
  };
  for (const int rank : first) mix(rank);
  mix(-1);
  for (const int rank : second) mix(rank);
  return hash;
}

std::uint64_t context_of(std::uint64_t members, std::uint32_t copy) {
  return trace_io::mixed_bits(members + copy * trace_io::kHashMultiplier);
}

trace_io::ValueSequence as_sequence(const std::vector<int>& ranks) {
  trace_io::ValueSequence sequence;
  for (const int rank : ranks) sequence.append(rank);
  return sequence;
}

bool is_identity(const std::vector<int>& ranks) {
  for (std::size_t i = 0; i < ranks.size(); ++i)
    if (ranks[i] != static_cast<int>(i)) return false;
  return true;
}

}  // namespace

void Communicators::begin(HandleKey world, HandleKey self, int rank, int size,
                          ReadCommunicator read, bool has_threads) {
  read_ = read;
  has_threads_ = has_threads;
  infos_.resize(2);
  infos_[0].rank = rank;
  infos_[0].size = infos_[0].peers = size;
  std::vector<int> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), 0);
  infos_[0].members = members_number(std::move(all), {});
  infos_[0].copy = members_[infos_[0].members].copies.take();
  members_[infos_[0].members].index_of_copy = {0};
  infos_[0].context = context_of(members_[infos_[0].members].hash, 0);

  CommunicatorInfo& alone = infos_[1];
  alone.index = 1;
  alone.members = members_number({rank}, {});
  alone.peer_world = &members_[alone.members].first;
  alone.context =
      ~context_of(members_[alone.members].hash, 0);  // of one rank they have equal members
  if (size > 1) {
    alone.copy = members_[alone.members].copies.take();
    members_[alone.members].index_of_copy = {1};
  }
  indices_.set(world, 0);
  indices_.set(self, 1);
}

std::uint32_t Communicators::members_number(std::vector<int> first, std::vector<int> second) {
  const std::size_t hash = hash_of(first, second);
  const auto [begin, end] = members_by_hash_.equal_range(hash);
  for (auto entry = begin; entry != end; ++entry)
    if (members_[entry->second].first == first && members_[entry->second].second == second)
      return entry->second;
  const auto number = static_cast<std::uint32_t>(members_.size());
  members_.push_back({std::move(first), std::move(second), hash, {}, {}, {}});
  members_by_hash_.emplace(hash, number);
  return number;
}

// Everything but index and copy.
CommunicatorInfo Communicators::info_of(CommunicatorFacts facts) {
  CommunicatorInfo info;
  info.inter = facts.inter;
  info.modelled = facts.modelled;
  info.rank = facts.rank;
  info.size = static_cast<int>(facts.local.size());
  info.peers = facts.inter ? static_cast<int>(facts.remote.size()) : info.size;
  if (!info.modelled) return info;
  info.neighbours_in = static_cast<int>(facts.sources.size());
  info.neighbours_out = static_cast<int>(facts.destinations.size());
  info.sources = std::move(facts.sources);
  info.destinations = std::move(facts.destinations);
  // Both sides of an intercommunicator agree on which group is the first.
  const bool remote_first =
      info.inter && *std::min_element(facts.remote.begin(), facts.remote.end()) <
                        *std::min_element(facts.local.begin(), facts.local.end());
  if (remote_first) std::swap(facts.local, facts.remote);
  info.members = members_number(std::move(facts.local), std::move(facts.remote));
  const Members& members = members_[info.members];
  const std::vector<int>& peers = info.inter && !remote_first ? members.second : members.first;
  info.peer_world = is_identity(peers) ? nullptr : &peers;
  return info;
}

const CommunicatorInfo* Communicators::known(HandleKey comm) const {
  const std::uint32_t index = indices_.find(comm);
  return index == HandleMap::kAbsent ? nullptr : &at(index);
}

const CommunicatorInfo& Communicators::at(std::uint32_t number) const {
  return (number & kForeign) != 0 ? foreign_[number & ~kForeign] : infos_[number];
}

const CommunicatorInfo& Communicators::look_up(HandleKey comm) {
  const CommunicatorInfo* info = known(comm);
  if (info == nullptr) return made(comm);
  last_ = comm;
  last_info_ = info;
  return *info;
}

// Both of a new communicator, of which all but its index is known: they set its copy.
std::uint32_t& Communicators::index_by_order(CommunicatorInfo& info) {
  Members& members = members_[info.members];
  info.copy = members.copies.take();
  if (info.copy >= members.index_of_copy.size())
    members.index_of_copy.resize(info.copy + 1, kNoIndex);
  return members.index_of_copy[info.copy];
}

std::uint32_t& Communicators::index_by_descent(CommunicatorInfo& info,
                                               const CommunicatorInfo* parent) {
  // Each side of a new intercommunicator has a parent of its own: there it is its members that both have in common.
  const bool joins_two = info.inter && (parent == nullptr || !parent->inter);
  info.parent = joins_two           ? kOfMembers - std::int64_t{info.members}
                : parent != nullptr ? parent->index
                                    : kOfNobody;
  info.child = children_[info.parent].take();
  const std::uint64_t of_parent = joins_two ? ~members_[info.members].hash
                                  : parent != nullptr
                                      ? members_[parent->members].hash + parent->copy
                                      : ~std::uint64_t{0};
  info.copy = static_cast<std::uint32_t>(
      trace_io::mixed_bits(trace_io::mixed_bits(of_parent) + info.child) >> 33);
  auto& taken = members_[info.members].by_descent;
  if (info.copy == 0 || taken[info.copy].is_alive) ++ambiguous_;
  while (info.copy == 0 || taken[info.copy].is_alive) ++info.copy;  // 0 is the world
  taken[info.copy].is_alive = true;
  return taken[info.copy].index;
}

const CommunicatorInfo& Communicators::made(HandleKey comm, const CommunicatorInfo* parent,
                                            bool is_duplicate) {
  CommunicatorInfo info = is_duplicate ? *parent : info_of(read_(comm));
  last_ = kNoHandle;
  if (!info.modelled) {
    indices_.set(comm, kForeign | static_cast<std::uint32_t>(foreign_.size()));
    return foreign_.emplace_back(std::move(info));
  }
  std::uint32_t& index = has_threads_ ? index_by_descent(info, parent) : index_by_order(info);
  if (index == kNoIndex) {
    index = static_cast<std::uint32_t>(infos_.size());
    infos_.emplace_back();
  }
  info.index = index;
  info.context = context_of(members_[info.members].hash, info.copy);
  infos_[index] = std::move(info);
  indices_.set(comm, index);
  return infos_[index];
}

std::uint32_t Communicators::detach(HandleKey comm) {
  const std::uint32_t number = indices_.find(comm);
  indices_.erase(comm);
  last_ = kNoHandle;
  return number;
}

void Communicators::attach(HandleKey comm, std::uint32_t number) { indices_.set(comm, number); }

void Communicators::freed(std::uint32_t number) {
  if ((number & kForeign) != 0) return;
  const CommunicatorInfo& info = infos_[number];
  Members& members = members_[info.members];
  if (!has_threads_) return members.copies.release(info.copy);
  members.by_descent[info.copy].is_alive = false;
  children_[info.parent].release(info.child);
}

void Communicators::describe(trace_io::Trace& trace, Rank rank) const {
  for (std::size_t i = 2; i < infos_.size(); ++i) {
    const Members& members = members_[infos_[i].members];
    trace_io::Communicator communicator;
    communicator.copy = infos_[i].copy;
    communicator.groups.push_back(as_sequence(members.first));
    if (infos_[i].inter) communicator.groups.push_back(as_sequence(members.second));
    trace.communicator_indices.push_back(
        {{trace_io::RankList::single(rank),
          static_cast<std::uint32_t>(trace.communicators.size())}});
    trace.communicators.push_back(std::move(communicator));
  }
}

}  // namespace reprise::recorder
