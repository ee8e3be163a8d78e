/* SPDX-License-Identifier: MIT
 * Messages as fast as they go, or with some work between them; prints the CPU time that a rank took, the mean of all ranks in seconds: nobody
 * waits but in mode pairs, and a busy machine changes it little.
 *
 * usage: message_rate MODE MESSAGES LINES
 * MODE    self      each rank to itself, MPI_Sendrecv of 8 bytes: nobody waits for another
 *         requests  likewise, MPI_Irecv, MPI_Isend, MPI_Waitall
 *         pairs     ranks 0 and 1, 2 and 3 …: MPI_Send and MPI_Recv back and forth, as osu_multi_lat does
 * LINES   cache lines of 32 KiB that are walked through before each message
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kMemory = 32 * 1024, kLine = 64, kWarmUp = 200 };
static unsigned char memory[kMemory];
static size_t next;
static volatile unsigned sum;

static void work(long lines) {
  unsigned local = 0;
  for (; lines > 0; --lines) {
    local += memory[next]++;
    next = (next + kLine) % kMemory;
  }
  sum += local;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static char out[8], in[8];

static void self(long messages, long lines) {
  for (long i = 0; i < messages; ++i) {
    work(lines);
    MPI_Sendrecv(out, 8, MPI_CHAR, 0, 7, in, 8, MPI_CHAR, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  }
}

static void requests(long messages, long lines) {
  for (long i = 0; i < messages; ++i) {
    MPI_Request pending[2];
    MPI_Irecv(in, 8, MPI_CHAR, 0, 7, MPI_COMM_SELF, &pending[0]);
    MPI_Isend(out, 8, MPI_CHAR, 0, 7, MPI_COMM_SELF, &pending[1]);
    work(lines);
    MPI_Waitall(2, pending, MPI_STATUSES_IGNORE);
  }
}

static void pairs(long messages, long lines) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int partner = rank ^ 1;
  for (long i = 0; i < messages; ++i) {
    work(lines);
    if (rank % 2 == 0) MPI_Send(out, 8, MPI_CHAR, partner, 7, MPI_COMM_WORLD);
    MPI_Recv(in, 8, MPI_CHAR, partner, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank % 2 == 1) MPI_Send(out, 8, MPI_CHAR, partner, 7, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  int rank, ranks;
  double mine = 0, all = 0;
  if (argc != 4) return 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  void (*run)(long, long) = !strcmp(argv[1], "pairs")      ? pairs
                            : !strcmp(argv[1], "requests") ? requests
                                                           : self;
  const long lines = atol(argv[3]);
  for (int timed = 0; timed < 2; ++timed) {
    const long messages = timed ? atol(argv[2]) : kWarmUp;
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = now();
    run(messages, lines);
    mine += now() - begin;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.9f\n", all / ranks);
  MPI_Finalize();
  return 0;
}
