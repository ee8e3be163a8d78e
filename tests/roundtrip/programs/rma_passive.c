/* SPDX-License-Identifier: MIT
 * Passive targets: a counter that all ranks draw from, exclusive locks, lock_all with flushes, operations with requests. */
#include "ring.h"

enum { kDraws = 10 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  long* shared;
  MPI_Win window;
  MPI_Win_allocate(4 * sizeof *shared, sizeof *shared, MPI_INFO_NULL, MPI_COMM_WORLD, &shared,
                   &window);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
  shared[0] = shared[1] = shared[2] = shared[3] = 0;
  MPI_Win_unlock(rank, window);
  MPI_Barrier(MPI_COMM_WORLD);

  const long one = 1;
  long drawn, sum = 0;
  for (int i = 0; i < kDraws; ++i) { /* the counter */
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Fetch_and_op(&one, &drawn, MPI_LONG, 0, 0, MPI_SUM, window);
    MPI_Win_unlock(0, window);
    EXPECT(drawn >= 0 && drawn < kDraws * ranks);
  }
  for (int i = 0; i < kDraws; ++i) { /* read, add, write under an exclusive lock */
    long value;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Get(&value, 1, MPI_LONG, 0, 1, 1, MPI_LONG, window);
    MPI_Win_flush(0, window);
    ++value;
    MPI_Put(&value, 1, MPI_LONG, 0, 1, 1, MPI_LONG, window);
    MPI_Win_unlock(0, window);
  }
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_Win_lock_all(0, window);
  long before, result, absent = -1;
  MPI_Request requests[2];
  MPI_Rput(&one, 1, MPI_LONG, right, 2, 1, MPI_LONG, window, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Win_flush_all(window);
  MPI_Accumulate(&one, 1, MPI_LONG, right, 2, 1, MPI_LONG, MPI_SUM, window);
  MPI_Win_flush_local(right, window);
  MPI_Win_flush(right, window);
  MPI_Rget(&before, 1, MPI_LONG, right, 2, 1, MPI_LONG, window, &requests[0]);
  MPI_Rget_accumulate(&one, 1, MPI_LONG, &result, 1, MPI_LONG, right, 3, 1, MPI_LONG, MPI_SUM,
                      window, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  EXPECT(before == 2 && result == 0);
  MPI_Win_flush_local_all(window);
  MPI_Compare_and_swap(&absent, &one, &result, MPI_LONG, right, 3, window);
  MPI_Win_flush(right, window);
  EXPECT(result == 1);
  MPI_Get_accumulate(&absent, 1, MPI_LONG, &sum, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_NO_OP, window);
  MPI_Win_flush(0, window);
  EXPECT(sum == kDraws * ranks);
  MPI_Win_sync(window);
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    EXPECT(shared[1] == kDraws * ranks);
    MPI_Win_unlock(0, window);
  }
  MPI_Win_free(&window);
  finish("rma_passive");
  return 0;
}
