// SPDX-License-Identifier: MIT
// Steps that compute and then put 4 MiB into a file of each rank. usage: own_files MODE FOLDER
//   none     only computes
//   own      writes with write() and fsync()
//   mpi      writes the same with MPI-IO, in one piece
//   pieces   and in pieces of 4 KiB, whose calls are short
//   memory   writes a file in memory, FOLDER being one
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { kSteps = 8, kBytes = 4 << 20, kPiece = 4096 };

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void compute(void) {
  const double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
  while (seconds(CLOCK_THREAD_CPUTIME_ID) - begin < 0.002) {
  }
}

static void write_by_mpi(MPI_File file, const char* data, int piece) {
  for (int at = 0; at < kBytes; at += piece)
    MPI_File_write(file, data + at, piece, MPI_CHAR, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  const char* const mode = argc > 2 ? argv[1] : "none";
  int rank, sum, one = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char path[4096];
  snprintf(path, sizeof path, "%s/own_files.%d", argc > 2 ? argv[2] : ".", rank);
  char* const data = malloc(kBytes);
  memset(data, rank + 1, kBytes);
  const int own = !strcmp(mode, "own") || !strcmp(mode, "memory");
  const int by_mpi = !strcmp(mode, "mpi") || !strcmp(mode, "pieces");
  const int descriptor = own ? open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600) : -1;
  MPI_File file = MPI_FILE_NULL;
  if (by_mpi)
    MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int step = 0; step < kSteps; ++step) {
    compute();
    if (own && write(descriptor, data, kBytes) != kBytes) MPI_Abort(MPI_COMM_WORLD, 1);
    if (own) fsync(descriptor);
    if (by_mpi) write_by_mpi(file, data, strcmp(mode, "pieces") ? kBytes : kPiece);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  if (own) close(descriptor);
  if (by_mpi) MPI_File_close(&file);
  unlink(path);
  free(data);
  MPI_Finalize();
  return 0;
}
