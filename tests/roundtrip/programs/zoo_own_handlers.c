/* SPDX-License-Identifier: MIT
 * A program that has handlers of its own before MPI_Init: asked to end it notes so and goes on, what it waits in goes on as well, and who asked is known to it.
 * Its handler for a signal that otherwise ends it, where the recorder saves first, gets all that came with the signal. (Those of faults and SIGHUP belong to the library's
 * transports.) */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ring.h"

enum { kSignals = 3 };

static volatile sig_atomic_t calls, value, code;
static volatile pid_t sender;

static void on_signal(int number, siginfo_t* info, void* context) {
  (void)context;
  ++calls;
  code = info->si_code;
  sender = info->si_pid;
  value = info->si_value.sival_int;
  errno = number;
}

static void pass(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    int in = -1;
    MPI_Sendrecv(&round, 1, MPI_INT, right, 2, &in, 1, MPI_INT, left, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    EXPECT(in == round);
  }
}

static void pause_for(long milliseconds) {
  const struct timespec time = {0, milliseconds * 1000000};
  nanosleep(&time, NULL);
}

/* Another process sends it while this one reads from a pipe. */
static void ask(int number) {
  int ends[2];
  char byte = 0;
  const pid_t self = getpid();
  calls = 0;
  EXPECT(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const union sigval what = {.sival_int = 42};
    pause_for(50);
    sigqueue(self, number, what);
    pause_for(50);
    if (write(ends[1], "x", 1) != 1) _exit(1);
    _exit(0);
  }
  EXPECT(read(ends[0], &byte, 1) == 1 && byte == 'x');
  EXPECT(calls == 1 && sender == child && code == SI_QUEUE && value == 42);
  waitpid(child, NULL, 0);
  close(ends[0]);
  close(ends[1]);
}

int main(int argc, char** argv) {
  static const int signals[] = {SIGTERM, SIGINT, SIGXCPU};
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
  for (int i = 0; i < kSignals; ++i) EXPECT(sigaction(signals[i], &action, NULL) == 0);
  MPI_Init(&argc, &argv);
  find_ring();
  for (int i = 0; i < kSignals; ++i) {
    struct sigaction there;
    pass(20);
    EXPECT(sigaction(signals[i], NULL, &there) == 0);
    if (signals[i] == SIGTERM || signals[i] == SIGINT) EXPECT(there.sa_sigaction == on_signal);
    for (int again = 0; again < 2; ++again) ask(signals[i]);
    EXPECT(sigaction(signals[i], NULL, &there) == 0 && there.sa_sigaction == on_signal);
  }
  pass(20);
  finish("zoo_own_handlers");
  return 0;
}
