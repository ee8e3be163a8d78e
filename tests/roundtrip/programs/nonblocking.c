/* SPDX-License-Identifier: MIT
 * Every way to complete requests: Wait, Waitall, Waitany, Waitsome, and polling with Test, Testall, Testany, Testsome.
 * How often a poll fails is chance; how often one succeeds is not. Waitsome and Testsome give as many as they like: their calls
 * are told on stderr ("count PROCEDURE CALLS"). */
#include "ring.h"

enum { kRounds = 20, kPairs = 2, kRequests = 2 * kPairs };
static int out[kPairs], in[kPairs];

static void post(MPI_Request request[kRequests], int round) {
  for (int i = 0; i < kPairs; ++i) {
    in[i] = -1;
    out[i] = 1000 * round + 10 * rank + i;
    MPI_Irecv(&in[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &request[i]);
  }
  MPI_Isend(&out[0], 1, MPI_INT, right, 0, MPI_COMM_WORLD, &request[kPairs]);
  MPI_Issend(&out[1], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &request[kPairs + 1]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  long some[2] = {0, 0};
  for (int round = 0; round < kRounds; ++round)
    for (int way = 0; way < 8; ++way) {
      MPI_Request request[kRequests];
      MPI_Status status[kRequests];
      int index[kRequests], done = 0, flag = 0, given = 0, which = 0;
      post(request, round);
      switch (way) {
        case 0:
          for (int i = 0; i < kRequests; ++i) MPI_Wait(&request[i], &status[i]);
          EXPECT(status[0].MPI_SOURCE == left && status[1].MPI_TAG == 1);
          break;
        case 1:
          MPI_Waitall(kRequests, request, MPI_STATUSES_IGNORE);
          break;
        case 2:
          for (done = 0; done < kRequests; ++done) MPI_Waitany(kRequests, request, &which, status);
          break;
        case 3:
          while (done < kRequests) {
            MPI_Waitsome(kRequests, request, &given, index, status);
            done += given;
            ++some[0];
          }
          break;
        case 4:
          for (int i = 0; i < kRequests; ++i) do
              MPI_Test(&request[i], &flag, &status[i]);
            while (!flag);
          break;
        case 5:
          do MPI_Testall(kRequests, request, &flag, status);
          while (!flag);
          break;
        case 6:
          while (done < kRequests) {
            MPI_Testany(kRequests, request, &which, &flag, status);
            done += flag;
          }
          break;
        default:
          while (done < kRequests) {
            MPI_Testsome(kRequests, request, &given, index, status);
            done += given;
            some[1] += given > 0;
          }
      }
      for (int i = 0; i < kRequests; ++i) EXPECT(request[i] == MPI_REQUEST_NULL);
      for (int i = 0; i < kPairs; ++i) EXPECT(in[i] == 1000 * round + 10 * left + i);
    }
  fprintf(stderr, "count MPI_Waitsome %ld\ncount MPI_Testsome %ld\n", some[0], some[1]);
  finish("nonblocking");
  return 0;
}
