// SPDX-License-Identifier: MIT
// Memory of large arrays in pages of 2 MiB, where the system has such: those of millions of messages are read in no order, and each first
// touch of a page of 4 KiB costs as much as some messages do.
//
// Cost    arrays of less than kFrom bytes are allocated as any other. Where the system has no large pages left it gives small ones.
// Memory  up to a large page more for each large array.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace reprise::sim {

// An allocator as the standard library wants it. Throws std::bad_alloc.
template <class Thing>
struct LargePages {
  using value_type = Thing;
  LargePages() = default;
  template <class Other>
  LargePages(const LargePages<Other>&) {}  // NOLINT(google-explicit-constructor): the standard's

  Thing* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(Thing);
    if (bytes < kFrom)
      return static_cast<Thing*>(::operator new (bytes, std::align_val_t{alignof(Thing)}));
    void* const pages = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
    if (pages == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    static_cast<void>(::madvise(pages, bytes, MADV_HUGEPAGE));  // it may say no: nothing is lost
#endif
    return static_cast<Thing*>(pages);
  }
  void deallocate(Thing* things, std::size_t count) {
    if (count * sizeof(Thing) < kFrom)
      ::operator delete (things, std::align_val_t{alignof(Thing)});
    else
      std::free(things);
  }
  friend bool operator==(const LargePages&, const LargePages&) { return true; }

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20, kFrom = 2 * kPage;
};

template <class Thing>
using LargeArray = std::vector<Thing, LargePages<Thing>>;

}  // namespace reprise::sim
