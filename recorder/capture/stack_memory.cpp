// SPDX-License-Identifier: MIT
#include "recorder/capture/stack_memory.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace reprise::recorder {

StackBounds bounds_of_own_stack() noexcept {
  static thread_local constinit StackBounds bounds __attribute__((tls_model("initial-exec"))){};
  static thread_local constinit bool is_asked __attribute__((tls_model("initial-exec"))) = false;
  if (!is_asked) {
    is_asked = true;
    bounds = stack_of_this_thread();
  }
  return bounds;
}

bool is_readable(std::uintptr_t address) noexcept {
  constexpr long kNoSuchRequest = ~0L;
  constexpr std::size_t kMaskBytes = 8;  // of the kernel's signal masks
  const int before = errno;
  const std::uintptr_t page = address & ~(StackReading::kPage - 1);
  const bool is = syscall(SYS_rt_sigprocmask, kNoSuchRequest, page, nullptr, kMaskBytes) == 0 ||
                  errno != EFAULT;
  errno = before;
  return is;
}

bool is_readable_above(std::uintptr_t address, std::size_t bytes) noexcept {
  const std::uintptr_t last = (address + bytes - 1) / StackReading::kPage;
  for (std::uintptr_t page = (address - 1) / StackReading::kPage + 1; page <= last; ++page)
    if (!is_readable(page * StackReading::kPage)) return false;
  return true;
}

}  // namespace reprise::recorder
