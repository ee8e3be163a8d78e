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
// Pages  huge ones where the kernel gives them, in pieces of 2 MiB, from the first on: calls of CP2K and Quantum ESPRESSO take a tenth less of the
//        recorder's own time than with pieces of 64 KiB (RESULTS.md). A page that is touched for the first time costs 0.5 µs and, in virtual machines, up
//        to 15. The price is 2 MiB a process where less would do.
// Small  blocks that are given back wait for the next of their size, up to kMostWaiting bytes in all: taking one again is a tenth of what the
//        allocator does to join and split them.
// Not in libraries for sanitizers, which watch the operators themselves.
#include <boost/container/detail/alloc_lib.h>
#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace {

// 0: free, 1: taken, 2: taken and waited for. Mostly one thread allocates: a mutex took as long as the allocation.
std::atomic<int> lock{0};

void take() noexcept {
  int free = 0;
  if (lock.compare_exchange_strong(free, 1, std::memory_order_acquire)) [[likely]]
    return;
  while (lock.exchange(2, std::memory_order_acquire) != 0) lock.wait(2, std::memory_order_relaxed);
}
void release() noexcept {
  if (lock.exchange(0, std::memory_order_release) == 2) [[unlikely]]
    lock.notify_one();
}

// As in malloc after its first large block: blocks up to 32 MiB are kept for the next ones. By default each of 256 KiB and more would be
// mapped and touched anew, page by page, which made MPI_Finalize three times as long.
constexpr int kTrimThreshold = -1, kGranularity = -2,
              kMmapThreshold = -3;  // as dlmalloc numbers them
constexpr std::size_t kLargest = std::size_t{1} << 25;
// Memory is mapped in pieces of a huge page, and from kMany bytes on of two.
constexpr std::size_t kHugePage = std::size_t{2} << 20, kMany = std::size_t{4} << 20;

__attribute__((constructor)) void begin() {
  boost_cont_mallopt(kGranularity, kHugePage);
  boost_cont_mallopt(kMmapThreshold, kLargest);
  boost_cont_mallopt(kTrimThreshold, 2 * kLargest);
  pthread_atfork(take, release, release);
}

// Blocks that wait, by their size in kGrain, which is the allocator's, with its word in front of each.
struct Waiting {
  Waiting* next;
};
constexpr std::size_t kGrain = 16, kInFront = sizeof(std::size_t), kLargestWaiting = 1024,
                      kMostWaiting = std::size_t{1} << 20;
constexpr std::size_t kSizes = (kLargestWaiting + kInFront) / kGrain + 2, kSmallest = 2;
std::array<Waiting*, kSizes> waiting_blocks{};
std::size_t waiting_bytes = 0;

constexpr std::size_t grains_of(std::size_t size) {
  return std::max(kSmallest, (size + kInFront + kGrain - 1) / kGrain);
}

void* allocate(std::size_t size) noexcept {
  take();
  void* memory = nullptr;
  if (size <= kLargestWaiting) {
    Waiting*& first = waiting_blocks[grains_of(size)];
    if (first != nullptr) [[likely]] {
      memory = std::exchange(first, first->next);
      waiting_bytes -= grains_of(size) * kGrain;
      release();
      return memory;
    }
  }
  memory = boost_cont_malloc(size);
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
  const std::size_t grains = grains_of(boost_cont_size(memory));
  if (grains < kSizes && waiting_bytes < kMostWaiting) [[likely]] {
    waiting_blocks[grains] = new (memory) Waiting{waiting_blocks[grains]};
    waiting_bytes += grains * kGrain;
  } else {
    boost_cont_free(memory);
  }
  release();
}

void* or_throw(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// The linker directs calls of mmap() here, and those of the real one past it (--wrap=mmap). The advice has to come before the first touch.
extern "C" {
void* real_mmap(void*, std::size_t, int, int, int, off_t) noexcept __asm__("__real_mmap");
void* wrapped_mmap(void*, std::size_t, int, int, int, off_t) noexcept __asm__("__wrap_mmap");

void* wrapped_mmap(void* where, std::size_t size, int protection, int flags, int file,
                   off_t offset) noexcept {
  const bool is_piece = file == -1 && where == nullptr && size >= kHugePage;
  if (!is_piece) return real_mmap(where, size, protection, flags, file, offset);
  if (boost_cont_footprint() >= kMany) boost_cont_mallopt(kGranularity, 2 * kHugePage);
  // A huge page more, so that one begins within it: what is in front, and behind, goes back.
  void* memory = real_mmap(nullptr, size + kHugePage, protection, flags, file, offset);
  if (memory == MAP_FAILED) return real_mmap(nullptr, size, protection, flags, file, offset);
  auto* const begin = static_cast<std::byte*>(memory);
  const std::size_t in_front = -reinterpret_cast<std::uintptr_t>(begin) % kHugePage;
  if (in_front > 0) munmap(begin, in_front);
  if (in_front < kHugePage) munmap(begin + in_front + size, kHugePage - in_front);
  memory = begin + in_front;
  madvise(memory, size, MADV_HUGEPAGE);
  return memory;
}
}

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
