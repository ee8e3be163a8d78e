// SPDX-License-Identifier: MIT
// Asks the MPI library what it knows locally: a communicator's groups and topology, a datatype's size, names. No communication.
#include <mpi.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>

#include "recorder/capture/recording.hpp"
#include "recorder/wrappers/arguments.hpp"
#include "recorder/wrappers/library_names.hpp"

namespace reprise::recorder {
namespace {

MPI_Group world_group() {
  static const MPI_Group group = [] {
    MPI_Group world = MPI_GROUP_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    return world;
  }();
  return group;
}

// Frees the group. False where a member is not in MPI_COMM_WORLD.
bool read_members(MPI_Group group, std::vector<int>& world) {
  int size = 0;
  PMPI_Group_size(group, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  world.resize(ranks.size());
  PMPI_Group_translate_ranks(group, size, ranks.data(), world_group(), world.data());
  PMPI_Group_free(&group);
  return std::find(world.begin(), world.end(), MPI_UNDEFINED) == world.end();
}

void read_topology(MPI_Comm comm, CommunicatorFacts& facts) {
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
    PMPI_Graph_neighbors_count(comm, facts.rank, &count);
    sources.resize(static_cast<std::size_t>(count));
    PMPI_Graph_neighbors(comm, facts.rank, count, sources.data());
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
  std::transform(sources.begin(), sources.end(), std::back_inserter(facts.sources), peer_code);
  std::transform(destinations.begin(), destinations.end(), std::back_inserter(facts.destinations),
                 peer_code);
}

// Whether there are gaps in or between the elements: such a buffer is packed and unpacked, or sent in pieces.
bool is_scattered(MPI_Datatype type, MPI_Count size, std::int64_t count) {
  MPI_Count lower = 0, extent = 0;
  PMPI_Type_get_true_extent_x(type, &lower, &extent);
  if (count < 2 || extent != size) return extent != size;
  PMPI_Type_get_extent_x(type, &lower, &extent);
  return extent != size;
}

}  // namespace

std::int64_t ask_type_size(MPI_Datatype type, std::int64_t count) {
  MPI_Count size = 0;
  PMPI_Type_size_x(type, &size);
  int integers = 0, addresses = 0, types = 0, combiner = MPI_UNDEFINED;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (combiner == MPI_COMBINER_NAMED)
    handles().types.remember(key_of(type), size);
  else if (is_scattered(type, size, count))
    ++handles().scattered_buffers;
  return size;
}

std::int64_t note_too_large() {
  Recording::current()->losses.add("sizes above 2^62 bytes, taken as 2^62",
                                   trace_io::Severity::partial, {});
  return trace_io::kMostBytes;
}

CommunicatorFacts read_communicator(HandleKey key) {
  const auto comm = handle_of<MPI_Comm>(key);
  CommunicatorFacts facts;
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  facts.inter = inter != 0;
  PMPI_Comm_rank(comm, &facts.rank);
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  facts.modelled = read_members(group, facts.local);
  if (facts.inter) {
    PMPI_Comm_remote_group(comm, &group);
    facts.modelled = read_members(group, facts.remote) && facts.modelled;
  }
  if (facts.modelled && !facts.inter) read_topology(comm, facts);
  return facts;
}

std::string mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(text, &length);
  std::string version = text;
  version = version.substr(0, version.find_first_of(",\n"));
  if (version.starts_with("Open MPI v")) return "Open MPI " + version.substr(10);
  if (const auto at = version.find("MPICH Version:"); at == 0)
    return "MPICH " + version.substr(version.find_first_not_of(" \t", 14));
  return version;
}

std::string host_name() {
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  PMPI_Get_processor_name(name, &length);
  return std::string(name, static_cast<std::size_t>(length));
}

}  // namespace reprise::recorder
