// SPDX-License-Identifier: MIT
// Logs what every rank computes between its MPI calls, in order: the truth that a replay of the same run's recording is measured against.
// Preloaded in front of the recorder (or without it), it knows the calls of recorder/mpi_calls.def only, so that it cuts a run where the
// recorder does.
//
// Clock     DURATION_LOG_CLOCK=cpu (the thread's CPU time, default) or wall.
// Writes    DURATION_LOG.RANK behind MPI_Finalize: one line a call, "PROCEDURE NANOSECONDS", the time since the call before it ended
//           (for the first one: since MPI_Init ended). With DURATION_LOG_INSIDE=1 a third word, the nanoseconds inside the call. With
//           DURATION_LOG_CAUSES=1 four more: of the wall clock since the call before, and inside the call; how often the thread was switched
//           out against its will since the call before; and how long a fixed amount of work took at the begin of the call, all in the
//           first-level cache (0 where what ended there was shorter than 5 us). That adds 1 us to each of these times, and nothing to the others' sum.
// Threads   the thread that called MPI_Init only.
// How       every MPI procedure takes integers and addresses, so one wrapper of sixteen words fits all of them, in C and in Fortran
//           (x86-64 and AArch64 pass them in registers and on the stack alike; words too many are read and not used).
//
// gcc -O2 -shared -fPIC -I REPRISE_SOURCE duration_log.c -o duration_log.so -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

typedef intptr_t Word;
typedef Word (*Procedure)(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word,
                          Word, Word, Word, Word);
struct Entry {
  const char* procedure;
  int64_t nanoseconds, inside;
  int64_t wall, wall_inside, core;
  long switches;
};

static struct Entry* entries;
static size_t count, capacity;
static int64_t last_end = -1;
static clockid_t kind = CLOCK_THREAD_CPUTIME_ID;
static __thread int depth, is_logged;
static int has_causes;
static int64_t last_wall;
static long last_switches;

static int64_t time_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int64_t now(void) { return time_of(kind); }

static long switches_now(void) {
  struct rusage use;
  getrusage(RUSAGE_THREAD, &use);
  return use.ru_nivcsw;
}

// Sweeps over 16 x 16 points (core_speed.c), after four that bring them into the cache. It is slower where another hardware thread of the
// same core computes.
static int64_t core_now(void) {
  enum { kRow = 18, kWarm = 4, kSweeps = 16 };
  static double points[2][kRow * kRow];
  static volatile double residual;
  int64_t begin = 0;
  for (int i = 0; i < kWarm + kSweeps; i++) {
    if (i == kWarm) begin = time_of(CLOCK_MONOTONIC);
    const double* from = points[i % 2];
    double *to = points[1 - i % 2], sum = 0;
    for (int y = 1; y < kRow - 1; y++)
      for (int x = 1; x < kRow - 1; x++) {
        const int at = y * kRow + x;
        const double mean =
            0.25 * (from[at - 1] + from[at + 1] + from[at - kRow] + from[at + kRow]);
        sum += (mean - from[at]) * (mean - from[at]);
        to[at] = mean;
      }
    residual = sum;
  }
  return time_of(CLOCK_MONOTONIC) - begin;
}

static void begin_causes(struct Entry* entry) {
  enum { kShort = 5000 };  // ns
  const int64_t wall = time_of(CLOCK_MONOTONIC);
  entry->wall = wall - last_wall;
  entry->switches = switches_now() - last_switches;
  entry->core = entry->nanoseconds < kShort ? 0 : core_now();
  entry->wall_inside = wall;  // until end()
}

static void end_causes(void) {
  last_wall = time_of(CLOCK_MONOTONIC);
  if (count > 0) entries[count - 1].wall_inside = last_wall - entries[count - 1].wall_inside;
  last_switches = switches_now();
}

// Every page of the log is written to before it is needed: a page fault between two calls would be computing to the recorder behind.
// Not zeroes, since compilers make calloc of malloc and memset, and that touches nothing.
static void touch(size_t from) { memset(entries + from, 1, (capacity - from) * sizeof *entries); }

static void begin(const char* procedure) {
  if (!is_logged || depth++ > 0) return;
  const int64_t start = now();
  if (count == capacity) {
    capacity *= 2;
    entries = realloc(entries, capacity * sizeof *entries);
    if (!entries) abort();
    touch(count);
  }
  entries[count++] = (struct Entry){.procedure = procedure, .nanoseconds = start - last_end};
  if (has_causes) begin_causes(&entries[count - 1]);
  entries[count - 1].inside = has_causes ? now() : start;  // until end()
}

static void end(void) {
  if (!is_logged || --depth > 0) return;
  const int64_t end = now();
  if (count > 0) entries[count - 1].inside = end - entries[count - 1].inside;
  if (has_causes) end_causes();
  last_end = has_causes ? now() : end;
}

// Before MPI_Init, so that the recorder behind sees none of it.
static void make_log(void) {
  const char* clock = getenv("DURATION_LOG_CLOCK");
  if (clock && !strcmp(clock, "wall")) kind = CLOCK_MONOTONIC;
  has_causes = getenv("DURATION_LOG_CAUSES") != NULL;
  capacity = 1 << 16;
  entries = malloc(capacity * sizeof *entries);
  if (!entries) abort();
  touch(0);
}

static void start_log(void) {
  is_logged = 1;
  depth = 0;
  if (has_causes) end_causes();
  last_end = now();
}

static void write_log(void) {
  const char* path = getenv("DURATION_LOG");
  const char* rank =
      getenv("OMPI_COMM_WORLD_RANK") ? getenv("OMPI_COMM_WORLD_RANK") : getenv("PMI_RANK");
  char name[4096];
  if (!path || !rank) return;
  snprintf(name, sizeof name, "%s.%s", path, rank);
  FILE* file = fopen(name, "w");
  if (!file) return;
  const int has_inside = getenv("DURATION_LOG_INSIDE") != NULL;
  for (size_t i = 0; i < count; i++) {
    fprintf(file, "%s %lld", entries[i].procedure, (long long)entries[i].nanoseconds);
    if (has_inside) fprintf(file, " %lld", (long long)entries[i].inside);
    if (has_causes)
      fprintf(file, " %lld %lld %ld %lld", (long long)entries[i].wall,
              (long long)entries[i].wall_inside, entries[i].switches, (long long)entries[i].core);
    fputc('\n', file);
  }
  fclose(file);
}

#define WORDS                                                                                     \
  Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, Word k, Word l, \
      Word m, Word n, Word o, Word p
#define WRAP(symbol, procedure)                                               \
  Word symbol(WORDS) {                                                        \
    static Procedure next;                                                    \
    if (!next) next = (Procedure)dlsym(RTLD_NEXT, #symbol);                   \
    const int starts = !strncmp(procedure, "Init", 4);                        \
    starts ? make_log() : begin(procedure);                                   \
    const Word result = next(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p); \
    starts ? start_log() : end();                                             \
    if (!strcmp(procedure, "Finalize") && is_logged) write_log();             \
    return result;                                                            \
  }
#define RECORDED(procedure, ...) WRAP(MPI_##procedure, #procedure)
#define HANDWRITTEN(procedure, ...) WRAP(MPI_##procedure, #procedure)
#define LIFECYCLE(procedure) WRAP(MPI_##procedure, #procedure)
#define UNMODELLED(procedure, ...) WRAP(MPI_##procedure, #procedure)
#define LOCAL(symbol)
#include "recorder/mpi_calls.def"
#if __has_include("fortran_names.inc")
#include "fortran_names.inc"  // true_order.py writes it
#endif
