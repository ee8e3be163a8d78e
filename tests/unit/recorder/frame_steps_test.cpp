// SPDX-License-Identifier: MIT
#include "recorder/capture/frame_steps.hpp"

#include <alloca.h>
#include <sys/mman.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <thread>
#include <vector>

using namespace reprise::recorder;

namespace {

FrameSteps* steps;
bool is_walked, is_equal, remembers;
std::size_t frames;

// As an exported wrapper unwinds, in both ways.
[[gnu::noinline]] void compare(std::size_t limit) {
  const auto wrapper = static_cast<Frame>(__builtin_frame_address(0));
  Unwound walked, unwound;
  StackReading reading(stack_of_this_thread(), stack_position(wrapper));
  is_walked = reading.is_own() && steps->walk(wrapper, limit, reading, walked);
  unwind(wrapper, limit, unwound);
  const auto addresses = [](const Unwound& path) {
    return std::vector(path.addresses.begin(),
                       path.addresses.begin() + static_cast<std::ptrdiff_t>(path.frames));
  };
  is_equal = addresses(walked) == addresses(unwound) && walked.reached_end == unwound.reached_end;
  // Each word is still where it was found.
  remembers = walked.can_be_remembered && walked.word_count + 1 >= walked.frames;
  for (std::size_t i = 0; i < walked.word_count; ++i)
    remembers = remembers && *walked.words[i].where == walked.words[i].value;
  frames = walked.frames;
  asm volatile("");
}

[[gnu::noinline]] void below(int levels, std::size_t limit) {
  if (levels == 0)
    compare(limit);
  else
    below(levels - 1, limit);
  asm volatile("");
}

// Its frame is found through the frame pointer, because the stack pointer is not known.
[[gnu::noinline]] void with_array(std::size_t bytes, std::size_t limit) {
  volatile char* array = static_cast<volatile char*>(alloca(bytes));
  array[0] = 1;
  below(3, limit);
  asm volatile("" : : "r"(array));
}

extern "C" int in_order(const void*, const void*) {
  with_array(100, Unwound::kMaxFrames);
  return 0;
}

}  // namespace

TEST_CASE("walking by known steps finds what the unwinder finds") {
  FrameSteps known;
  steps = &known;
  for (int again = 0; again < 2; ++again)
    for (const std::size_t limit : {std::size_t{1}, std::size_t{5}, Unwound::kMaxFrames}) {
      below(0, limit);
      CHECK((is_walked && is_equal && remembers));
      below(20, limit);
      CHECK((is_walked && is_equal && remembers));
      for (std::size_t bytes = 8; bytes < 5000; bytes *= 3) {
        with_array(bytes, limit);
        CHECK((is_walked && is_equal && remembers));
      }
    }
  below(100, Unwound::kMaxFrames);
  CHECK((is_walked && is_equal && remembers));
  CHECK(frames == Unwound::kMaxFrames);
  known.clear();
  below(20, Unwound::kMaxFrames);
  CHECK((is_walked && is_equal && remembers));
}

TEST_CASE("walking by known steps goes through libraries and ends where a thread begins") {
  FrameSteps known;
  steps = &known;
  int numbers[2] = {2, 1};
  std::qsort(numbers, 2, sizeof numbers[0], in_order);
  CHECK((is_walked && is_equal && remembers));
  std::thread([] { below(3, Unwound::kMaxFrames); }).join();
  CHECK((is_walked && is_equal && remembers));
}

TEST_CASE("code that no table knows is left to the unwinder") {
  FrameSteps known;
  steps = &known;
  Unwound path;
  std::uintptr_t stack[4] = {0, 1, 0, 0};  // a return address in no file
  StackReading reading(stack_of_this_thread(), stack_position(stack));
  CHECK_FALSE(known.walk(stack, 8, reading, path));
}

TEST_CASE("on a stack that is not the thread's a walk ends in front of what cannot be read") {
  FrameSteps known;
  steps = &known;
  below(0, 2);  // a return address that a table knows, and whose frame takes some words
  Unwound ours;
  const auto here = static_cast<Frame>(__builtin_frame_address(0));
  StackReading own(stack_of_this_thread(), stack_position(here));
  REQUIRE(known.walk(here, 2, own, ours));

  constexpr std::size_t kPages = 3;
  auto* const memory = static_cast<std::byte*>(
      mmap(nullptr, kPages * StackReading::kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  REQUIRE(memory != MAP_FAILED);
  std::byte* const page = memory + StackReading::kPage;
  REQUIRE(mprotect(page, StackReading::kPage, PROT_READ | PROT_WRITE) == 0);
  auto* const words = reinterpret_cast<std::uintptr_t*>(memory + 2 * StackReading::kPage);
  words[-2] = reinterpret_cast<std::uintptr_t>(words + 64);  // as a frame pointer
  words[-1] = ours.addresses[0];
  const Frame wrapper = words - 2;
  StackReading foreign(stack_of_this_thread(), stack_position(wrapper));
  CHECK_FALSE(foreign.is_own());
  CHECK_FALSE(foreign.can_read(words));
  CHECK_FALSE(foreign.can_read(words + 64));
  CHECK_FALSE(foreign.can_read(words - 3));  // below the wrapper's frame
  CHECK(foreign.can_read(words - 1));
  Unwound path;
  CHECK_FALSE(known.walk(wrapper, 8, foreign, path));
  CHECK(path.frames == 1);
  CHECK(path.addresses[0] == ours.addresses[0]);

  errno = ENOTTY;
  CHECK(is_readable(reinterpret_cast<std::uintptr_t>(page) + 17));
  CHECK_FALSE(is_readable(reinterpret_cast<std::uintptr_t>(memory)));
  CHECK(is_readable_above(reinterpret_cast<std::uintptr_t>(page), StackReading::kPage));
  CHECK_FALSE(is_readable_above(reinterpret_cast<std::uintptr_t>(page), StackReading::kPage + 1));
  CHECK(errno == ENOTTY);
  munmap(memory, kPages * StackReading::kPage);
  CHECK_FALSE(is_readable(reinterpret_cast<std::uintptr_t>(page)));
}
