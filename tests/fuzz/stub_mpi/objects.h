// SPDX-License-Identifier: MIT
// Of mpi.h: communicators, groups, types, windows, files, and the process itself.
#pragma once

#include "tests/fuzz/stub_mpi/library.hpp"

int MPI_Comm_dup(MPI_Comm, MPI_Comm* made);
int MPI_Comm_dup_with_info(MPI_Comm, MPI_Info, MPI_Comm* made);
int MPI_Comm_idup(MPI_Comm, MPI_Comm* made, MPI_Request*);
int MPI_Comm_split(MPI_Comm, int colour, int key, MPI_Comm* made);
int MPI_Comm_split_type(MPI_Comm, int kind, int key, MPI_Info, MPI_Comm* made);
int MPI_Comm_create(MPI_Comm, MPI_Group, MPI_Comm* made);
int MPI_Comm_create_group(MPI_Comm, MPI_Group, int tag, MPI_Comm* made);
int MPI_Comm_free(MPI_Comm*);
int MPI_Comm_disconnect(MPI_Comm*);
int MPI_Cart_create(MPI_Comm, int dimensions, const int* widths, const int* periods, int reorder,
                    MPI_Comm* made);
int MPI_Cart_sub(MPI_Comm, const int* remain, MPI_Comm* made);
int MPI_Graph_create(MPI_Comm, int size, const int* ends, const int* edges, int reorder,
                     MPI_Comm* made);
int MPI_Dist_graph_create(MPI_Comm, int count, const int* sources, const int* degrees,
                          const int* destinations, const int* weights, MPI_Info, int reorder,
                          MPI_Comm* made);
int MPI_Dist_graph_create_adjacent(MPI_Comm, int in, const int* sources, const int* in_weights,
                                   int out, const int* destinations, const int* out_weights,
                                   MPI_Info, int reorder, MPI_Comm* made);
int MPI_Intercomm_create(MPI_Comm local, int leader, MPI_Comm peer, int remote_leader, int tag,
                         MPI_Comm* made);
int MPI_Intercomm_merge(MPI_Comm, int high, MPI_Comm* made);
int PMPI_Comm_rank(MPI_Comm, int* rank);
int PMPI_Comm_size(MPI_Comm, int* size);
int PMPI_Comm_group(MPI_Comm, MPI_Group*);
int PMPI_Cartdim_get(MPI_Comm, int* dimensions);
int PMPI_Cart_get(MPI_Comm, int most, int* widths, int* periods, int* place);
int PMPI_Cart_coords(MPI_Comm, int rank, int most, int* place);
int PMPI_Dist_graph_neighbors_count(MPI_Comm, int* in, int* out, int* weighted);
int PMPI_Dist_graph_neighbors(MPI_Comm, int in, int* sources, int* in_weights, int out,
                              int* destinations, int* out_weights);
int PMPI_Group_incl(MPI_Group, int count, const int* ranks, MPI_Group* made);
int PMPI_Group_compare(MPI_Group, MPI_Group, int* relation);
int PMPI_Group_free(MPI_Group*);
inline int PMPI_Comm_free(MPI_Comm* comm) { return MPI_Comm_free(comm); }
inline int PMPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* made) {
  return MPI_Comm_split(comm, colour, key, made);
}
inline int PMPI_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int* sources,
                                           const int* in_weights, int out, const int* destinations,
                                           const int* out_weights, MPI_Info info, int reorder,
                                           MPI_Comm* made) {
  return MPI_Dist_graph_create_adjacent(comm, in, sources, in_weights, out, destinations,
                                        out_weights, info, reorder, made);
}

int PMPI_Type_contiguous(int count, MPI_Datatype, MPI_Datatype* made);
int PMPI_Type_create_struct(int count, const int* lengths, const MPI_Aint* places,
                            const MPI_Datatype* types, MPI_Datatype* made);
inline int PMPI_Type_commit(MPI_Datatype*) { return MPI_SUCCESS; }
inline int PMPI_Type_free(MPI_Datatype*) { return MPI_SUCCESS; }
inline int PMPI_Op_create(MPI_User_function*, int, MPI_Op* made) {
  *made = MPI_NO_OP + 1;
  return MPI_SUCCESS;
}
inline int PMPI_Get_address(const void* place, MPI_Aint* address) {
  *address = reinterpret_cast<MPI_Aint>(place);
  return MPI_SUCCESS;
}
inline int MPI_Finalize() { return MPI_SUCCESS; }
