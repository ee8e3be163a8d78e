// SPDX-License-Identifier: MIT
// A time-step loop of which all that varies is prescribed: drift [STEPS [MILLISECONDS]]
//
// Baseline   every rank computes MILLISECONDS (default 2) of CPU time a step, which drifts to half as much again over the run, faster on higher ranks,
//            with a slow wave in it; a tenth of the steps is a little longer, in a rhythm of the rank's own.
// Bottleneck one rank computes half as much again; every eighth of the run it is the next one.
// Messages   a halo exchange whose size grows by half over the run, in four steps.
// Extras     every 10th step a second exchange and an allreduce, every 50th a gather too, at call paths of their own: what a cluster without call trees
//            mixes up.
// Noise      3 % of the steps of a rank are up to three times as long, by a generator with a fixed seed.
// Marks      MPI_Pcontrol(1) and (-1) around a step.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void compute(double seconds) {
  const double until = cpu_time() + seconds;
  while (cpu_time() < until) {
  }
}

// Between 0 and 1; xorshift, so that every machine draws the same.
static double drawn(uint64_t* state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) / (double)(UINT64_C(1) << 53);
}

static void exchange(char* out, char* in, int bytes, int rank, int ranks) {
  MPI_Sendrecv(out, bytes, MPI_CHAR, (rank + 1) % ranks, 0, in, bytes, MPI_CHAR,
               (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int steps = argc > 1 ? atoi(argv[1]) : 800;
  const double base = 1e-3 * (argc > 2 ? atof(argv[2]) : 2);
  enum { kMostBytes = 64 * 1024 };
  char* const out = calloc(kMostBytes, 1);
  char* const in = calloc(kMostBytes, 1);
  double* const all = malloc((size_t)ranks * sizeof *all);
  if (steps < 1 || out == NULL || in == NULL || all == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
  uint64_t random = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(rank + 1);
  for (int step = 0; step < steps; ++step) {
    MPI_Pcontrol(1);
    const double done = (double)step / steps;
    const double turn = 16 * done - (int)(16 * done);
    double time = base * (1 + done * (rank + 1) / (2. * ranks));
    time *= 1 + 0.2 * (turn < 0.5 ? turn : 1 - turn);
    if ((int)(8 * done) % ranks == rank) time *= 1.5;
    if (step % (7 + rank) == 0) time *= 1.1;
    if (drawn(&random) < 0.03) time *= 1 + 2 * drawn(&random);
    const int bytes = kMostBytes / 12 * (8 + (int)(4 * done));
    const int exchanges = step % 10 == 9 ? 2 : 1;
    for (int i = 0; i < exchanges; ++i) {
      compute(time / exchanges);
      exchange(out, in, bytes, rank, ranks);
    }
    double mean = time;
    if (step % 10 == 9) {
      compute(base / 10);
      MPI_Allreduce(&time, &mean, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (step % 50 == 49) MPI_Gather(&mean, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Pcontrol(-1);
  }
  free(all);
  free(in);
  free(out);
  MPI_Finalize();
  return 0;
}
