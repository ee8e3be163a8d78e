/* SPDX-License-Identifier: MIT */
// Functions whose calls are known exactly (calls.py): loops, recursion, longjmp, exceptions, threads, a signal handler, a fork. Built with
// -finstrument-functions.

#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

namespace {
jmp_buf back;
int sink;
}  // namespace

extern "C" {

KEPT void leaf(int n) { sink += n; }
KEPT int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
KEPT void deep_jump(int n) {
  if (n == 0) longjmp(back, 1);
  deep_jump(n - 1);
  sink += n;
}
KEPT void jumps(int n) {
  if (setjmp(back) == 0) deep_jump(n);
  leaf(1);
}
KEPT void deep_throw(int n) {
  if (n == 0) throw 7;
  deep_throw(n - 1);
  sink += n;
}
KEPT void throws(int n) {
  for (int i = 0; i < 3; ++i) {
    try {
      deep_throw(n);
    } catch (int) {
      leaf(2);
    }
  }
}
KEPT void on_signal(int) { leaf(3); }
KEPT void* worker(void*) {
  for (int i = 0; i < 1000; ++i) leaf(i);
  return nullptr;
}
KEPT void forks() {
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 5000; ++i) leaf(i);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}
KEPT void communicate() {
  int value = 1, sum = 0;
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
// One call of each kind that completes, starts or frees something: they are wrapped each in another way.
KEPT void completes() {
  int rank, size, got, done = 0, index, indices[1];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm own;
  MPI_Comm_dup(MPI_COMM_SELF, &own);
  MPI_Request request;
  MPI_Isend(&rank, 1, MPI_INT, 0, 1, own, &request);
  MPI_Recv(&got, 1, MPI_INT, 0, 1, own, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Ibarrier(own, &request);
  MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  MPI_Ibarrier(own, &request);
  MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
  MPI_Ibarrier(own, &request);
  MPI_Waitsome(1, &request, &done, indices, MPI_STATUSES_IGNORE);
  MPI_Send_init(&rank, 1, MPI_INT, MPI_PROC_NULL, 1, own, &request);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Startall(1, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  MPI_Comm_free(&own);
}
KEPT void crash() {
  leaf(9);
  raise(SIGSEGV);
}
}

int main(int argc, char** argv) {
  leaf(0);
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 100; ++i) {
    leaf(i);
    communicate();
  }
  completes();
  fib(12);
  for (int i = 0; i < 10; ++i) jumps(5);
  throws(4);
  signal(SIGUSR1, on_signal);
  for (int i = 0; i < 20; ++i) raise(SIGUSR1);
  forks();
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  pthread_join(thread, nullptr);
  if (argc > 1 && strcmp(argv[1], "crash") == 0) crash();
  MPI_Finalize();
  leaf(0);
  return 0;
}
