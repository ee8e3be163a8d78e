// SPDX-License-Identifier: MIT
#include "tests/fuzz/heap_watch.hpp"

#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> in_use{0};
std::atomic<std::size_t> limit{SIZE_MAX};

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t size = malloc_usable_size(memory);
  if (in_use.fetch_add(size) + size > limit.load()) {
    std::fprintf(stderr, "more memory than the input allows: %zu bytes\n", limit.load());
    std::abort();
  }
  return memory;
}

void uncounted(void* memory) {
  if (memory == nullptr) return;
  in_use.fetch_sub(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void reprise::fuzz::allow_heap(std::size_t bytes) { limit.store(in_use.load() + bytes); }

void* operator new(std::size_t size) { return counted(std::malloc(size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto boundary = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(boundary, (size + boundary - 1) / boundary * boundary));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(
      std::malloc(size));  // libFuzzer's own; without memory there is nothing to go on with
}
void operator delete(void* memory) noexcept { uncounted(memory); }
void operator delete(void* memory, std::size_t) noexcept { uncounted(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { uncounted(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { uncounted(memory); }
