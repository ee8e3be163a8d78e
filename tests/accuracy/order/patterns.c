// SPDX-License-Identifier: MIT
// A program whose compute times are known exactly. It brings a clock of its own: CLOCK_THREAD_CPUTIME_ID reads a counter that advances by
// each step's prescribed time and by nothing else, so a recording with --clock cpu sees these durations, whatever the machine does.
//
// usage: patterns PATTERN COMMUNICATION STEPS MICROSECONDS LOG
//   PATTERN         how the durations of a step differ over ranks and steps: see duration(); for some the messages differ, too: see size()
//   COMMUNICATION   allreduce: all ranks wait for the slowest; ring: each for its two neighbours; pipe: each for the one before it
//   MICROSECONDS    the mean of a step
//   LOG.RANK        receives the durations in seconds, one a line
//
// mpicc -O2 patterns.c -o patterns
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int64_t computed_ns = 1000000000;

int clock_gettime(clockid_t clock, struct timespec* t) {
  if (clock != CLOCK_THREAD_CPUTIME_ID) return (int)syscall(SYS_clock_gettime, clock, t);
  t->tv_sec = computed_ns / 1000000000;
  t->tv_nsec = computed_ns % 1000000000;
  return 0;
}

// SplitMix64 (Steele et al., OOPSLA 2014).
static uint64_t mixed(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}
static double uniform(uint64_t stream, uint64_t number) {
  return (double)(mixed(mixed(stream) * 1000003u + number) >> 11) / 9007199254740992.0;
}

static int rank, ranks;

// Of step k of n, in units of the mean of a step.
static double duration(const char* pattern, int k, int n) {
  if (!strcmp(pattern, "constant")) return 1;
  if (!strcmp(pattern, "imbalance")) return 0.5 + (double)rank / (ranks - 1);
  if (!strcmp(pattern, "short-long")) return k % 2 ? 1.8 : 0.2;  // all ranks at once
  if (!strcmp(pattern, "short-long-apart"))
    return (k + rank) % 2 ? 1.8 : 0.2;  // even and odd ranks take turns
  if (!strcmp(pattern, "one-in-three")) return k % 3 == 0 ? 2.4 : 0.3;
  if (!strcmp(pattern, "one-in-forty")) return k % 40 == 39 ? 20 : 0.5;
  if (!strcmp(pattern, "round-robin"))
    return k % ranks == rank ? 8 : 0.5;  // the long step goes round the ranks
  if (!strcmp(pattern, "drift")) return 0.25 + 1.5 * k / n;
  if (!strcmp(pattern, "two-phases")) return k < n / 2 ? 0.4 : 1.6;
  if (!strcmp(pattern, "halves-swap")) return (k < n / 2) == (rank < ranks / 2) ? 1.6 : 0.4;
  if (!strcmp(pattern, "random")) return uniform((uint64_t)rank + 1, (uint64_t)k) < 0.2 ? 3 : 0.5;
  if (!strcmp(pattern, "random-together")) return uniform(777, (uint64_t)k) < 0.2 ? 3 : 0.5;
  if (!strcmp(pattern, "lognormal")) {
    double normal = -6, e = 1, term = 1;  // twelve uniform numbers add up to nearly a normal one
    for (int i = 0; i < 12; i++) normal += uniform((uint64_t)(rank * 12 + i + 1), (uint64_t)k);
    for (int i = 1; i < 20; i++) e += term *= 0.5 * normal / i;
    return 0.8 * e;
  }
  if (!strcmp(pattern, "warm-up"))
    return k == 0 ? 60 : 0.75;          // the first pass is long on every rank
  if (!strcmp(pattern, "wandering")) {  // work that drifts slowly from rank to rank
    const int centre = (int)((long)k * ranks / n), apart = abs(rank - centre);
    return apart == 0 ? 4 : apart == 1 ? 2 : 0.5;
  }
  // Rare long steps take as long as all others together.
  if (!strcmp(pattern, "one-in-thousand")) return k % 1000 == 999 ? 500 : 0.5;  // all ranks at once
  if (!strcmp(pattern, "one-in-thousand-scattered"))  // by chance, at most one rank at a time
    return uniform(4711, (uint64_t)k) < 0.001 * ranks &&
                   (int)(uniform(4712, (uint64_t)k) * ranks) == rank
               ? 500
               : 0.5;
  // Beside messages of two sizes, one after the other; beside messages that grow.
  if (!strcmp(pattern, "size-phases")) return (k < n / 2 ? 0.5 : 1.5) * (k % 2 ? 1.8 : 0.2);
  if (!strcmp(pattern, "size-drift")) return k % ranks == rank ? 4 : 0.25 + 0.5 * k / n;
  fprintf(stderr, "patterns: there is no pattern %s\n", pattern);
  exit(2);
}

enum { kMostElements = 8192 };

// Of the messages of step k of n, in elements of eight bytes.
static int size(const char* pattern, int k, int n) {
  if (!strcmp(pattern, "size-phases")) return k < n / 2 ? kMostElements / 8 : kMostElements;
  if (!strcmp(pattern, "size-drift")) return 1 + (int)((long)(kMostElements - 1) * k / n);
  return 1;
}

static void exchange(const char* communication, double* x, int elements) {
  static double y[kMostElements];
  if (!strcmp(communication, "allreduce")) {
    MPI_Allreduce(x, y, elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } else {
    const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    static double in[2][kMostElements];
    MPI_Request requests[4];
    MPI_Irecv(in[0], elements, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in[1], elements, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(x, elements, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(x, elements, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 6) {
    fprintf(stderr, "usage: patterns PATTERN allreduce|ring|pipe STEPS MICROSECONDS LOG\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const char *pattern = argv[1], *communication = argv[2];
  const int steps = atoi(argv[3]), is_pipe = !strcmp(communication, "pipe");
  int64_t* ns = malloc((size_t)steps * sizeof *ns);
  for (int k = 0; k < steps; k++)
    ns[k] = (int64_t)(duration(pattern, k, steps) * atof(argv[4]) * 1e3 + 0.5);
  static double x[kMostElements];
  MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 0; k < steps; k++) {
    const int elements = size(pattern, k, steps);
    if (is_pipe && rank > 0)
      MPI_Recv(x, elements, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    computed_ns += ns[k];
    if (!is_pipe) exchange(communication, x, elements);
    if (is_pipe && rank < ranks - 1) MPI_Send(x, elements, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  char name[4096];
  snprintf(name, sizeof name, "%s.%d", argv[5], rank);
  FILE* log = fopen(name, "w");
  for (int k = 0; log && k < steps; k++) fprintf(log, "%.9f\n", (double)ns[k] * 1e-9);
  if (log) fclose(log);
  return 0;
}
