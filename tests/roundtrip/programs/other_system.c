// SPDX-License-Identifier: MIT
// Preloaded, it is another system, as OTHER_SYSTEM says: "no_rseq", whose kernel does not know rseq(2) (for whoever calls by syscall(3)),
// or "slow_clock", whose CPU clock of threads is half as fast.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

static int is_system(const char* name) {
  const char* system = getenv("OTHER_SYSTEM");
  return system && !strcmp(system, name);
}

long syscall(long number, long a, long b, long c, long d, long e, long f) {
  static long (*real)(long, ...);
  if (number == SYS_rseq && is_system("no_rseq")) {
    errno = ENOSYS;
    return -1;
  }
  if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return real(number, a, b, c, d, e, f);
}

int clock_gettime(clockid_t clock, struct timespec* time) {
  static int (*real)(clockid_t, struct timespec*);
  if (!real) real = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  const int result = real(clock, time);
  if (clock != CLOCK_THREAD_CPUTIME_ID || !is_system("slow_clock")) return result;
  const long half = (time->tv_sec * 1000000000 + time->tv_nsec) / 2;
  *time = (struct timespec){half / 1000000000, half % 1000000000};
  return result;
}
