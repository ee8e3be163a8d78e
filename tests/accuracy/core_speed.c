// SPDX-License-Identifier: MIT
// How fast a core is for the same work, from moment to moment: is it the program, or the core, that takes longer?
//
// usage: core_speed [ROUNDS]     (default 2000, some 80 ms) a line each for stencil, update and chain: of the medians of a hundred rounds in a row the median, the
//                                shortest and the longest, in microseconds of the wall clock, and how they correlate with the stencil's
//        core_speed load MIB     for ever: spins (0), or walks through so many MiB
//
// Stencil  64 sweeps over 16 x 16 points: several instructions a cycle, all data in the first-level cache. It is slower where another
//          hardware thread of the same core computes, also one of another virtual machine.
// Update   one sweep over 128 x 128 points, what a rank of heat2d 512 does in a step on 16 ranks.
// Chain    4000 multiplications, each of which needs the one before: one instruction in some cycles. It shows the clock frequency alone.
// So       a stencil that is slower beside a chain that is not has shared its core; one that is slower by as much as the chain ran at a
//          lower frequency. Neither depends on caches beyond the first, nor on who ran before.
//
// gcc -O2 core_speed.c -o core_speed -lm
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kSmall = 16, kLarge = 128, kSweeps = 64, kSteps = 4000, kWindow = 100 };
enum { kStencil, kUpdate, kChain, kKinds };

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static double sweep(const double* from, double* to, int points) {
  const int row = points + 2;
  double residual = 0;
  for (int y = 1; y <= points; ++y)
    for (int x = 1; x <= points; ++x) {
      const int at = y * row + x;
      const double mean = 0.25 * (from[at - 1] + from[at + 1] + from[at - row] + from[at + row]);
      const double change = mean - from[at];
      to[at] = mean;
      residual += change * change;
    }
  return residual;
}

static int by_size(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// Sorts them.
static double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, by_size);
  return values[count / 2];
}

static double correlation(const double* a, const double* b, int count) {
  double of_a = 0, of_b = 0, aa = 0, bb = 0, ab = 0;
  for (int i = 0; i < count; ++i) {
    of_a += a[i] / count;
    of_b += b[i] / count;
  }
  for (int i = 0; i < count; ++i) {
    aa += (a[i] - of_a) * (a[i] - of_a);
    bb += (b[i] - of_b) * (b[i] - of_b);
    ab += (a[i] - of_a) * (b[i] - of_b);
  }
  return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

static void load(size_t bytes) {
  volatile unsigned char* memory = malloc(bytes + 1);
  if (!memory) abort();
  for (volatile uint64_t spins = 0;; ++spins)
    for (size_t i = 0; i < bytes; i += 64) memory[i]++;
}

int main(int argc, char** argv) {
  if (argc == 3 && !strcmp(argv[1], "load")) load((size_t)atol(argv[2]) << 20);
  const int rounds = argc > 1 ? atoi(argv[1]) : 2000;
  if (argc > 2 || rounds < kWindow) {
    fprintf(stderr, "usage: core_speed [ROUNDS] (%d or more), core_speed load MIB\n", kWindow);
    return 2;
  }
  static double small[2][(kSmall + 2) * (kSmall + 2)], large[2][(kLarge + 2) * (kLarge + 2)];
  const int windows = rounds / kWindow;
  double* medians[kKinds];
  for (int kind = 0; kind < kKinds; ++kind)
    if (!(medians[kind] = malloc((size_t)windows * sizeof(double)))) return 1;
  volatile double residual = 0;
  volatile uint64_t product = 1;
  for (int window = 0; window < windows; ++window) {
    double took[kKinds][kWindow];
    for (int round = 0; round < kWindow; ++round) {
      double times[kKinds + 1];
      times[kStencil] = now_us();
      for (int i = 0; i < kSweeps; ++i) residual = sweep(small[i % 2], small[1 - i % 2], kSmall);
      times[kUpdate] = now_us();
      residual = sweep(large[round % 2], large[1 - round % 2], kLarge);
      times[kChain] = now_us();
      uint64_t value = product;
      for (int i = 0; i < kSteps; ++i) value = value * 6364136223846793005u + 1;
      product = value;
      times[kKinds] = now_us();
      for (int kind = 0; kind < kKinds; ++kind) took[kind][round] = times[kind + 1] - times[kind];
    }
    for (int kind = 0; kind < kKinds; ++kind) medians[kind][window] = median(took[kind], kWindow);
  }
  static const char* const names[kKinds] = {"stencil", "update", "chain"};
  double correlations[kKinds];
  for (int kind = 0; kind < kKinds; ++kind)
    correlations[kind] = correlation(medians[kStencil], medians[kind], windows);
  for (int kind = 0; kind < kKinds; ++kind) {
    const double middle = median(medians[kind], windows);
    printf("%s %.2f %.2f %.2f %.2f\n", names[kind], middle, medians[kind][0],
           medians[kind][windows - 1], correlations[kind]);
  }
  return residual < 0;
}
