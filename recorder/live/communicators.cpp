// SPDX-License-Identifier: MIT
#include "recorder/live/communicators.hpp"

#include <algorithm>
#include <array>

#include "trace-io/base/error.hpp"

namespace reprise::live {
namespace {

using trace_io::kFirstOwnIndex;
using trace_io::kFirstPeer;
using trace_io::kProcNull;

std::vector<int> ranks_of(std::span<const std::int64_t> codes) {
  std::vector<int> ranks;
  for (const auto code : codes)
    ranks.push_back(code == kProcNull ? MPI_PROC_NULL : static_cast<int>(code - kFirstPeer));
  return ranks;
}

MPI_Group group_of(const std::vector<int>& world_ranks) {
  MPI_Group world = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_incl(world, static_cast<int>(world_ranks.size()), world_ranks.data(), &group);
  PMPI_Group_free(&world);
  return group;
}

// Whether a communicator's members are these, in this order.
bool has_members(MPI_Comm comm, const std::vector<int>& world_ranks) {
  MPI_Group theirs = MPI_GROUP_NULL, wanted = group_of(world_ranks);
  PMPI_Comm_group(comm, &theirs);
  int relation = MPI_UNEQUAL;
  PMPI_Group_compare(theirs, wanted, &relation);
  PMPI_Group_free(&theirs);
  PMPI_Group_free(&wanted);
  return relation == MPI_IDENT;
}

}  // namespace

MPI_Comm Communicators::of(std::int64_t index) const {
  if (index == trace_io::kWorldIndex) return MPI_COMM_WORLD;
  if (index == trace_io::kSelfIndex) return MPI_COMM_SELF;
  const auto found = own_.find(index);
  return found == own_.end() ? MPI_COMM_NULL : found->second;
}

void Communicators::set_duplicate(std::int64_t index, MPI_Comm comm, std::int64_t of) {
  set(index, comm);
  degrees_[index] = degrees_[of];
}

void Communicators::set(std::int64_t index, MPI_Comm comm) {
  if (index >= kFirstOwnIndex) own_[index] = comm;
}

std::int64_t Communicators::places(std::int64_t index) const {
  const auto frame = table_.frame_of(me_, index);
  const auto degree = degrees_.find(index);
  return std::max<std::int64_t>(
      frame ? frame->size : 1,
      degree == degrees_.end() ? 0 : static_cast<std::int64_t>(degree->second));
}

std::vector<int> Communicators::members(std::int64_t index, bool remote) const {
  std::vector<int> ranks;
  if (index == trace_io::kSelfIndex) return {me_.value};
  const auto place = table_.place(me_, index);
  if (!place) return ranks;
  const std::int32_t size = remote ? place->remote_size : place->size;
  for (std::int32_t i = 0; i < size; ++i)
    ranks.push_back(
        place->definition
            ? table_.member(*place->definition, remote ? 1 - place->group : place->group, i)->value
            : i);
  return ranks;
}

MPI_Comm Communicators::split(MPI_Comm parent, std::int64_t made, bool visible) const {
  int colour = MPI_UNDEFINED, key = 0;
  if (made >= 0) {
    const auto own = members(made, false), other = members(made, true);
    colour = *std::min_element(own.begin(), own.end());
    if (!other.empty()) colour = std::min(colour, *std::min_element(other.begin(), other.end()));
    key = table_.place(me_, made)->local_rank;
  }
  MPI_Comm result = MPI_COMM_NULL;
  if (visible)
    MPI_Comm_split(parent, colour, key, &result);
  else
    PMPI_Comm_split(parent, colour, key, &result);
  return result;
}

// Who shares a node may be others here than where the program was recorded: then the recorded members are put together unseen.
MPI_Comm Communicators::split_by_node(MPI_Comm parent, std::int64_t made) const {
  MPI_Comm result = MPI_COMM_NULL;
  const int key = made >= 0 ? table_.place(me_, made)->local_rank : 0;
  MPI_Comm_split_type(parent, made >= 0 ? MPI_COMM_TYPE_SHARED : MPI_UNDEFINED, key, MPI_INFO_NULL,
                      &result);
  int alike = made < 0 || has_members(result, members(made, false)) ? 1 : 0;
  PMPI_Allreduce(MPI_IN_PLACE, &alike, 1, MPI_INT, MPI_MIN, parent);
  if (alike != 0) return result;
  if (result != MPI_COMM_NULL) PMPI_Comm_free(&result);
  return split(parent, made, false);
}

MPI_Comm Communicators::create(const std::string& procedure, std::int64_t parent,
                               std::int64_t made) const {
  MPI_Group group = made >= 0 ? group_of(members(made, false)) : MPI_GROUP_EMPTY;
  MPI_Comm result = MPI_COMM_NULL;
  if (procedure == "MPI_Comm_create_group")
    MPI_Comm_create_group(of(parent), group, 0, &result);
  else
    MPI_Comm_create(of(parent), group, &result);
  if (made >= 0) PMPI_Group_free(&group);
  return result;
}

// Dimensions follow from the distances to the neighbours: in row-major order the last dimension that is wider than 1 has
// stride 1, and each dimension is as wide as the stride before it over its own. Whether one is periodic only ranks at its border can
// tell; who becomes no member can tell nothing.
MPI_Comm Communicators::create_cartesian(MPI_Comm parent, std::int64_t made,
                                         std::span<const std::int64_t> neighbours) const {
  constexpr std::size_t kMost = 32;
  std::array<int, 2 * kMost + 1> shape{};  // dimensions, widths, periods
  if (made >= 0) {
    const auto ranks = ranks_of(neighbours);
    const int me = table_.place(me_, made)->local_rank, size = table_.place(me_, made)->size;
    const std::size_t dimensions = std::min(kMost, ranks.size() / 2);
    shape[0] = static_cast<int>(dimensions);
    int outer = size;
    for (std::size_t d = 0; d < dimensions; ++d) {
      const int before = ranks[2 * d], after = ranks[2 * d + 1];
      int width = 1;
      bool periodic = before == me;
      if (before != me && (before != MPI_PROC_NULL || after != MPI_PROC_NULL)) {
        int stride = size;
        for (const int other : {before, after})
          if (other != MPI_PROC_NULL && other != me)
            stride = std::min(stride, std::abs(other - me));
        width = outer / stride;
        outer = stride;
        // Wrapped around: the neighbour before has a higher rank, or the one after a lower.
        periodic =
            (before != MPI_PROC_NULL && before > me) || (after != MPI_PROC_NULL && after < me);
      }
      shape[1 + 2 * d] = width;
      shape[2 + 2 * d] = periodic ? 1 : 0;
    }
  }
  PMPI_Allreduce(MPI_IN_PLACE, shape.data(), static_cast<int>(shape.size()), MPI_INT, MPI_MAX,
                 parent);
  std::vector<int> widths, periods;
  for (int d = 0; d < shape[0]; ++d) {
    widths.push_back(shape[1 + 2 * static_cast<std::size_t>(d)]);
    periods.push_back(shape[2 + 2 * static_cast<std::size_t>(d)]);
  }
  MPI_Comm result = MPI_COMM_NULL;
  MPI_Cart_create(parent, shape[0], widths.data(), periods.data(), 0, &result);
  return result;
}

// Which dimensions remain follows from the members, who are at my place in the others. O(members).
MPI_Comm Communicators::cartesian_part(std::int64_t parent, std::int64_t made,
                                       std::size_t neighbours) const {
  const MPI_Comm whole = of(parent);
  int dimensions = 0;
  PMPI_Cartdim_get(whole, &dimensions);
  const auto count = static_cast<std::size_t>(dimensions);
  std::vector<int> widths(count), periods(count), mine(count), remain(count);
  PMPI_Cart_get(whole, dimensions, widths.data(), periods.data(), mine.data());
  const auto all = members(parent, false);
  for (const int member : members(made, false)) {
    const auto rank = std::find(all.begin(), all.end(), member) - all.begin();
    if (rank == std::ssize(all)) continue;
    std::vector<int> place(count);
    PMPI_Cart_coords(whole, static_cast<int>(rank), dimensions, place.data());
    for (std::size_t d = 0; d < count; ++d)
      if (place[d] != mine[d]) remain[d] = 1;
  }
  // One of width 1 has no members to tell by, but neighbours.
  auto left =
      static_cast<std::ptrdiff_t>(neighbours / 2) - std::count(remain.begin(), remain.end(), 1);
  for (std::size_t d = 0; d < count && left > 0; ++d)
    if (remain[d] == 0 && widths[d] == 1) {
      remain[d] = 1;
      --left;
    }
  MPI_Comm result = MPI_COMM_NULL;
  MPI_Cart_sub(whole, remain.data(), &result);
  return result;
}

MPI_Comm Communicators::create_graph(MPI_Comm parent, std::int64_t made,
                                     std::span<const std::int64_t> neighbours) const {
  const auto own = ranks_of(neighbours);
  int ranks = 0, size = made >= 0 ? table_.place(me_, made)->size : 0,
      degree = static_cast<int>(own.size());
  PMPI_Comm_size(parent, &ranks);
  PMPI_Allreduce(MPI_IN_PLACE, &size, 1, MPI_INT, MPI_MAX, parent);
  if (size > ranks)
    throw InputError("rank " + std::to_string(me_.value) + " in MPI_Graph_create",
                     "makes a communicator of " + std::to_string(size) + " ranks from one of " +
                         std::to_string(ranks));
  std::vector<int> degrees(static_cast<std::size_t>(ranks)), starts(degrees.size());
  PMPI_Allgather(&degree, 1, MPI_INT, degrees.data(), 1, MPI_INT, parent);
  int total = 0;
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    starts[i] = total;
    total += degrees[i];
  }
  std::vector<int> edges(static_cast<std::size_t>(std::max(total, 1))), ends;
  PMPI_Allgatherv(own.data(), degree, MPI_INT, edges.data(), degrees.data(), starts.data(), MPI_INT,
                  parent);
  for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i)
    ends.push_back(starts[i] + degrees[i]);
  MPI_Comm result = MPI_COMM_NULL;
  MPI_Graph_create(parent, size, ends.data(), edges.data(), 0, &result);
  return result;
}

MPI_Comm Communicators::create_distributed_graph(const std::string& procedure, MPI_Comm parent,
                                                 std::span<const std::int64_t> sources,
                                                 std::span<const std::int64_t> destinations) const {
  const auto from = ranks_of(sources), to = ranks_of(destinations);
  MPI_Comm result = MPI_COMM_NULL;
  if (procedure == "MPI_Dist_graph_create_adjacent") {
    MPI_Dist_graph_create_adjacent(parent, static_cast<int>(from.size()), from.data(),
                                   MPI_UNWEIGHTED, static_cast<int>(to.size()), to.data(),
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &result);
    return result;
  }
  int me = 0, degree = static_cast<int>(to.size());
  PMPI_Comm_rank(parent, &me);
  MPI_Dist_graph_create(parent, 1, &me, &degree, to.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                        &result);
  // The library is free to list neighbours in another order than it did when recorded; sizes per neighbour need the recorded one.
  std::vector<int> got_from(from.size() + 1), got_to(to.size() + 1);
  int in = 0, out = 0, weighted = 0;
  PMPI_Dist_graph_neighbors_count(result, &in, &out, &weighted);
  int alike = in == static_cast<int>(from.size()) && out == degree ? 1 : 0;
  if (alike != 0) {
    PMPI_Dist_graph_neighbors(result, in, got_from.data(), MPI_UNWEIGHTED, out, got_to.data(),
                              MPI_UNWEIGHTED);
    alike = std::equal(from.begin(), from.end(), got_from.begin()) &&
                    std::equal(to.begin(), to.end(), got_to.begin())
                ? 1
                : 0;
  }
  PMPI_Allreduce(MPI_IN_PLACE, &alike, 1, MPI_INT, MPI_MIN, parent);
  if (alike != 0) return result;
  PMPI_Comm_free(&result);
  PMPI_Dist_graph_create_adjacent(parent, static_cast<int>(from.size()), from.data(),
                                  MPI_UNWEIGHTED, degree, to.data(), MPI_UNWEIGHTED, MPI_INFO_NULL,
                                  0, &result);
  return result;
}

MPI_Comm Communicators::connect(std::int64_t local, std::int64_t made) const {
  const auto remote = members(made, true);
  if (remote.empty())
    throw InputError("rank " + std::to_string(me_.value) + " in MPI_Intercomm_create",
                     "makes communicator " + std::to_string(made) + ", which has one group only");
  MPI_Comm result = MPI_COMM_NULL;
  MPI_Intercomm_create(of(local), 0, MPI_COMM_WORLD, remote.front(), 0, &result);
  return result;
}

MPI_Comm Communicators::merge(std::int64_t inter, std::int64_t made) const {
  const auto all = members(made, false), own = members(inter, false);
  const bool comes_first = !all.empty() && !own.empty() && all.front() == own.front();
  MPI_Comm result = MPI_COMM_NULL;
  MPI_Intercomm_merge(of(inter), comes_first ? 0 : 1, &result);
  return result;
}

bool Communicators::make(const std::string& procedure, std::int64_t parent, std::int64_t made,
                         std::span<const std::int64_t> sources,
                         std::span<const std::int64_t> destinations) {
  if (made >= kFirstOwnIndex && !table_.place(me_, made))
    throw InputError(
        "rank " + std::to_string(me_.value) + " in " + procedure,
        "makes communicator " + std::to_string(made) + ", which the rank does not have");
  MPI_Comm result = MPI_COMM_NULL;
  if (procedure == "MPI_Comm_dup")
    MPI_Comm_dup(of(parent), &result);
  else if (procedure == "MPI_Comm_dup_with_info")
    MPI_Comm_dup_with_info(of(parent), MPI_INFO_NULL, &result);
  else if (procedure == "MPI_Comm_split")
    result = split(of(parent), made, true);
  else if (procedure == "MPI_Comm_split_type")
    result = split_by_node(of(parent), made);
  else if (procedure == "MPI_Comm_create" || procedure == "MPI_Comm_create_group")
    result = create(procedure, parent, made);
  else if (procedure == "MPI_Cart_create")
    result = create_cartesian(of(parent), made, destinations);
  else if (procedure == "MPI_Cart_sub")
    result = cartesian_part(parent, made, destinations.size());
  else if (procedure == "MPI_Graph_create")
    result = create_graph(of(parent), made, destinations);
  else if (procedure.starts_with("MPI_Dist_graph_create"))
    result = create_distributed_graph(procedure, of(parent), sources, destinations);
  else if (procedure == "MPI_Intercomm_create")
    result = connect(parent, made);
  else if (procedure == "MPI_Intercomm_merge")
    result = merge(parent, made);
  else
    return false;
  if (made < 0) return true;
  set(made, result);
  degrees_[made] = std::max(sources.size(), destinations.size());
  if (procedure.starts_with("MPI_Comm_dup")) degrees_[made] = degrees_[parent];
  return true;
}

}  // namespace reprise::live
