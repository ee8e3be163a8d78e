/* SPDX-License-Identifier: MIT
 * Operations that number themselves by tags, as BLACS does: on each communicator by itself, from 176 to 9975 and then again. How many there are in a step
 * depends on data, which all ranks have alike. usage: counted_tags [STEPS] [plain]   plain: all have the same tag. */
#include "ring.h"

enum { kSteps = 200, kFirst = 176, kLast = 9975, kCombine = 9976 };

static MPI_Comm comms[2];
static int numbers[2] = {kFirst - 1, kFirst - 1}, is_plain;
static unsigned long state = 5;

static int below(int limit) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (int)((state >> 33) % (unsigned long)limit);
}

static int next_tag(int which) {
  if (is_plain) return kFirst;
  return numbers[which] = numbers[which] == kLast ? kFirst : numbers[which] + 1;
}

/* From the root to the next rank, and so on: each receives and sends with one tag. */
static void pass_on(int which, int root) {
  int value = 1, tag = next_tag(which);
  if (rank != root) MPI_Recv(&value, 1, MPI_INT, left, tag, comms[which], MPI_STATUS_IGNORE);
  if (right != root) MPI_Send(&value, 1, MPI_INT, right, tag, comms[which]);
}

/* To the left, and from the right; once more with a tag that does not count. */
static void shift(int which) {
  int out = rank, in = 0, tag = next_tag(which);
  MPI_Request requests[2];
  MPI_Irecv(&in, 1, MPI_INT, right, tag, comms[which], &requests[0]);
  MPI_Isend(&out, 1, MPI_INT, left, tag, comms[which], &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  EXPECT(in == right);
  MPI_Sendrecv(&out, 1, MPI_INT, left, kCombine, &in, 1, MPI_INT, right, kCombine, comms[which],
               MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : kSteps;
  is_plain = argc > 2 && strcmp(argv[2], "plain") == 0;
  MPI_Init(&argc, &argv);
  find_ring();
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  for (int step = 0; step < steps; ++step) {
    for (int left_over = 1 + below(7); left_over > 0; --left_over) pass_on(0, 0);
    for (int left_over = below(5); left_over > 0; --left_over) shift(0);
    if (below(3) == 0) pass_on(1, ranks - 1);
  }
  MPI_Comm_free(&comms[0]);
  MPI_Comm_free(&comms[1]);
  finish("counted_tags");
  return 0;
}
