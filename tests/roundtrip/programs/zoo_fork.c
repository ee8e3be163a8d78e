/* SPDX-License-Identifier: MIT
 * Children of every kind between calls of MPI: fork and exit, fork and _exit, fork and exec, vfork, system, posix_spawn, popen. Which of them the
 * recorder sees must not show in what they print, return or leave behind. */
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ring.h"

extern char** environ;

static int status_of(pid_t child) {
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void pass(void) {
  int in = -1;
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  EXPECT(in == left);
}

static char* program[] = {"/bin/sh", "-c", "exit 7", NULL};

int main(int argc, char** argv) {
  char word[8] = "";
  MPI_Init(&argc, &argv);
  find_ring();
  fflush(stdout);
  for (int round = 0; round < 5; ++round) {
    pid_t child = fork();
    if (child == 0) _exit(3);
    EXPECT(status_of(child) == 3);
    pass();
    child = fork();
    if (child == 0) exit(4); /* runs what was registered with atexit */
    EXPECT(status_of(child) == 4);
    pass();
    child = fork();
    if (child == 0) execv(program[0], program);
    EXPECT(status_of(child) == 7);
    child = vfork();
    if (child == 0) {
      execv(program[0], program);
      _exit(1);
    }
    EXPECT(status_of(child) == 7);
    EXPECT(posix_spawn(&child, program[0], NULL, NULL, program, environ) == 0);
    EXPECT(status_of(child) == 7);
    child = fork();
    if (child == 0) abort();
    EXPECT(status_of(child) == -6);
    pass();
  }
  EXPECT(WEXITSTATUS(system("exit 9")) == 9);
  FILE* pipe = popen("echo word", "r");
  EXPECT(pipe && fgets(word, sizeof word, pipe) && !strcmp(word, "word\n"));
  EXPECT(pipe && pclose(pipe) == 0);
  pass();
  finish("zoo_fork");
  return 0;
}
