/* SPDX-License-Identifier: MIT
 * Coroutines that call MPI, on stacks of their own: what stands behind their first frame is no return address, and behind that no memory. In turn
 * stacks are of one page in use and of many, at the same addresses, so that where words of the one were there is nothing of the other. */
#include <stdint.h>
#include <sys/mman.h>

#include "ring.h"

enum { kRounds = 60, kPage = 4096, kPages = 16 };

/* Saves where the stack is to *from, and goes on where `to` was. */
void switch_stack(void** from, void* to);
__asm__(
    ".text\n.globl switch_stack\n.type switch_stack, @function\nswitch_stack:\n"
    " push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n"
    " mov %rsp, (%rdi)\n mov %rsi, %rsp\n"
    " pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n ret\n"
    ".size switch_stack, .-switch_stack\n.section .note.GNU-stack, \"\", @progbits\n.text\n");

static void *of_main, *of_coroutine;
static int received;

static __attribute__((noinline)) void exchange(int value) {
  MPI_Request request;
  MPI_Irecv(&received, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &request);
  MPI_Send(&value, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static __attribute__((noinline)) void deeper(int levels, int value) {
  volatile char room[200];
  room[0] = (char)value;
  if (levels == 0)
    exchange(value);
  else
    deeper(levels - 1, value);
  room[1] = room[0];
}

/* Never returns. */
static void run_flat(void) {
  for (int value = 0;; ++value) {
    exchange(value);
    switch_stack(&of_coroutine, of_main);
  }
}
static void run_deep(void) {
  for (int value = 0;; ++value) {
    deeper(12, value);
    switch_stack(&of_coroutine, of_main);
  }
}

/* With `end` as what its first function would return to. The page above its stack cannot be read. */
static void* new_stack(size_t pages, void (*run)(void), uintptr_t end) {
  char* memory = mmap(NULL, (kPages + 2) * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT(memory != MAP_FAILED);
  char* top = memory + (kPages + 1) * kPage;
  EXPECT(mprotect(top - pages * kPage, pages * kPage, PROT_READ | PROT_WRITE) == 0);
  uintptr_t* words = (uintptr_t*)top;
  *--words = end;
  *--words = (uintptr_t)run;
  for (int registers = 0; registers < 6; ++registers) *--words = 0;
  of_coroutine = words;
  return memory;
}

static void use(void (*run)(void), uintptr_t end) {
  void* memory = new_stack(kPages, run, end);
  for (int round = 0; round < kRounds; ++round) {
    switch_stack(&of_main, of_coroutine);
    EXPECT(received == round);
  }
  munmap(memory, (kPages + 2) * kPage);
}

static void never(void) {}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  for (int again = 0; again < 3; ++again) {
    use(run_flat, 0xdeaddeaddeaddeadu); /* no address of this machine */
    use(run_deep, 0xdeaddeaddeaddeadu);
    use(run_flat, (uintptr_t)never + 1); /* a function's, that never called */
    use(run_deep, (uintptr_t)never + 1);
    use(run_flat, 0);
    deeper(2, again);
    EXPECT(received == again);
  }
  finish("zoo_coroutines");
  return 0;
}
