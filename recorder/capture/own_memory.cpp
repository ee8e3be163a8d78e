// SPDX-License-Identifier: MIT
// operator new and delete of the recorder's library: memory of its own, in place of the application's heap.
//
// Why    what the recorder takes from malloc and gives back changes what malloc does next for the program. glibc gives the end of its heap back to
//        the kernel when enough of it is free, and takes it again, page by page, with the next malloc: CoMD, which allocates its buffers anew
//        in each exchange, had 3200 page faults more a rank for one small block of ours, and took 15 % longer. And a program that
//        dies of a damaged heap would take the part that we write then with it.
// How    Doug Lea's allocator as Boost.Container has it: memory from mmap only, never from the heap's break.
// Scope  hidden, so the application's own operators stay: the library's C++ code, with the C++ library that is linked into it, and zstd's (trace-io/file/container.cpp).
// Fork   its lock is taken before fork() and given back after it on both sides, as malloc's is.
// Not in libraries for sanitizers, which watch the operators themselves.
#include <boost/container/detail/alloc_lib.h>
#include <pthread.h>

#include <cstddef>
#include <new>

namespace {

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void take() noexcept { pthread_mutex_lock(&lock); }
void release() noexcept { pthread_mutex_unlock(&lock); }

// As in malloc after its first large block: blocks up to 32 MiB are kept for the next ones. By default each of 256 KiB and more would be
// mapped and touched anew, page by page, which made MPI_Finalize three times as long.
constexpr int kTrimThreshold = -1, kMmapThreshold = -3;  // as dlmalloc numbers them
constexpr std::size_t kLargest = std::size_t{1} << 25;

__attribute__((constructor)) void begin() {
  boost_cont_mallopt(kMmapThreshold, kLargest);
  boost_cont_mallopt(kTrimThreshold, 2 * kLargest);
  pthread_atfork(take, release, release);
}

void* allocate(std::size_t size) noexcept {
  take();
  void* const memory = boost_cont_malloc(size);
  release();
  return memory;
}

void* allocate(std::size_t size, std::align_val_t alignment) noexcept {
  take();
  void* const memory = boost_cont_memalign(size, static_cast<std::size_t>(alignment));
  release();
  return memory;
}

void free_memory(void* memory) noexcept {
  if (memory == nullptr) return;
  take();
  boost_cont_free(memory);
  release();
}

void* or_throw(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return or_throw(allocate(size)); }
void* operator new[](std::size_t size) { return or_throw(allocate(size)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return or_throw(allocate(size, alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return or_throw(allocate(size, alignment));
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, alignment);
}

void operator delete(void* memory) noexcept { free_memory(memory); }
void operator delete[](void* memory) noexcept { free_memory(memory); }
void operator delete(void* memory, std::size_t) noexcept { free_memory(memory); }
void operator delete[](void* memory, std::size_t) noexcept { free_memory(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { free_memory(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { free_memory(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { free_memory(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { free_memory(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { free_memory(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  free_memory(memory);
}
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  free_memory(memory);
}
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  free_memory(memory);
}
