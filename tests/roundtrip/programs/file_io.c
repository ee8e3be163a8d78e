/* SPDX-License-Identifier: MIT
 * MPI-IO: collective, individual, shared, ordered, non-blocking and split accesses, on the world and on self. */
#include "ring.h"

enum { kInts = 256 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  char name[64];
  snprintf(name, sizeof name, "file_io.%d.tmp", ranks);
  int out[kInts], in[kInts];
  const MPI_Offset block = sizeof out;
  MPI_File file;
  MPI_Request requests[2];
  MPI_Status status;
  for (int i = 0; i < kInts; ++i) out[i] = rank;

  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
  MPI_File_set_size(file, 0);
  MPI_File_preallocate(file, 2 * block * ranks);
  for (int step = 0; step < 4; ++step) { /* explicit offsets */
    MPI_File_write_at_all(file, rank * block, out, kInts - step, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_at(file, (ranks + rank) * block, out, kInts, MPI_INT, &status);
  }
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_read_at_all(file, right * block, in, kInts, MPI_INT, MPI_STATUS_IGNORE);
  EXPECT(in[0] == right && in[kInts - 4] == right);
  MPI_File_read_at(file, left * block, in, kInts, MPI_INT, MPI_STATUS_IGNORE);
  EXPECT(in[0] == left);

  MPI_File_set_view(file, rank * block, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  for (int step = 0; step < 3; ++step) { /* the individual pointer */
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_write(file, out, kInts / 2, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iwrite(file, out, kInts / 2, MPI_INT, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_read(file, in, kInts, MPI_INT, MPI_STATUS_IGNORE);
    EXPECT(in[0] == rank && in[kInts - 1] == rank);
  }
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  MPI_File_write_all(file, out, kInts, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_iwrite_at(file, 0, out, kInts, MPI_INT, &requests[0]);
  MPI_File_iread_at(file, 0, in, 0, MPI_INT, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_File_iwrite_at_all(file, 0, out, kInts, MPI_INT, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_File_read_at_all_begin(file, 0, in, kInts, MPI_INT);
  MPI_File_read_at_all_end(file, in, MPI_STATUS_IGNORE);
  EXPECT(in[7] == rank);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  MPI_File_write_ordered(file, out, 4, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_read_ordered(file, in, 4, MPI_INT, MPI_STATUS_IGNORE);
  EXPECT(in[3] == rank);
  MPI_File_write_shared(file, out, 4, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  if (rank == 0) MPI_File_delete(name, MPI_INFO_NULL);

  snprintf(name, sizeof name, "file_io.of.%d.tmp", rank);
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  MPI_File_write_all(file, out, kInts, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  finish("file_io");
  return 0;
}
