/* SPDX-License-Identifier: MIT
 * A timer's signal a thousand times a second while messages go round, with a handler that takes its time on a stack of its own; then one whose
 * handler leaves the computing between calls by siglongjmp. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include "ring.h"

static volatile sig_atomic_t ticks, leaves;
static sigjmp_buf before;
static char stack[65536];
static pthread_t own_thread;

/* A process' signal may come to any thread, also to one that the MPI library has started, which must not jump into another's frames. */
static void on_tick(int number) {
  if (!pthread_equal(pthread_self(), own_thread)) {
    pthread_kill(own_thread, number);
    return;
  }
  volatile double work = number;
  for (int i = 0; i < 100; ++i) work = work * 1.0001 + 1;
  ++ticks;
  if (leaves && leaves-- > 0) siglongjmp(before, 1);
}

static void tick_every(long microseconds) {
  const struct itimerval often = {{0, microseconds}, {0, microseconds}};
  EXPECT(setitimer(ITIMER_REAL, &often, NULL) == 0);
}

static void pass(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    int out = rank + round, in = -1;
    MPI_Request requests[2];
    MPI_Irecv(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    EXPECT(in == left + round);
  }
}

int main(int argc, char** argv) {
  const stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_handler = on_tick, .sa_flags = SA_RESTART | SA_ONSTACK};
  own_thread = pthread_self();
  MPI_Init(&argc, &argv);
  find_ring();
  EXPECT(sigaltstack(&own, NULL) == 0);
  EXPECT(sigaction(SIGALRM, &action, NULL) == 0);
  tick_every(1000);
  for (int go = 1; go;) {
    pass(200);
    go = ticks < 300; /* rank 0 decides, so that all make the same calls */
    MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  tick_every(0);
  EXPECT(ticks > 0);
  action.sa_flags = 0; /* siglongjmp from another stack is not portable */
  EXPECT(sigaction(SIGALRM, &action, NULL) == 0);
  for (int i = 0; i < 20; ++i) {
    if (sigsetjmp(before, 1) == 0) {
      leaves = 1;
      tick_every(500);
      for (;;) {
      }
    }
    tick_every(0);
    pass(5);
  }
  finish("zoo_signals");
  return 0;
}
