/* SPDX-License-Identifier: MIT */
/* usage: first_touches new|used. Rank 0 receives MESSAGES messages of SIZE bytes, each into memory that was never touched, or all into one
   array that is in use; then it touches as much new memory outside of MPI and prints the CPU time of that. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { kMessages = 8, kSize = 16 << 20, kPage = 4096 };

static char* fresh(void) {
  char* memory = mmap(NULL, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 3);
  madvise(memory, kSize, MADV_NOHUGEPAGE);
  return memory;
}

static double cpu_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int is_new = argc > 1 && strcmp(argv[1], "new") == 0;
  char* used = fresh();
  memset(used, 1, kSize);
  for (int i = 0; i < kMessages; ++i) {
    if (rank == 0) {
      char* into = is_new ? fresh() : used;
      MPI_Recv(into, kSize, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (is_new) munmap(into, kSize);
    } else if (rank == 1) {
      MPI_Send(used, kSize, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
  }
  double touching = 0;
  for (int i = 0; rank == 0 && i < kMessages; ++i) {
    char* memory = fresh();
    const double begin = cpu_time();
    for (int at = 0; at < kSize; at += kPage) ((volatile char*)memory)[at] = 1;
    touching += cpu_time() - begin;
    munmap(memory, kSize);
  }
  if (rank == 0) printf("touching %.6f\n", touching);
  MPI_Finalize();
  return 0;
}
