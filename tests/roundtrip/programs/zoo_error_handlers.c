/* SPDX-License-Identifier: MIT
 * Calls that fail and return: wrong ranks, tags, counts, roots, communicators and requests, under MPI_ERRORS_RETURN and a handler that itself
 * calls MPI. What the calls return is what they return without the recorder. */
#include "ring.h"

static int handled;

static void handle(MPI_Comm* comm, int* code, ...) {
  char text[MPI_MAX_ERROR_STRING];
  int length, size, flag;
  MPI_Error_string(*code, text, &length);
  MPI_Comm_size(*comm, &size);
  MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
  ++handled;
}

static int class_of(int code) {
  int class = MPI_SUCCESS;
  MPI_Error_class(code, &class);
  return class;
}

static void fail(void) {
  int value = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  EXPECT(class_of(MPI_Send(&value, 1, MPI_INT, ranks, 0, MPI_COMM_WORLD)) == MPI_ERR_RANK);
  EXPECT(class_of(MPI_Send(&value, 1, MPI_INT, right, -7, MPI_COMM_WORLD)) == MPI_ERR_TAG);
  EXPECT(class_of(MPI_Send(&value, -1, MPI_INT, right, 0, MPI_COMM_WORLD)) == MPI_ERR_COUNT);
  EXPECT(class_of(MPI_Isend(&value, 1, MPI_INT, ranks + 3, 0, MPI_COMM_WORLD, &request)) ==
         MPI_ERR_RANK);
  EXPECT(class_of(MPI_Irecv(&value, 1, MPI_INT, ranks + 3, 0, MPI_COMM_WORLD, &request)) ==
         MPI_ERR_RANK);
  EXPECT(class_of(MPI_Bcast(&value, 1, MPI_INT, ranks + 1, MPI_COMM_WORLD)) == MPI_ERR_ROOT);
  EXPECT(MPI_Comm_split(MPI_COMM_WORLD, -5, 0, &comm) != MPI_SUCCESS);
  EXPECT(MPI_Comm_free(&comm) != MPI_SUCCESS);
  EXPECT(MPI_Barrier(MPI_COMM_NULL) != MPI_SUCCESS);
}

/* The message is longer than the room for it. */
static void truncate(void) {
  int out[4] = {1, 2, 3, 4}, in[1] = {0};
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(in, 1, MPI_INT, left, 5, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(out, 4, MPI_INT, right, 5, MPI_COMM_WORLD);
  EXPECT(class_of(MPI_Wait(&request, &status)) == MPI_ERR_TRUNCATE);
}

int main(int argc, char** argv) {
  MPI_Errhandler handler;
  MPI_Init(&argc, &argv);
  find_ring();
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  fail();
  truncate();
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  fail();
  truncate();
  EXPECT(handled >= 8);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Errhandler_free(&handler);
  MPI_Barrier(MPI_COMM_WORLD);
  finish("zoo_error_handlers");
  return 0;
}
