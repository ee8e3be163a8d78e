// SPDX-License-Identifier: MIT
// Gives every call site of the trace a call path of its own.
//
// A recorder or profiler tells call sites by return addresses. Here every call is made by one program line, so a site's number is
// spelt on the stack: one frame of a function per hexadecimal digit, sixteen functions in all. A recording of the live replay
// then has the same structure as the trace that is replayed.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

namespace reprise::live {

class CallFrames {
 public:
  // sites: how many there are; every path has as many frames.
  explicit CallFrames(std::uint32_t sites) {
    while ((sites >>= 4) != 0) ++digits_;
  }

  // Calls perform(context) below the frames of this site.
  template <class Context>
  void call(std::uint32_t site, Context& context, void (*perform)(Context&)) const {
    Walk<Context>{context, perform}.descend(site, digits_);
  }

 private:
  template <class Context>
  struct Walk {
    Context& context;
    void (*perform)(Context&);

    template <unsigned digit>
    [[gnu::noinline]] void frame(std::uint32_t rest, int digits) {
      descend(rest, digits);
      asm volatile(
          ""
          :
          : "i"(digit));  // keeps the sixteen functions apart, and the call from becoming a jump
    }
    template <std::size_t... digit>
    static constexpr auto frames(std::index_sequence<digit...>) {
      return std::array{&Walk::frame<digit>...};
    }
    void descend(std::uint32_t rest, int digits) {
      static constexpr auto kTable = frames(std::make_index_sequence<16>());
      if (digits == 0) return perform(context);
      (this->*kTable[rest & 15])(rest >> 4, digits - 1);
    }
  };

  int digits_ = 1;
};

}  // namespace reprise::live
