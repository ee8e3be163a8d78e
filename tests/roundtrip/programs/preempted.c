// SPDX-License-Identifier: MIT
// Steps of a millisecond of computing, each ended by a call, on one rank that is made to share its core. Says what the system says of
// the same time: "computed CPU_SECONDS of WALL_SECONDS, waited SECONDS" (of its own will).
// usage: preempted MODE     plain    computes only
//                           sleeps   sleeps half a millisecond in each step
//                           threads  a second thread does the same; both are summed up
//                           forks    half-way a child computes as well, and is waited for
//                           own      has restartable sequences of its own: leaves their descriptor behind in each step
//                           takes    takes rseq away half-way
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { kSteps = 400 };
static const char* mode;

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// A fixed number of operations: what a step costs in CPU time does not depend on who else runs.
static void compute(void) {
  volatile double x = 1;
  for (int i = 0; i < 250000; ++i) x = x * 1.0000001 + 1e-9;
}

static void nap(void) {
  const struct timespec half = {0, 500000};
  nanosleep(&half, NULL);
}

static struct rseq* area(void) {
  return (struct rseq*)((char*)__builtin_thread_pointer() + __rseq_offset);
}

// As librseq does: a sequence that ends without clearing the pointer.
static void own_sequence(void) {
  static uint32_t nowhere[8] = {0, 0, RSEQ_SIG};
  static struct rseq_cs section __attribute__((aligned(32)));
  section.start_ip = (uintptr_t)nowhere;
  section.post_commit_offset = 1;
  section.abort_ip = (uintptr_t)(nowhere + 3);
  *(volatile uint64_t*)&area()->rseq_cs = (uintptr_t)&section;
}

static void take_rseq(void) { syscall(SYS_rseq, area(), 32, RSEQ_FLAG_UNREGISTER, RSEQ_SIG); }

// Returns how long it was waited for.
static double fork_child(void) {
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 50; ++i) compute();
    _exit(0);
  }
  const double begin = seconds(CLOCK_MONOTONIC);
  waitpid(child, NULL, 0);
  return seconds(CLOCK_MONOTONIC) - begin;
}

struct Spent {
  double cpu, wall, waited;
};

static void* steps(void* result) {
  struct Spent* spent = result;
  int out = 0, in = 0;
  MPI_Sendrecv(&out, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  const double cpu = seconds(CLOCK_THREAD_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
  spent->waited = 0;
  for (int step = 0; step < kSteps; ++step) {
    compute();
    if (!strcmp(mode, "sleeps")) {
      const double begin = seconds(CLOCK_MONOTONIC);
      nap();
      spent->waited += seconds(CLOCK_MONOTONIC) - begin;
    }
    if (!strcmp(mode, "own")) own_sequence();
    if (!strcmp(mode, "takes") && step == kSteps / 2) take_rseq();
    if (!strcmp(mode, "forks") && step == kSteps / 2) spent->waited += fork_child();
    MPI_Sendrecv(&out, 1, MPI_INT, 0, step, &in, 1, MPI_INT, 0, step, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
  }
  spent->cpu = seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
  spent->wall = seconds(CLOCK_MONOTONIC) - wall;
  return NULL;
}

int main(int argc, char** argv) {
  int level;
  mode = argc > 1 ? argv[1] : "plain";
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  struct Spent spent, other = {0, 0, 0};
  pthread_t thread;
  const int threads = !strcmp(mode, "threads");
  if (threads) pthread_create(&thread, NULL, steps, &other);
  steps(&spent);
  if (threads) pthread_join(thread, NULL);
  printf("computed %.6f of %.6f, waited %.6f\n", spent.cpu + other.cpu, spent.wall + other.wall,
         spent.waited + other.waited);
  MPI_Finalize();
  return 0;
}
