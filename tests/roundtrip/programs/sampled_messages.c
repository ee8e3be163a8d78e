// SPDX-License-Identifier: MIT
// Messages whose size tells which they are: of two on one stream the sizes differ, so a recorder that takes one for the other sees it.
// usage: sampled_messages plain|threads|shared [STEPS]    Rank 0 prints how many messages all ranks have sent.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 16384, kMany = 24 };
static int rank, ranks, steps;
static long sent;
static unsigned next_size;
static char out[kMost], in[kMany][kMost];

static int size_of_next(void) {
  ++sent;
  return 1 + (int)(next_size++ * 37 % 8191);
}

// Everybody sends two messages of each of three tags to everybody else; receives have wildcards, and complete in any order.
static void wildcards(MPI_Comm comm, int any_tag) {
  MPI_Request sends[6 * 8], receives[kMany];
  int count = 0, sends_count = 0, size, me;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &me);
  const int expected = 6 * (size - 1);
  for (int i = 0; i < expected; ++i)
    MPI_Irecv(in[i], kMost, MPI_BYTE, MPI_ANY_SOURCE, any_tag ? MPI_ANY_TAG : i % 3, comm,
              &receives[count++]);
  for (int k = 0; k < 2; ++k)
    for (int tag = 0; tag < 3; ++tag)
      for (int to = 0; to < size; ++to)
        if (to != me)
          MPI_Isend(out, size_of_next(), MPI_BYTE, to, tag, comm, &sends[sends_count++]);
  int left = expected, index, flag, indices[kMany];
  MPI_Waitall(sends_count, sends, MPI_STATUSES_IGNORE);
  // From behind: the later half, one at a time, then what is ready.
  for (int i = 0; i < expected / 2; ++i, --left)
    MPI_Waitany(expected / 2, receives + (expected - expected / 2), &index, MPI_STATUS_IGNORE);
  MPI_Testany(count, receives, &index, &flag, MPI_STATUS_IGNORE);
  if (flag && index != MPI_UNDEFINED) --left;
  while (left > 0) {
    int ready;
    MPI_Waitsome(count, receives, &ready, indices, MPI_STATUSES_IGNORE);
    if (ready == MPI_UNDEFINED) break;
    left -= ready;
  }
}

// Specific receives posted behind wildcards that may take the same messages.
static void behind_wildcards(MPI_Comm comm) {
  const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  MPI_Request requests[6];
  for (int i = 0; i < 3; ++i) {
    MPI_Irecv(in[2 * i], kMost, MPI_BYTE, MPI_ANY_SOURCE, 9, comm, &requests[2 * i]);
    MPI_Irecv(in[2 * i + 1], kMost, MPI_BYTE, from, i == 1 ? MPI_ANY_TAG : 9, comm,
              &requests[2 * i + 1]);
  }
  for (int i = 0; i < 6; ++i) MPI_Send(out, size_of_next(), MPI_BYTE, to, 9, comm);
  for (int i = 5; i >= 0; --i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
}

static void persistent(MPI_Comm comm) {
  const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  MPI_Request requests[4];
  MPI_Recv_init(in[0], kMost, MPI_BYTE, from, 20, comm, &requests[0]);
  MPI_Recv_init(in[1], kMost, MPI_BYTE, MPI_ANY_SOURCE, 21, comm, &requests[1]);
  const int first = 1 + (int)(next_size++ * 37 % 8191), second = 1 + (int)(next_size++ * 37 % 8191);
  MPI_Send_init(out, first, MPI_BYTE, to, 20, comm, &requests[2]);
  MPI_Ssend_init(out, second, MPI_BYTE, to, 21, comm, &requests[3]);
  for (int i = 0; i < 4; ++i) {
    MPI_Startall(2, requests);
    MPI_Start(&requests[2]);
    MPI_Start(&requests[3]);
    sent += 2;
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Send(out, size_of_next(), MPI_BYTE, to, 20, comm);
    MPI_Recv(in[2], kMost, MPI_BYTE, from, 20, comm, MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < 4; ++i) MPI_Request_free(&requests[i]);
}

static void exchanges(MPI_Comm comm) {
  const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  MPI_Sendrecv(out, size_of_next(), MPI_BYTE, to, 30, in[0], kMost, MPI_BYTE, from, 30, comm,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(out, size_of_next(), MPI_BYTE, to, 30, in[0], kMost, MPI_BYTE, MPI_ANY_SOURCE,
               MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
  ++sent;
  memset(in[0], 0, kMost);
  MPI_Sendrecv_replace(in[0], 107, MPI_BYTE, to, 31, from, 31, comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(out, size_of_next(), MPI_BYTE, MPI_PROC_NULL, 30, in[0], kMost, MPI_BYTE,
               MPI_PROC_NULL, 30, comm, MPI_STATUS_IGNORE);
  --sent;
  MPI_Request request;  // to itself
  MPI_Isend(out, size_of_next(), MPI_BYTE, rank, 33, comm, &request);
  MPI_Recv(in[0], kMost, MPI_BYTE, rank, 33, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void probes(MPI_Comm comm) {
  const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  MPI_Request sends[4], receive;
  for (int i = 0; i < 4; ++i) MPI_Isend(out, size_of_next(), MPI_BYTE, to, 40, comm, &sends[i]);
  MPI_Message first, second;
  MPI_Status status;
  int flag = 0;
  MPI_Mprobe(MPI_ANY_SOURCE, 40, comm, &first, &status);
  while (!flag) MPI_Improbe(from, MPI_ANY_TAG, comm, &flag, &second, &status);
  MPI_Probe(from, 40, comm, &status);
  MPI_Recv(in[2], kMost, MPI_BYTE, from, 40, comm, MPI_STATUS_IGNORE);
  MPI_Imrecv(in[1], kMost, MPI_BYTE, &second, &receive);
  MPI_Recv(in[3], kMost, MPI_BYTE, MPI_ANY_SOURCE, 40, comm, MPI_STATUS_IGNORE);
  MPI_Mrecv(in[0], kMost, MPI_BYTE, &first, MPI_STATUS_IGNORE);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  MPI_Waitall(4, sends, MPI_STATUSES_IGNORE);
}

// A wildcard receive that nothing comes for, taken back while others behind it are complete.
static void cancelled(MPI_Comm comm) {
  const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  MPI_Request never, receive;
  MPI_Irecv(in[0], kMost, MPI_BYTE, MPI_ANY_SOURCE, 51, comm, &never);
  MPI_Irecv(in[1], kMost, MPI_BYTE, MPI_ANY_SOURCE, 50, comm, &receive);
  MPI_Send(out, size_of_next(), MPI_BYTE, to, 50, comm);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  MPI_Cancel(&never);
  MPI_Wait(&never, MPI_STATUS_IGNORE);
  MPI_Barrier(comm);
  MPI_Sendrecv(out, size_of_next(), MPI_BYTE, to, 51, in[0], kMost, MPI_BYTE, from, 51, comm,
               MPI_STATUS_IGNORE);
}

static void across(MPI_Comm inter) {
  int me, others;
  MPI_Comm_rank(inter, &me);
  MPI_Comm_remote_size(inter, &others);
  MPI_Request requests[8];
  int count = 0;
  for (int to = 0; to < others; ++to)
    MPI_Isend(out, size_of_next(), MPI_BYTE, to, 60, inter, &requests[count++]);
  for (int i = 0; i < others; ++i)
    MPI_Recv(in[0], kMost, MPI_BYTE, MPI_ANY_SOURCE, 60, inter, MPI_STATUS_IGNORE);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static void plain(void) {
  MPI_Comm half, copy, inter;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Intercomm_create(
      half, 0, MPI_COMM_WORLD,
      rank % 2 == 0 ? (ranks - 1) / 2 * 2 + (ranks % 2 == 0 ? 1 : -1) : (ranks - 1) / 2 * 2, 5,
      &inter);
  for (int step = 0; step < steps; ++step) {
    wildcards(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    wildcards(copy, 0);
    MPI_Barrier(copy);
    wildcards(half, step % 2);
    behind_wildcards(copy);
    MPI_Barrier(copy);
    persistent(MPI_COMM_WORLD);
    exchanges(copy);
    MPI_Barrier(copy);
    probes(copy);
    MPI_Barrier(copy);
    cancelled(MPI_COMM_WORLD);
    across(inter);
  }
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Comm_free(&copy);
}

// ------------------------------------------------------------------ threads
static int is_shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static void* of_a_thread(void* argument) {
  const int number = (int)(long)argument, tag = is_shared ? 70 : 70 + number;
  const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  char mine[kMost], theirs[kMost];
  pthread_barrier_wait(&both);
  for (int step = 0; step < 20 * steps; ++step) {
    pthread_mutex_lock(&lock);
    const int size = size_of_next();
    pthread_mutex_unlock(&lock);
    MPI_Request request;
    MPI_Isend(mine, size, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
    MPI_Recv(theirs, kMost, MPI_BYTE, step % 2 == 0 ? from : MPI_ANY_SOURCE, tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return NULL;
}

static void threads(void) {
  pthread_t all[2];
  pthread_barrier_init(&both, NULL, 2);
  for (long i = 0; i < 2; ++i) pthread_create(&all[i], NULL, of_a_thread, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(all[i], NULL);
}

int main(int argc, char** argv) {
  const int has_threads = argc > 1 && strcmp(argv[1], "plain") != 0;
  is_shared = argc > 1 && strcmp(argv[1], "shared") == 0;
  steps = argc > 2 ? atoi(argv[2]) : 10;
  int level;
  MPI_Init_thread(&argc, &argv, has_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  next_size = 1000u * (unsigned)rank;
  if (has_threads && level == MPI_THREAD_MULTIPLE)
    threads();
  else if (!has_threads)
    plain();
  long all = 0;
  MPI_Reduce(&sent, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%ld messages\nsampled_messages: ok\n", all);
  MPI_Finalize();
  return 0;
}
