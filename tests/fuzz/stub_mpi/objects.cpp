// SPDX-License-Identifier: MIT
// Communicators and groups as one rank knows them; what several ranks agree on is what this one says.
#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "tests/fuzz/stub_mpi/library.hpp"
#include "tests/fuzz/stub_mpi/mpi.h"

using namespace reprise::fuzz::stub;

namespace {

int copy_of(MPI_Comm handle) {
  const Comm& from = comm(handle);
  return make_comm(from.me, from.size, from.widths);
}

// Of a group of world ranks: its size is known.
int of_group(MPI_Comm parent, MPI_Group group) {
  comm(parent);
  const auto& ranks = groups().at(group, "invalid group").ranks;
  const auto me = std::find(ranks.begin(), ranks.end(), comm(MPI_COMM_WORLD).me);
  if (me == ranks.end()) return MPI_COMM_NULL;
  return make_comm(static_cast<int>(me - ranks.begin()), static_cast<int>(ranks.size()));
}

int of_unknown(MPI_Comm parent) {
  comm(parent);
  return make_comm(0, 0);
}

void copy(const void* in, void* out, std::int64_t count, MPI_Datatype type) {
  read(in, count, type);
  write(out, count, type);
  if (in != MPI_IN_PLACE && in != out)
    std::memcpy(out, in, static_cast<std::size_t>(count * size_of_type(type)));
}

}  // namespace

int MPI_Comm_dup(MPI_Comm from, MPI_Comm* made) {
  *made = copy_of(from);
  return MPI_SUCCESS;
}
int MPI_Comm_dup_with_info(MPI_Comm from, MPI_Info, MPI_Comm* made) {
  return MPI_Comm_dup(from, made);
}
int MPI_Comm_idup(MPI_Comm from, MPI_Comm* made, MPI_Request* request) {
  *request = start();
  return MPI_Comm_dup(from, made);
}
int MPI_Comm_split(MPI_Comm from, int colour, int, MPI_Comm* made) {
  require(colour >= 0 || colour == MPI_UNDEFINED, "invalid colour");
  *made = colour == MPI_UNDEFINED ? MPI_COMM_NULL : of_unknown(from);
  return MPI_SUCCESS;
}
int MPI_Comm_split_type(MPI_Comm from, int kind, int key, MPI_Info, MPI_Comm* made) {
  return MPI_Comm_split(from, kind, key, made);
}
int MPI_Comm_create(MPI_Comm from, MPI_Group group, MPI_Comm* made) {
  *made = of_group(from, group);
  return MPI_SUCCESS;
}
int MPI_Comm_create_group(MPI_Comm from, MPI_Group group, int, MPI_Comm* made) {
  return MPI_Comm_create(from, group, made);
}
int MPI_Comm_free(MPI_Comm* handle) {
  free_comm(*handle);
  return MPI_SUCCESS;
}
int MPI_Comm_disconnect(MPI_Comm* handle) { return MPI_Comm_free(handle); }

int MPI_Cart_create(MPI_Comm from, int dimensions, const int* widths, const int*, int,
                    MPI_Comm* made) {
  require(dimensions >= 0, "invalid dimensions");
  std::vector<int> own(widths, widths + dimensions);
  std::int64_t size = 1;
  for (const int width : own) {
    require(width > 0 && width <= ranks_in(from), "invalid dimensions");
    size *= width;
    require(comm(from).size == 0 || size <= comm(from).size, "invalid dimensions");
  }
  *made = make_comm(0, static_cast<int>(size), std::move(own));
  return MPI_SUCCESS;
}
int MPI_Cart_sub(MPI_Comm from, const int* remain, MPI_Comm* made) {
  std::vector<int> kept;
  for (std::size_t d = 0; d < comm(from).widths.size(); ++d)
    if (remain[d] != 0) kept.push_back(comm(from).widths[d]);
  const int size = std::accumulate(kept.begin(), kept.end(), 1, std::multiplies<>());
  *made = make_comm(0, size, std::move(kept));
  return MPI_SUCCESS;
}
int MPI_Graph_create(MPI_Comm from, int size, const int* ends, const int*, int, MPI_Comm* made) {
  require(size >= 0 && size <= ranks_in(from), "invalid size");
  require(std::is_sorted(ends, ends + size), "invalid graph");
  *made = size == 0 ? MPI_COMM_NULL : make_comm(0, size);
  return MPI_SUCCESS;
}
int MPI_Dist_graph_create(MPI_Comm from, int count, const int* sources, const int* degrees,
                          const int* destinations, const int*, MPI_Info, int, MPI_Comm* made) {
  for (int i = 0; i < count; ++i) {
    check_rank(from, sources[i]);
    for (int j = 0; j < degrees[i]; ++j) check_rank(from, *destinations++);
  }
  return MPI_Comm_dup(from, made);
}
int MPI_Dist_graph_create_adjacent(MPI_Comm from, int in, const int* sources, const int*, int out,
                                   const int* destinations, const int*, MPI_Info, int,
                                   MPI_Comm* made) {
  for (int i = 0; i < in; ++i) check_rank(from, sources[i]);
  for (int i = 0; i < out; ++i) check_rank(from, destinations[i]);
  return MPI_Comm_dup(from, made);
}
int MPI_Intercomm_create(MPI_Comm local, int leader, MPI_Comm peer, int remote_leader, int,
                         MPI_Comm* made) {
  check_rank(local, leader);
  check_rank(peer, remote_leader);
  *made = of_unknown(local);
  return MPI_SUCCESS;
}
int MPI_Intercomm_merge(MPI_Comm from, int, MPI_Comm* made) {
  *made = of_unknown(from);
  return MPI_SUCCESS;
}

int PMPI_Comm_rank(MPI_Comm of, int* rank) {
  *rank = comm(of).me;
  return MPI_SUCCESS;
}
int PMPI_Comm_size(MPI_Comm of, int* size) {
  *size = ranks_in(of);
  return MPI_SUCCESS;
}
int PMPI_Comm_group(MPI_Comm of, MPI_Group* group) {
  Object made;
  for (int i = 0; i < ranks_in(of); ++i) made.ranks.push_back(i);
  *group = groups().make(std::move(made));
  return MPI_SUCCESS;
}
int PMPI_Cartdim_get(MPI_Comm of, int* dimensions) {
  *dimensions = static_cast<int>(comm(of).widths.size());
  require(*dimensions > 0, "invalid topology");
  return MPI_SUCCESS;
}
int PMPI_Cart_get(MPI_Comm of, int most, int* widths, int* periods, int* place) {
  require(most >= static_cast<int>(comm(of).widths.size()), "invalid dimensions");
  std::copy(comm(of).widths.begin(), comm(of).widths.end(), widths);
  std::fill_n(periods, most, 0);
  return PMPI_Cart_coords(of, 0, most, place);
}
int PMPI_Cart_coords(MPI_Comm of, int rank, int most, int* place) {
  require(rank >= 0 && rank < ranks_in(of), "invalid rank");
  for (int d = most; d-- > 0;) {
    const int width = comm(of).widths[static_cast<std::size_t>(d)];
    place[d] = rank % width;
    rank /= width;
  }
  return MPI_SUCCESS;
}
int PMPI_Dist_graph_neighbors_count(MPI_Comm of, int* in, int* out, int* weighted) {
  comm(of);
  *in = *out = *weighted = 0;
  return MPI_SUCCESS;
}
int PMPI_Dist_graph_neighbors(MPI_Comm, int, int*, int*, int, int*, int*) { return MPI_SUCCESS; }
int PMPI_Group_incl(MPI_Group of, int count, const int* ranks, MPI_Group* made) {
  const auto& all = groups().at(of, "invalid group").ranks;
  Object group;
  for (int i = 0; i < count; ++i) {
    require(ranks[i] >= 0 && static_cast<std::size_t>(ranks[i]) < all.size(), "invalid rank");
    group.ranks.push_back(all[static_cast<std::size_t>(ranks[i])]);
  }
  *made = groups().make(std::move(group));
  return MPI_SUCCESS;
}
int PMPI_Group_compare(MPI_Group a, MPI_Group b, int* relation) {
  const bool alike = groups().at(a, "invalid group").ranks == groups().at(b, "invalid group").ranks;
  *relation = alike ? MPI_IDENT : MPI_UNEQUAL;
  return MPI_SUCCESS;
}
int PMPI_Group_free(MPI_Group* group) {
  groups().free(*group, "invalid group");
  return MPI_SUCCESS;
}

int PMPI_Type_contiguous(int count, MPI_Datatype of, MPI_Datatype* made) {
  *made = make_type(count * size_of_type(of));
  return MPI_SUCCESS;
}
int PMPI_Type_create_struct(int count, const int* lengths, const MPI_Aint*,
                            const MPI_Datatype* types, MPI_Datatype* made) {
  std::int64_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += lengths[i] * size_of_type(types[i]);
  *made = make_type(bytes);
  return MPI_SUCCESS;
}

int PMPI_Reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op, int, MPI_Comm of) {
  comm(of);
  copy(in, out, count, type);
  return MPI_SUCCESS;
}
int PMPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm of) {
  return PMPI_Reduce(in, out, count, type, op, 0, of);
}
int PMPI_Allgather(const void* in, int sent, MPI_Datatype type, void* out, int, MPI_Datatype,
                   MPI_Comm of) {
  for (int i = 0; i < ranks_in(of); ++i)
    copy(in, static_cast<char*>(out) + i * sent * size_of_type(type), sent, type);
  return MPI_SUCCESS;
}
int PMPI_Allgatherv(const void* in, int sent, MPI_Datatype type, void* out, const int* got,
                    const int* places, MPI_Datatype, MPI_Comm of) {
  for (int i = 0; i < ranks_in(of); ++i)
    copy(in, static_cast<char*>(out) + places[i] * size_of_type(type), std::min(sent, got[i]),
         type);
  return MPI_SUCCESS;
}

int MPI_File_open(MPI_Comm on, const char*, int, MPI_Info, MPI_File* made) {
  comm(on);
  *made = files().make({true, on, {}});
  return MPI_SUCCESS;
}
int MPI_File_close(MPI_File* file) {
  files().free(*file, "invalid file");
  return MPI_SUCCESS;
}
