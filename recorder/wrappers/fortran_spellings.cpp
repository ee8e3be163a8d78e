// SPDX-License-Identifier: MIT
#include "recorder/wrappers/fortran_spellings.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstdint>

#include "recorder/wrappers/found_libraries.hpp"

#if defined(OPEN_MPI)
namespace reprise::recorder {
namespace {

// As REPRISE_FORTRAN_SPELLING() lays it out.
struct Spelling {
  const char* name;
  void* own;
  std::atomic<void*> always;  // where it leads, whoever calls; null until that is known
  const char* usual;          // name of `own`
};

// Whether the library that something is in has the usual spelling as well. Other tools that are loaded wrap that alone, so that it is not asked for in
// the whole program.
bool has_bindings(const void* found, const Spelling& spelling) noexcept {
  return found_by_caller(reinterpret_cast<std::uintptr_t>(found), false, [&](void* scope) {
           void* const usual = dlsym(scope, spelling.usual);
           return library_at(usual) == library_at(found) ? usual : nullptr;
         }) != nullptr;
}

// What a scope has by the name, or the wrapper where that is in a library with Fortran bindings; null where there is nothing but the recorder's own.
void* found_in(void* scope, const Spelling& spelling) noexcept {
  void* const found = dlsym(scope, spelling.name);
  if (found == nullptr || library_at(found) == library_at(spelling.own)) return nullptr;
  return has_bindings(found, spelling) ? spelling.own : found;
}

}  // namespace

extern "C" [[gnu::used, gnu::visibility("hidden")]] void* reprise_lead_of(
    Spelling* spelling, std::uintptr_t caller) noexcept try {
  const auto look = [&](void* scope) { return found_in(scope, *spelling); };
  void* lead = look(RTLD_NEXT);
  if (lead == nullptr)
    if (void* const of_caller = found_by_caller(caller, false, look)) return of_caller;
  if (lead == nullptr) lead = found_anywhere(look);
  if (lead == nullptr) return spelling->own;
  spelling->always.store(lead, std::memory_order_relaxed);
  return lead;
} catch (...) {
  return spelling->own;
}

}  // namespace reprise::recorder

// r11: the spelling.
__asm__(R"(
  .pushsection .text
  .globl reprise_fortran_spelling
  .hidden reprise_fortran_spelling
  .type reprise_fortran_spelling, @function
reprise_fortran_spelling:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  subq $192, %rsp
  andq $-16, %rsp
  movq %rdi, 0(%rsp)
  movq %rsi, 8(%rsp)
  movq %rdx, 16(%rsp)
  movq %rcx, 24(%rsp)
  movq %r8, 32(%rsp)
  movq %r9, 40(%rsp)
  movq %rax, 48(%rsp)
  movq %r10, 56(%rsp)
  movups %xmm0, 64(%rsp)
  movups %xmm1, 80(%rsp)
  movups %xmm2, 96(%rsp)
  movups %xmm3, 112(%rsp)
  movups %xmm4, 128(%rsp)
  movups %xmm5, 144(%rsp)
  movups %xmm6, 160(%rsp)
  movups %xmm7, 176(%rsp)
  movq %r11, %rdi
  movq 8(%rbp), %rsi
  call reprise_lead_of
  movq %rax, %r11
  movq 0(%rsp), %rdi
  movq 8(%rsp), %rsi
  movq 16(%rsp), %rdx
  movq 24(%rsp), %rcx
  movq 32(%rsp), %r8
  movq 40(%rsp), %r9
  movq 48(%rsp), %rax
  movq 56(%rsp), %r10
  movups 64(%rsp), %xmm0
  movups 80(%rsp), %xmm1
  movups 96(%rsp), %xmm2
  movups 112(%rsp), %xmm3
  movups 128(%rsp), %xmm4
  movups 144(%rsp), %xmm5
  movups 160(%rsp), %xmm6
  movups 176(%rsp), %xmm7
  leave
  .cfi_def_cfa %rsp, 8
  jmp *%r11
  .cfi_endproc
  .size reprise_fortran_spelling, . - reprise_fortran_spelling
  .popsection
)");
#endif
