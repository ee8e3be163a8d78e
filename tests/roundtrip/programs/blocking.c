/* SPDX-License-Identifier: MIT
 * Every blocking way to send round a ring, PROC_NULL at both ends, and a message whose size only a probe tells. */
#include "ring.h"

enum { kRounds = 5, kWords = 100 };
typedef int Sender(const void*, int, MPI_Datatype, int, int, MPI_Comm);

/* Rank 0 sends first, the others receive first: no cycle even where sends wait for their receive. */
static void once_round(Sender* sender, int tag) {
  int mine[kWords], got[kWords];
  for (int i = 0; i < kWords; ++i) mine[i] = rank * kWords + i;
  MPI_Status status;
  if (rank == 0) sender(mine, kWords, MPI_INT, right, tag, MPI_COMM_WORLD);
  MPI_Recv(got, kWords, MPI_INT, left, tag, MPI_COMM_WORLD, &status);
  if (rank != 0) sender(mine, kWords, MPI_INT, right, tag, MPI_COMM_WORLD);
  EXPECT(got[3] == left * kWords + 3 && status.MPI_SOURCE == left && status.MPI_TAG == tag);
}

static void ready_send(void) {
  double out = rank, in = -1;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_DOUBLE, left, 4, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Rsend(&out, 1, MPI_DOUBLE, right, 4, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(in == left);
}

static void exchange(void) {
  long out = rank, in = -1;
  MPI_Sendrecv(&out, 1, MPI_LONG, right, 5, &in, 1, MPI_LONG, left, 5, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  EXPECT(in == left);
  MPI_Sendrecv_replace(&out, 1, MPI_LONG, left, 6, right, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT(out == right);
  /* An open chain: the ends talk to nobody. */
  const int before = rank > 0 ? rank - 1 : MPI_PROC_NULL,
            after = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  in = -1;
  MPI_Sendrecv(&out, 1, MPI_LONG, after, 7, &in, 1, MPI_LONG, before, 7, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  EXPECT(in == (rank > 0 ? rank : -1));
}

static void probed(void) {
  char out[64] = "", in[64];
  MPI_Status status;
  int bytes = -1;
  if (rank == 0) MPI_Send(out, 1 + rank, MPI_CHAR, right, 8, MPI_COMM_WORLD);
  MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_CHAR, &bytes);
  EXPECT(bytes == 1 + left && status.MPI_SOURCE == left);
  MPI_Recv(in, bytes, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  if (rank != 0) MPI_Send(out, 1 + rank, MPI_CHAR, right, 8, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  static char buffer[kWords * sizeof(int) + MPI_BSEND_OVERHEAD];
  for (int round = 0; round < kRounds; ++round) {
    once_round(MPI_Send, 1);
    once_round(MPI_Ssend, 2);
    void* detached;
    int bytes;
    MPI_Buffer_attach(buffer, (int)sizeof buffer);
    once_round(MPI_Bsend, 3);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Buffer_detach(&detached, &bytes);
    ready_send();
    exchange();
  }
  probed();
  int nothing = 7;
  MPI_Send(&nothing, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
  MPI_Recv(&nothing, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT(nothing == 7);
  finish("blocking");
  return 0;
}
