// SPDX-License-Identifier: MIT
// Times a run and nothing else: preloaded, it tells how long the slowest rank took from the end of MPI_Init to the start of
// MPI_Finalize, in a line "SECONDS" appended to the file that RUN_CLOCK names. Works for C, C++ and Fortran; costs nothing in between.
//
// mpicc -O2 -shared -fPIC run_clock.c -o run_clock.so
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double begin;

static void start(void) { begin = PMPI_Wtime(); }

static void stop(void) {
  double took = PMPI_Wtime() - begin, longest = 0;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Reduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  const char* path = getenv("RUN_CLOCK");
  FILE* file = rank == 0 && path ? fopen(path, "a") : NULL;
  if (!file) return;
  fprintf(file, "%.9f\n", longest);
  fclose(file);
}

int MPI_Init(int* argc, char*** argv) {
  int status = PMPI_Init(argc, argv);
  start();
  return status;
}
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  int status = PMPI_Init_thread(argc, argv, required, provided);
  start();
  return status;
}
int MPI_Finalize(void) {
  stop();
  return PMPI_Finalize();
}

// Open MPI's and MPICH's Fortran layers call the profiling interface themselves.
void pmpi_init_(MPI_Fint* error);
void pmpi_init_thread_(MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error);
void pmpi_finalize_(MPI_Fint* error);
void mpi_init_(MPI_Fint* error) {
  pmpi_init_(error);
  start();
}
void mpi_init_thread_(MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) {
  pmpi_init_thread_(required, provided, error);
  start();
}
void mpi_finalize_(MPI_Fint* error) {
  stop();
  pmpi_finalize_(error);
}
