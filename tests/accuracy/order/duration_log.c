// SPDX-License-Identifier: MIT
// Logs what every rank computes between its MPI calls, in order: the truth that a replay of the same run's recording is measured against.
// Preloaded in front of the recorder (or without it), it knows the calls of recorder/mpi_calls.def only, so that it cuts a run where the
// recorder does.
//
// Clock     DURATION_LOG_CLOCK=cpu (the thread's CPU time, default) or wall.
// Writes    DURATION_LOG.RANK behind MPI_Finalize: one line a call, "PROCEDURE NANOSECONDS", the time since the call before it ended
//           (for the first one: since MPI_Init ended). With DURATION_LOG_INSIDE=1 a third word, the nanoseconds inside the call.
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
#include <time.h>

typedef intptr_t Word;
typedef Word (*Procedure)(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word,
                          Word, Word, Word, Word);
struct Entry {
  const char* procedure;
  int64_t nanoseconds, inside;
};

static struct Entry* entries;
static size_t count, capacity;
static int64_t last_end = -1;
static clockid_t kind = CLOCK_THREAD_CPUTIME_ID;
static __thread int depth, is_logged;

static int64_t now(void) {
  struct timespec t;
  clock_gettime(kind, &t);
  return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
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
  entries[count++] = (struct Entry){procedure, start - last_end, start};
}

static void end(void) {
  if (!is_logged || --depth > 0) return;
  last_end = now();
  if (count > 0) entries[count - 1].inside = last_end - entries[count - 1].inside;  // was its start
}

// Before MPI_Init, so that the recorder behind sees none of it.
static void make_log(void) {
  const char* clock = getenv("DURATION_LOG_CLOCK");
  if (clock && !strcmp(clock, "wall")) kind = CLOCK_MONOTONIC;
  capacity = 1 << 16;
  entries = malloc(capacity * sizeof *entries);
  if (!entries) abort();
  touch(0);
}

static void start_log(void) {
  is_logged = 1;
  depth = 0;
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
