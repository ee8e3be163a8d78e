/* SPDX-License-Identifier: MIT */
/* usage: registrations FILE [die]. Writes into FILE which libraries have functions called at exit that they register after MPI_Init: the program has one itself. Its
   messages repeat in no order and take some time, so that a recorder needs memory and saves what it has. die: ends by a fatal signal, else in MPI_Finalize. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char* path;
static volatile sig_atomic_t is_watching;

static void write_owner(void* owner) {
  Dl_info info;
  char line[4096];
  const char* name = owner && dladdr(owner, &info) && info.dli_fname ? info.dli_fname : "unknown";
  const int length = snprintf(line, sizeof line, "%s\n", name);
  const int file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0666);
  if (file < 0 || write(file, line, (size_t)length) != length) abort();
  close(file);
}

/* Libraries call the program's in place of the C library's. */
int __cxa_atexit(void (*function)(void*), void* argument, void* owner) {
  static int (*real)(void (*)(void*), void*, void*);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "__cxa_atexit");
  if (is_watching) write_owner(owner);
  return real(function, argument, owner);
}

static void nothing(void) {}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  path = argv[1];
  MPI_Init(&argc, &argv);
  is_watching = 1;
  atexit(nothing);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  unsigned state = 1;
  char out[64] = "", in[64];
  for (int i = 0; i < 5000; ++i) {
    state = state * 1664525u + 1013904223u;
    const int size = (int)(state >> 26), tag = (int)(state >> 12) % 1000;
    MPI_Sendrecv(out, size, MPI_CHAR, (rank + 1) % ranks, tag, in, size, MPI_CHAR,
                 (rank + ranks - 1) % ranks, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (i % 100 == 0) usleep(10000);
  }
  if (argc > 2 && strcmp(argv[2], "die") == 0) raise(SIGSEGV);
  MPI_Finalize();
  return 0;
}
