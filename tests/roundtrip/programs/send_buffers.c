/* SPDX-License-Identifier: MIT
 * Sends from a pool of buffers, as BLACS has one: every operation first asks, buffer by buffer, which sends are complete, and takes a free one. At which operation a
 * send is found complete is chance; nothing waits for it before the program ends.
 *
 * usage: send_buffers [STEPS [MODE]]   prints how often the polls, and MPI_Wait, completed something, over all ranks
 * MODE  testall: polls are MPI_Testall; test: MPI_Test; waits: MPI_Test in the first half of the steps, then MPI_Wait at the end of
 *       each; crash: as test, and the last rank ends by a signal after a second */
#include <signal.h>

#include "ring.h"

enum { kPoints = 20000, kBuffers = 200 };

static struct {
  double* data;
  MPI_Request request;
  int busy;
} pool[kBuffers];
static int completed, waited, one_by_one;
static double inbox[kPoints];

static void look_after_buffers(void) {
  for (int i = 0; i < kBuffers; ++i) {
    if (!pool[i].busy) continue;
    int flag = 0;
    if (one_by_one)
      MPI_Test(&pool[i].request, &flag, MPI_STATUS_IGNORE);
    else
      MPI_Testall(1, &pool[i].request, &flag, MPI_STATUSES_IGNORE);
    if (!flag) continue;
    ++completed;
    pool[i].busy = 0;
  }
}

static void wait_for_buffers(void) {
  for (int i = 0; i < kBuffers; ++i) {
    if (!pool[i].busy) continue;
    MPI_Wait(&pool[i].request, MPI_STATUS_IGNORE);
    ++waited;
    pool[i].busy = 0;
  }
}

static void send_one(int to, int tag, double value) {
  look_after_buffers();
  int i = 0;
  while (i < kBuffers - 1 && pool[i].busy) ++i;
  EXPECT(!pool[i].busy);
  if (pool[i].data == NULL) pool[i].data = malloc(kPoints * sizeof(double));
  pool[i].data[0] = value;
  pool[i].busy = 1;
  MPI_Isend(pool[i].data, kPoints, MPI_DOUBLE, to, tag, MPI_COMM_WORLD, &pool[i].request);
}

static void receive_one(int from, int tag, double value) {
  look_after_buffers();
  MPI_Recv(inbox, kPoints, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT(inbox[0] == value);
}

static void compute(void) {
  volatile double sum = 0;
  for (int i = rand() % 20000; i > 0; --i) sum += i * 0.5;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  const int steps = argc > 1 ? atoi(argv[1]) : 100;
  const char* mode = argc > 2 ? argv[2] : "testall";
  const int crashes = !strcmp(mode, "crash"), waits = !strcmp(mode, "waits");
  one_by_one = strcmp(mode, "testall") != 0;
  const double begin = MPI_Wtime();
  srand((unsigned)rank + 1);
  for (int step = 0; step < steps; ++step) {
    double sum = step, all = 0;
    send_one(right, 1, step);
    compute();
    send_one(left, 2, -step);
    receive_one(left, 1, step);
    compute();
    look_after_buffers();
    MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    receive_one(right, 2, -step);
    look_after_buffers();
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(all == (double)step * ranks);
    if (waits && step >= steps / 2) wait_for_buffers();
    if (crashes && rank == ranks - 1 && MPI_Wtime() - begin > 1) raise(SIGSEGV);
  }
  look_after_buffers();
  int counts[2] = {completed, waited}, sums[2];
  MPI_Reduce(counts, sums, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d %d\n", sums[0], sums[1]);
  for (int i = 0; i < kBuffers; ++i)
    if (pool[i].busy) MPI_Waitall(1, &pool[i].request, MPI_STATUSES_IGNORE);
  finish("send_buffers");
  return 0;
}
