// SPDX-License-Identifier: MIT
#include "recorder/communicators.hpp"

#include <algorithm>
#include <numeric>

#include "recorder/codes.hpp"

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

void Communicators::begin() {
  PMPI_Comm_group(MPI_COMM_WORLD, &world_group_);
  infos_.resize(2);
  CommunicatorInfo& world = infos_[0];
  PMPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &world.size);
  world.peers = world.size;
  std::vector<int> all(static_cast<std::size_t>(world.size));
  std::iota(all.begin(), all.end(), 0);
  world.members = members_number(std::move(all), {});
  world.copy = members_[world.members].copies.take();
  members_[world.members].index_of_copy = {0};

  CommunicatorInfo& self = infos_[1];
  self.index = 1;
  self.members = members_number({world.rank}, {});
  self.peer_world = &members_[self.members].first;
  if (world.size > 1) {
    self.copy = members_[self.members].copies.take();
    members_[self.members].index_of_copy = {1};
  }
  indices_.set(key_of(MPI_COMM_WORLD), 0);
  indices_.set(key_of(MPI_COMM_SELF), 1);
}

bool Communicators::translate(MPI_Group group, std::vector<int>& world) const {
  int size = 0;
  PMPI_Group_size(group, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  world.resize(ranks.size());
  PMPI_Group_translate_ranks(group, size, ranks.data(), world_group_, world.data());
  return std::find(world.begin(), world.end(), MPI_UNDEFINED) == world.end();
}

std::uint32_t Communicators::members_number(std::vector<int> first, std::vector<int> second) {
  const std::size_t hash = hash_of(first, second);
  const auto [begin, end] = members_by_hash_.equal_range(hash);
  for (auto entry = begin; entry != end; ++entry)
    if (members_[entry->second].first == first && members_[entry->second].second == second)
      return entry->second;
  const auto number = static_cast<std::uint32_t>(members_.size());
  members_.push_back({std::move(first), std::move(second), hash, {}, {}});
  members_by_hash_.emplace(hash, number);
  return number;
}

// Everything but index and copy.
CommunicatorInfo Communicators::read(MPI_Comm comm) {
  CommunicatorInfo info;
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  info.inter = inter != 0;
  PMPI_Comm_rank(comm, &info.rank);
  PMPI_Comm_size(comm, &info.size);
  info.peers = info.size;
  std::vector<int> local, remote;
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  info.modelled = translate(group, local);
  PMPI_Group_free(&group);
  if (info.inter) {
    PMPI_Comm_remote_size(comm, &info.peers);
    PMPI_Comm_remote_group(comm, &group);
    info.modelled = translate(group, remote) && info.modelled;
    PMPI_Group_free(&group);
  }
  if (!info.modelled) return info;
  // Both sides of an intercommunicator agree on which group is the first.
  const bool remote_first = info.inter && *std::min_element(remote.begin(), remote.end()) <
                                              *std::min_element(local.begin(), local.end());
  if (remote_first) std::swap(local, remote);
  info.members = members_number(std::move(local), std::move(remote));
  const Members& members = members_[info.members];
  const std::vector<int>& peers = info.inter && !remote_first ? members.second : members.first;
  info.peer_world = is_identity(peers) ? nullptr : &peers;
  return info;
}

void Communicators::read_topology(MPI_Comm comm, CommunicatorInfo& info) const {
  int topology = MPI_UNDEFINED;
  PMPI_Topo_test(comm, &topology);
  std::vector<int> sources, destinations;
  if (topology == MPI_CART) {
    int dimensions = 0;
    PMPI_Cartdim_get(comm, &dimensions);
    for (int d = 0; d < dimensions; ++d) {
      int below = 0, above = 0;
      PMPI_Cart_shift(comm, d, 1, &below, &above);
      sources.insert(sources.end(), {below, above});
    }
    destinations = sources;
  } else if (topology == MPI_GRAPH) {
    int count = 0;
    PMPI_Graph_neighbors_count(comm, info.rank, &count);
    sources.resize(static_cast<std::size_t>(count));
    PMPI_Graph_neighbors(comm, info.rank, count, sources.data());
    destinations = sources;
  } else if (topology == MPI_DIST_GRAPH) {
    int in = 0, out = 0, weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    sources.resize(static_cast<std::size_t>(in));
    destinations.resize(static_cast<std::size_t>(out));
    std::vector<int> in_weights(sources.size()), out_weights(destinations.size());
    PMPI_Dist_graph_neighbors(comm, in, sources.data(), in_weights.data(), out, destinations.data(),
                              out_weights.data());
  }
  info.neighbours_in = static_cast<int>(sources.size());
  info.neighbours_out = static_cast<int>(destinations.size());
  for (const int rank : sources) info.sources.push_back(peer_code(rank));
  for (const int rank : destinations) info.destinations.push_back(peer_code(rank));
}

const CommunicatorInfo* Communicators::known(MPI_Comm comm) const {
  const std::uint32_t index = indices_.find(key_of(comm));
  if (index == HandleMap::kAbsent) return nullptr;
  return (index & kForeign) != 0 ? &foreign_[index & ~kForeign] : &infos_[index];
}

const CommunicatorInfo& Communicators::look_up(MPI_Comm comm) {
  const CommunicatorInfo* info = known(comm);
  if (info == nullptr) return made(comm);
  last_ = comm;
  last_info_ = info;
  return *info;
}

const CommunicatorInfo& Communicators::made(MPI_Comm comm, const CommunicatorInfo* origin) {
  CommunicatorInfo info = origin != nullptr ? *origin : read(comm);
  last_ = MPI_COMM_NULL;
  if (!info.modelled) {
    indices_.set(key_of(comm), kForeign | static_cast<std::uint32_t>(foreign_.size()));
    return foreign_.emplace_back(std::move(info));
  }
  if (origin == nullptr && !info.inter) read_topology(comm, info);
  Members& members = members_[info.members];
  info.copy = members.copies.take();
  if (info.copy >= members.index_of_copy.size())
    members.index_of_copy.resize(info.copy + 1, kNoIndex);
  std::uint32_t& index = members.index_of_copy[info.copy];
  if (index == kNoIndex) {
    index = static_cast<std::uint32_t>(infos_.size());
    infos_.emplace_back();
  }
  info.index = index;
  infos_[index] = std::move(info);
  indices_.set(key_of(comm), index);
  return infos_[index];
}

void Communicators::freed(MPI_Comm comm) {
  const std::uint32_t index = indices_.find(key_of(comm));
  if (index == HandleMap::kAbsent) return;
  indices_.erase(key_of(comm));
  last_ = MPI_COMM_NULL;
  if ((index & kForeign) == 0) members_[infos_[index].members].copies.release(infos_[index].copy);
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
