/* SPDX-License-Identifier: MIT
 * Two thousand threads, one after the other, that send one message each and end: none of them is to leave behind more than what its call takes. Some call MPI
 * once more in the destructor of a key, which comes after those of keys that are older. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "ring.h"

enum { kFirst = 100, kThreads = 2000, kStack = 64 << 10, kSeldom = 50 };
enum { kMostResident = 32, kMostMapped = 512 }; /* MiB more than after the first ones */

static pthread_key_t late;
static int signal_stacks; /* of threads that have ended */

static void pass_on(int tag) {
  int in = -1;
  MPI_Sendrecv(&tag, 1, MPI_INT, right, tag, &in, 1, MPI_INT, left, tag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  EXPECT(in == tag);
}

/* What comes in the next round finds no signal stack: the program has none. */
static void end_late(void* number) {
  const long round = (long)number % 2, thread = (long)number / 2;
  if (round == 0) {
    if (thread % kSeldom == 0) pass_on((int)thread);
    pthread_setspecific(late, (void*)((long)number + 1));
  } else {
    stack_t alternate;
    signal_stacks += sigaltstack(NULL, &alternate) != 0 || (alternate.ss_flags & SS_DISABLE) == 0;
  }
}

static void* work(void* number) {
  pthread_setspecific(late, (void*)(2 * (long)number));
  pass_on((int)(long)number);
  return NULL;
}

/* One after the other. */
static void run_threads(long first, long last) {
  pthread_attr_t small;
  EXPECT(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, kStack) == 0);
  for (long i = first; i < last; ++i) {
    pthread_t thread;
    EXPECT(pthread_create(&thread, &small, work, (void*)i) == 0);
    pthread_join(thread, NULL);
  }
  pthread_attr_destroy(&small);
}

typedef struct {
  long mapped, resident; /* MiB */
} Memory;

static Memory memory_now(void) {
  long mapped = 0, resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  EXPECT(file != NULL && fscanf(file, "%ld %ld", &mapped, &resident) == 2);
  if (file != NULL) fclose(file);
  const long per_mib = (1 << 20) / sysconf(_SC_PAGESIZE);
  return (Memory){mapped / per_mib, resident / per_mib};
}

int main(int argc, char** argv) {
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  find_ring();
  EXPECT(level == MPI_THREAD_MULTIPLE);
  EXPECT(pthread_key_create(&late, end_late) == 0);
  run_threads(1, kFirst);
  const Memory before = memory_now();
  run_threads(kFirst, kThreads);
  const Memory after = memory_now();
  EXPECT(after.resident - before.resident <= kMostResident);
  EXPECT(after.mapped - before.mapped <= kMostMapped);
  EXPECT(signal_stacks == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  finish("zoo_short_threads");
  return 0;
}
