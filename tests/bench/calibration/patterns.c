/* SPDX-License-Identifier: MIT
   Communication patterns whose times are predicted from a calibrated platform (predict.py).

   A rank sends what it received last, as programs send what they have just computed: data that nobody has written since it was sent before
   would still be in both caches.

   patterns measure SECONDS            each pattern over sizes: "PATTERN BYTES LOW MEDIAN" in microseconds per operation, on rank 0;
                                       low is the 10 % quantile of many short samples, each the slowest rank's
   patterns PATTERN BYTES REPETITIONS  so many operations and nothing else, to be recorded */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 4 << 20, kWindow = 16, kMostSamples = 4000 };
static const char* const kPatterns[] = {"exchange",  "stream",    "bcast",
                                        "allreduce", "allgather", "alltoall"};
static const int kSizes[] = {8,     64,    256,    1024,   2048,    8192,
                             16384, 65536, 262144, 524288, 1048576, 4194304};
static int rank, ranks;
static char *out, *in;

static void once(const char* pattern, int bytes, int turn) {
  const int partner = rank ^ 1;
  MPI_Request requests[kWindow];
  if (strcmp(pattern, "exchange") == 0) {
    MPI_Irecv(in, bytes, MPI_BYTE, partner, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, bytes, MPI_BYTE, partner, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else if (strcmp(pattern, "stream") == 0) {
    char* const sent = rank % 2 == turn % 2 ? out : in; /* there and, in the next turn, back */
    for (int i = 0; i < kWindow; ++i)
      if (sent == out)
        MPI_Isend(out + i * bytes, bytes, MPI_BYTE, partner, 1, MPI_COMM_WORLD, &requests[i]);
      else
        MPI_Irecv(in + i * bytes, bytes, MPI_BYTE, partner, 1, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(kWindow, requests, MPI_STATUSES_IGNORE);
  } else if (strcmp(pattern, "bcast") == 0) {
    MPI_Bcast(turn % ranks == rank ? out : in, bytes, MPI_BYTE, turn % ranks, MPI_COMM_WORLD);
  } else if (strcmp(pattern, "allreduce") == 0) {
    MPI_Allreduce(out, in, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } else if (strcmp(pattern, "allgather") == 0) {
    MPI_Allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
  } else if (strcmp(pattern, "alltoall") == 0) {
    MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
  } else {
    fprintf(stderr, "patterns: no pattern \"%s\"\n", pattern);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  char* const received = in;
  in = out;
  out = received;
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void measure(const char* pattern, int bytes, double seconds) {
  static double samples[kMostSamples], slowest[kMostSamples];
  for (int i = 0; i < 4; ++i) once(pattern, bytes, i);
  double before = MPI_Wtime();
  for (int i = 0; i < 8; ++i) once(pattern, bytes, i);
  int inner = (int)(60e-6 / ((MPI_Wtime() - before) / 8)), count = 0, go = 1;
  inner = inner < 2 ? 2 : inner > 200 ? 200 : inner - inner % 2;
  MPI_Bcast(&inner, 1, MPI_INT, 0, MPI_COMM_WORLD);
  const double end = MPI_Wtime() + seconds;
  while (go) {
    for (int chunk = 0; chunk < 10 && count < kMostSamples; ++chunk) {
      MPI_Barrier(MPI_COMM_WORLD);
      before = MPI_Wtime();
      for (int i = 0; i < inner; ++i) once(pattern, bytes, i);
      samples[count++] = (MPI_Wtime() - before) / inner;
    }
    go = MPI_Wtime() < end && count < kMostSamples;
    MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  MPI_Reduce(samples, slowest, count, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  qsort(slowest, (size_t)count, sizeof *slowest, by_value);
  printf("%s %d %.4f %.4f\n", pattern, bytes, slowest[count / 10] * 1e6, slowest[count / 2] * 1e6);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  out = malloc((size_t)kMost * (size_t)ranks);
  in = malloc((size_t)kMost * (size_t)ranks);
  if (argc < 3 || out == NULL || in == NULL || ranks % 2 != 0) MPI_Abort(MPI_COMM_WORLD, 2);
  memset(out, 0, (size_t)kMost * (size_t)ranks);
  memset(in, 0, (size_t)kMost * (size_t)ranks);
  if (strcmp(argv[1], "measure") == 0) {
    const int patterns = sizeof kPatterns / sizeof *kPatterns,
              sizes = sizeof kSizes / sizeof *kSizes;
    for (int p = 0; p < patterns; ++p)
      for (int s = 0; s < sizes; ++s)
        if (strcmp(kPatterns[p], "stream") != 0 || kSizes[s] * kWindow <= kMost)
          measure(kPatterns[p], kSizes[s], atof(argv[2]) / (patterns * sizes));
  } else if (argc == 4) {
    for (int i = 0; i < atoi(argv[3]); ++i) once(argv[1], atoi(argv[2]), i);
  }
  MPI_Finalize();
  return 0;
}
