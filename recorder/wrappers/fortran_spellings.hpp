// SPDX-License-Identifier: MIT
// mpi_send, mpi_send__ and MPI_SEND beside mpi_send_: the names that other Fortran compilers' conventions ask for (Open MPI has all of them).
//
// Clash       C libraries have functions of their own by these names (R's Rmpi: mpi_send, mpi_finalize), and their calls of these come to whoever is
//             preloaded. So each name leads to what the program would have called without the recorder: what is found behind it, or in the caller's
//             own libraries, or, where the call was made through a pointer, in whichever library has it. Where the same library has mpi_send_ as well, it is MPI's Fortran binding, or another tool, and the call is the wrapper's.
// How         arguments are unknown, so that registers are kept, and the call goes on by a jump: the callee returns to the caller.
// Cost        3 instructions more than the wrapper; for functions of the caller's own libraries some 2 µs.
// Source      System V ABI, AMD64: registers that have arguments (rdi, rsi, rdx, rcx, r8, r9, al, xmm0 to xmm7), r10 and r11 free of them but for a static chain.
#pragma once

#include "recorder/wrappers/fortran.hpp"

// `own`: the wrapper. Its address is taken within this file, whoever else has a function of its name.
#define REPRISE_FORTRAN_SPELLING(name, own)                                           \
  __asm__(".pushsection .text\n\t.globl " name "\n\t.type " name ", @function\n" name \
          ":\n\t.cfi_startproc\n\t"                                                   \
          "leaq 1f(%rip), %r11\n\tcmpq $0, 16(%r11)\n\t"                              \
          "je 2f\n\tjmp *16(%r11)\n"                                                  \
          "2:\tjmp reprise_fortran_spelling\n\t.cfi_endproc\n\t"                      \
          ".size " name ", . - " name                                                 \
          "\n\t.popsection\n\t"                                                       \
          ".pushsection .data.rel.local, \"aw\"\n\t"                                  \
          ".p2align 3\n\t.set reprise_own_" name ", " own                             \
          "\n1:\t.quad 3f\n\t.quad reprise_own_" name                                 \
          "\n\t.quad 0\n\t.quad 4f\n\t.popsection\n\t"                                \
          ".pushsection .rodata\n3:\t.string \"" name "\"\n4:\t.string \"" own        \
          "\"\n\t.popsection\n\t");
#define REPRISE_FORTRAN_SPELLINGS(procedure)                                             \
  REPRISE_FORTRAN_SPELLING(REPRISE_STRING(REPRISE_LOWER(procedure)),                     \
                           REPRISE_STRING(REPRISE_CONCAT(REPRISE_LOWER(procedure), _)))  \
  REPRISE_FORTRAN_SPELLING(REPRISE_STRING(REPRISE_CONCAT(REPRISE_LOWER(procedure), __)), \
                           REPRISE_STRING(REPRISE_CONCAT(REPRISE_LOWER(procedure), _)))  \
  REPRISE_FORTRAN_SPELLING(REPRISE_STRING(REPRISE_UPPER(procedure)),                     \
                           REPRISE_STRING(REPRISE_CONCAT(REPRISE_LOWER(procedure), _)))
