/* SPDX-License-Identifier: MIT
 * A million requests under way at once on every rank (MPICH 4.0 has room for fewer), completed in one call; then some thousand, one at a time, in
 * several orders. */
#include "ring.h"

#ifdef OPEN_MPI
enum { kMany = 500000 };
#else
enum { kMany = 100000 };
#endif
enum { kSome = 2000 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  MPI_Request* requests = malloc(2 * kMany * sizeof *requests);
  char *in = calloc(kMany, 1), out = 'x';
  for (int i = 0; i < kMany; ++i)
    MPI_Irecv(&in[i], 1, MPI_CHAR, rank, 1, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < kMany; ++i)
    MPI_Isend(&out, 1, MPI_CHAR, rank, 1, MPI_COMM_WORLD, &requests[kMany + i]);
  MPI_Waitall(2 * kMany, requests, MPI_STATUSES_IGNORE);
  EXPECT(in[0] == 'x' && in[kMany - 1] == 'x');
  for (int order = 0; order < 3; ++order) {
    for (int i = 0; i < kSome; ++i)
      MPI_Irecv(&in[i], 1, MPI_CHAR, left, order, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < kSome; ++i)
      MPI_Isend(&out, 1, MPI_CHAR, right, order, MPI_COMM_WORLD, &requests[kSome + i]);
    for (int i = 0; i < 2 * kSome; ++i) {
      const int which = order == 0 ? i : order == 1 ? 2 * kSome - 1 - i : (i * 7 + 3) % (2 * kSome);
      MPI_Wait(&requests[which], MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 2 * kSome; ++i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  }
  free(requests);
  free(in);
  finish("zoo_many_requests");
  return 0;
}
