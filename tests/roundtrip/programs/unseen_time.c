// SPDX-License-Identifier: MIT
// Steps of which the thread that calls MPI computes a part, or none. Each rank says what its recording may not see: "rank R slept SECONDS,
// others SECONDS, before SECONDS" (wall time that the thread slept between its calls, CPU time of another thread, and that before MPI_Init).
// usage: unseen_time MODE     plain   computes
//                             naps    sleeps
//                             team    sleeps while another thread computes
//                             beside  computes while another thread computes
//                             inside  sleeps as well, but in a call of MPI
//                             before  computes, and has computed as long before MPI_Init
#define _GNU_SOURCE  // pthread_tryjoin_np
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { kSteps = 30 };
static sem_t begin_step, end_step;
static atomic_int steps_done;
static double others;

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// Ten milliseconds of CPU time.
static void compute(void) {
  const double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
  while (seconds(CLOCK_THREAD_CPUTIME_ID) - begin < 0.01) {
  }
}

static void nap(void) {
  const struct timespec ten = {0, 10000000};
  nanosleep(&ten, NULL);
}

static void* worker(void* unused) {
  for (int step = 0; step < kSteps; ++step) {
    while (sem_wait(&begin_step) != 0) {
    }
    compute();
    atomic_fetch_add(&steps_done, 1);
    sem_post(&end_step);
  }
  others = seconds(CLOCK_THREAD_CPUTIME_ID);
  return unused;
}

static void add_asleep(void* in, void* in_out, int* count, MPI_Datatype* type) {
  nap();
  for (int i = 0; i < *count; ++i) ((int*)in_out)[i] += ((int*)in)[i];
}

int main(int argc, char** argv) {
  const char* const mode = argc > 1 ? argv[1] : "plain";
  int level, rank, sum, one = 1;
  const double at_begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
  for (int step = 0; step < kSteps && !strcmp(mode, "before"); ++step) compute();
  const double before = seconds(CLOCK_PROCESS_CPUTIME_ID) - at_begin;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Op op;
  MPI_Op_create(add_asleep, 1, &op);
  // Before there is another thread: a first call touches memory first, for which it takes the lock of the address space. Beside a thread that
  // maps memory it would wait for that lock between two calls, as in sleep, and on busy cores then for a core.
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  const int team = !strcmp(mode, "team"), beside = !strcmp(mode, "beside");
  pthread_t thread;
  sem_init(&begin_step, 0, 0);
  sem_init(&end_step, 0, 0);
  if (team || beside) pthread_create(&thread, NULL, worker, NULL);
  double slept = 0;
  for (int step = 0; step < kSteps; ++step) {
    if (team || beside) sem_post(&begin_step);
    const double begin = seconds(CLOCK_MONOTONIC);
    if (!strcmp(mode, "naps")) nap();
    if (team)
      while (sem_wait(&end_step) != 0) {
      }
    if (team || !strcmp(mode, "naps")) slept += seconds(CLOCK_MONOTONIC) - begin;
    if (!strcmp(mode, "plain") || !strcmp(mode, "before")) compute();
    while (beside && atomic_load(&steps_done) <= step) {
    }
    MPI_Allreduce(&one, &sum, 1, MPI_INT, strcmp(mode, "inside") ? MPI_SUM : op, MPI_COMM_WORLD);
  }
  // Beside it, nobody sleeps, not even for the thread's end.
  while (beside && pthread_tryjoin_np(thread, NULL) != 0) {
  }
  if (team) pthread_join(thread, NULL);
  printf("rank %d slept %.6f, others %.6f, before %.6f\n", rank, slept, others, before);
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}
