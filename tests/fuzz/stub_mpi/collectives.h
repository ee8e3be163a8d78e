// SPDX-License-Identifier: MIT
// Of mpi.h: collective operations, blocking and not, on communicators as far as their sizes are known.
#pragma once

#include "tests/fuzz/stub_mpi/library.hpp"

namespace reprise::fuzz::stub {

// What a member gives to each, and gets from each, at places in units of `scale` bytes.
template <class Place>
int exchange(const void* out, const int* counts, const Place* places, const int* types, int type,
             bool writes, int comm) {
  if (out == MPI_IN_PLACE) return ranks_in(comm);
  for (int i = 0; i < ranks_in(comm); ++i) {
    const int own = types == nullptr ? type : types[i];
    auto* place = static_cast<char*>(const_cast<void*>(out)) +
                  places[i] * (types == nullptr ? size_of_type(type) : 1);
    if (writes)
      write(place, counts[i], own);
    else
      read(place, counts[i], own);
  }
  return MPI_SUCCESS;
}
inline bool is_root(int root, int comm) {
  check_rank(comm, root);
  return root == MPI_ROOT || root == stub::comm(comm).me;
}
inline int reduce(const void* in, void* out, std::int64_t count, int type, bool gets, int comm) {
  stub::comm(comm);
  read(in, count, type);
  if (gets) write(out, count, type);
  return MPI_SUCCESS;
}
// Parts of one size: `gives` and `gets` of them.
inline int regular(const void* in, int sent, int type, int gives, void* out, int got, int out_type,
                   int gets, int comm) {
  stub::comm(comm);
  if (gives > 0) read(in, std::int64_t{sent} * gives, type);
  if (gets > 0) write(out, std::int64_t{got} * gets, out_type);
  return MPI_SUCCESS;
}

}  // namespace reprise::fuzz::stub

// MPI_NAME and MPI_INAME with the same parameters; what the second one writes is written at once.
#define STUB_BOTH(NAME, INAME, PARAMETERS, ...)               \
  inline int MPI_##NAME(PARAMETERS) {                         \
    using namespace reprise::fuzz::stub;                      \
    return __VA_ARGS__;                                       \
  }                                                           \
  inline int MPI_I##INAME(PARAMETERS, MPI_Request* request) { \
    using namespace reprise::fuzz::stub;                      \
    *request = start();                                       \
    return __VA_ARGS__;                                       \
  }
#define STUB_IN const void *in, int n, MPI_Datatype t
#define STUB_OUT void *out, int m, MPI_Datatype u
#define STUB_INS const void *in, const int *n, const int *p, MPI_Datatype t
#define STUB_OUTS void *out, const int *m, const int *q, MPI_Datatype u

inline int MPI_Barrier(MPI_Comm c) {
  reprise::fuzz::stub::comm(c);
  return MPI_SUCCESS;
}
inline int MPI_Ibarrier(MPI_Comm c, MPI_Request* request) {
  *request = reprise::fuzz::stub::start();
  return MPI_Barrier(c);
}

#define STUB_BCAST STUB_OUT, int root, MPI_Comm c
STUB_BOTH(Bcast, bcast, STUB_BCAST, is_root(root, c) ? (read(out, m, u), 0) : (write(out, m, u), 0))
#define STUB_REDUCE STUB_IN_OP, MPI_Comm c
#define STUB_IN_OP const void *in, void *out, int n, MPI_Datatype t, MPI_Op
#define STUB_ROOTED_REDUCE STUB_IN_OP, int root, MPI_Comm c
STUB_BOTH(Reduce, reduce, STUB_ROOTED_REDUCE, reduce(in, out, n, t, is_root(root, c), c))
STUB_BOTH(Allreduce, allreduce, STUB_REDUCE, reduce(in, out, n, t, true, c))
STUB_BOTH(Scan, scan, STUB_REDUCE, reduce(in, out, n, t, true, c))
STUB_BOTH(Exscan, exscan, STUB_REDUCE, reduce(in, out, n, t, true, c))
STUB_BOTH(Reduce_scatter_block, reduce_scatter_block, STUB_REDUCE,
          reduce(in, out, std::int64_t{n} * ranks_in(c), t, false, c) + (write(out, n, t), 0))
#define STUB_REDUCE_LISTS \
  const void *in, void *out, const int *n, MPI_Datatype t, MPI_Op, MPI_Comm c
STUB_BOTH(Reduce_scatter, reduce_scatter, STUB_REDUCE_LISTS,
          (write(out, n[comm(c).size > 0 ? comm(c).me : 0], t), read(in, n[0], t), 0))

#define STUB_ROOTED STUB_IN, STUB_OUT, int root, MPI_Comm c
STUB_BOTH(Gather, gather, STUB_ROOTED,
          regular(in, n, t, 1, out, m, u, is_root(root, c) ? ranks_in(c) : 0, c))
STUB_BOTH(Scatter, scatter, STUB_ROOTED,
          regular(in, n, t, is_root(root, c) ? ranks_in(c) : 0, out, m, u, 1, c))
#define STUB_ALL STUB_IN, STUB_OUT, MPI_Comm c
STUB_BOTH(Allgather, allgather, STUB_ALL, regular(in, n, t, 1, out, m, u, ranks_in(c), c))
STUB_BOTH(Alltoall, alltoall, STUB_ALL, regular(in, n, t, ranks_in(c), out, m, u, ranks_in(c), c))
STUB_BOTH(Neighbor_allgather, neighbor_allgather, STUB_ALL, regular(in, n, t, 1, out, m, u, 1, c))
STUB_BOTH(Neighbor_alltoall, neighbor_alltoall, STUB_ALL, regular(in, n, t, 1, out, m, u, 1, c))

#define STUB_GATHERV STUB_IN, STUB_OUTS, int root, MPI_Comm c
STUB_BOTH(Gatherv, gatherv, STUB_GATHERV,
          (read(in, n, t), is_root(root, c) ? exchange(out, m, q, nullptr, u, true, c) : 0))
#define STUB_SCATTERV STUB_INS, STUB_OUT, int root, MPI_Comm c
STUB_BOTH(Scatterv, scatterv, STUB_SCATTERV,
          (write(out, m, u), is_root(root, c) ? exchange(in, n, p, nullptr, t, false, c) : 0))
#define STUB_ALLGATHERV STUB_IN, STUB_OUTS, MPI_Comm c
STUB_BOTH(Allgatherv, allgatherv, STUB_ALLGATHERV,
          (read(in, n, t), exchange(out, m, q, nullptr, u, true, c)))
STUB_BOTH(Neighbor_allgatherv, neighbor_allgatherv, STUB_ALLGATHERV,
          (comm(c), read(in, n, t), write(static_cast<char*>(out) + q[0], m[0], u), 0))
#define STUB_ALLTOALLV STUB_INS, STUB_OUTS, MPI_Comm c
STUB_BOTH(Alltoallv, alltoallv, STUB_ALLTOALLV,
          (exchange(in, n, p, nullptr, t, false, c), exchange(out, m, q, nullptr, u, true, c)))
STUB_BOTH(Neighbor_alltoallv, neighbor_alltoallv, STUB_ALLTOALLV,
          (comm(c), read(static_cast<const char*>(in) + p[0], n[0], t),
           write(static_cast<char*>(out) + q[0], m[0], u), 0))
#define STUB_ALLTOALLW                                                                        \
  const void *in, const int *n, const int *p, const MPI_Datatype *t, void *out, const int *m, \
      const int *q, const MPI_Datatype *u, MPI_Comm c
STUB_BOTH(Alltoallw, alltoallw, STUB_ALLTOALLW,
          (exchange(in, n, p, t, 0, false, c), exchange(out, m, q, u, 0, true, c)))
#define STUB_NEIGHBOR_ALLTOALLW                                                                    \
  const void *in, const int *n, const MPI_Aint *p, const MPI_Datatype *t, void *out, const int *m, \
      const MPI_Aint *q, const MPI_Datatype *u, MPI_Comm c
STUB_BOTH(Neighbor_alltoallw, neighbor_alltoallw, STUB_NEIGHBOR_ALLTOALLW,
          (comm(c), read(static_cast<const char*>(in) + p[0], n[0], t[0]),
           write(static_cast<char*>(out) + q[0], m[0], u[0]), 0))

inline int PMPI_Barrier(MPI_Comm c) { return MPI_Barrier(c); }
inline int PMPI_Bcast(void*, int, MPI_Datatype, int, MPI_Comm c) { return MPI_Barrier(c); }
// Of one rank, whatever is agreed on is what it says itself.
int PMPI_Reduce(const void* in, void* out, int count, MPI_Datatype, MPI_Op, int, MPI_Comm);
int PMPI_Allreduce(const void* in, void* out, int count, MPI_Datatype, MPI_Op, MPI_Comm);
int PMPI_Allgather(const void* in, int sent, MPI_Datatype, void* out, int got, MPI_Datatype,
                   MPI_Comm);
int PMPI_Allgatherv(const void* in, int sent, MPI_Datatype, void* out, const int* got,
                    const int* places, MPI_Datatype, MPI_Comm);
