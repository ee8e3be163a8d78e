// SPDX-License-Identifier: MIT
// Pages that a thread touches first inside an MPI call, as where it receives into memory that it has just allocated.
//
// Why     the kernel finds and clears such a page before the program goes on: work of this rank, once, and no part of a message. A replay takes
//         its messages from the machine's file, measured with memory in use, so what the kernel took counts as computing before the call.
//         A first all-to-all of 34 MB took 86 ms where the ones after it took 3.
// Pages   by getrusage's minor faults: read where a thread enters a call after long computing, and after a long call. What is read in between
//         is little: nothing is moved where the last reading before a call is older than a quarter of that call.
// Time    each page at what a first touch takes in MPI_Init, all ranks at once, pages of 4 KiB: less than it is where the kernel gives
//         huge pages, whose number it counts. At most nine tenths of a call.
// Cost    a comparison a call; two system calls, 0.2 to 1 µs each, for a call or a gap of 0.1 ms and more.
// Threads of one thread.
#pragma once

#include <cstdint>

#include "recorder/capture/owned_sum.hpp"
#include "trace-io/base/quantity.hpp"

namespace reprise::recorder {

class FirstTouches {
 public:
  static constexpr Nanoseconds kLong{100'000};
  static constexpr std::int64_t kFew = 8;  // pages that are no matter

  // What a page takes now; 0 where no memory is to be had. 80 pages are touched.
  static Nanoseconds page_takes() noexcept;

  // `long_time`: kLong, in ticks of the thread's clock.
  void watch(Nanoseconds page, std::uint64_t long_time) noexcept {
    page_ = page;
    long_time_ = long_time;
  }
  bool is_long(std::uint64_t ticks) const noexcept { return ticks >= long_time_; }

  // The pages up to now (KernelUse, own_files.hpp). `reading`: of the thread's clock.
  void look(std::uint64_t reading, std::int64_t pages) noexcept {
    looked_ = reading;
    pages_ = pages;
  }
  // At the end of a long call that began and ended at these readings and took `inside`: how much of it was first touches.
  Nanoseconds in_call(std::uint64_t begin, std::uint64_t end, Nanoseconds inside,
                      std::int64_t pages) noexcept;

  // What was moved; read by others.
  Nanoseconds time() const noexcept { return read_shared(time_); }

 private:
  Nanoseconds page_{};
  std::uint64_t long_time_ = ~std::uint64_t{0};
  std::uint64_t looked_ = 0;  // reading
  std::int64_t pages_ = 0;    // then
  Nanoseconds time_{};
};

}  // namespace reprise::recorder
