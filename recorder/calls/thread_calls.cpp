// SPDX-License-Identifier: MIT
#include "recorder/calls/thread_calls.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <new>

namespace reprise::recorder {
namespace {

constexpr std::size_t kHead = (sizeof(ThreadCalls) + 63U) & ~std::size_t{63};

std::size_t mapping_bytes(trace_io::CallStreamForm form) noexcept {
  return kHead + ThreadCalls::kDepth * sizeof(Entered) +
         trace_io::CallStreamCoder::memory_bytes(form);
}

// A line "55d0…-55d1… rw-p …" of /proc/self/maps, character by character.
class RangeReader {
 public:
  // Whether the line that has just ended had the address in it.
  bool put(char c, std::uintptr_t address) noexcept {
    if (c == '\n') {
      const bool has_it = address >= bounds_[0] && address < bounds_[1];
      if (has_it) return true;
      bounds_ = {};
      field_ = 0;
      return false;
    }
    if (field_ > 1) return false;
    if (c == '-' || c == ' ') {
      ++field_;
      return false;
    }
    const auto digit = static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
    bounds_[field_] = bounds_[field_] << 4U | (digit & 15U);
    return false;
  }
  OwnStack range() const noexcept { return {bounds_[0], bounds_[1]}; }

 private:
  std::array<std::uintptr_t, 2> bounds_{};
  std::size_t field_ = 0;
};

}  // namespace

OwnStack own_stack() noexcept {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0) return {};
  RangeReader reader;
  std::array<char, 2048> text;
  OwnStack found;
  for (bool is_found = false; !is_found;) {
    const ssize_t size = read(maps, text.data(), text.size());
    if (size <= 0) break;
    for (std::size_t i = 0; i < static_cast<std::size_t>(size) && !is_found; ++i)
      if (reader.put(text[i], here)) {
        found = reader.range();
        is_found = true;
      }
  }
  close(maps);
  if (found.low == 0 || getpid() != gettid()) return found;
  rlimit limit{};  // the main thread's stack grows
  found.low = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < found.high
                  ? found.high - limit.rlim_cur
                  : 0;
  return found;
}

ThreadCalls::ThreadCalls(trace_io::CallStreamForm form, std::uint32_t its_number, OwnStack its_own,
                         std::span<Entered> room, std::span<std::byte> memory) noexcept
    : number(its_number),
      mapped(mapping_bytes(form)),
      own(its_own),
      stack(room, its_own),
      coder(form, memory) {}

ThreadCalls* ThreadCalls::make(trace_io::CallStreamForm form, std::uint32_t number) noexcept {
  void* memory = mmap(nullptr, mapping_bytes(form), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* bytes = static_cast<std::byte*>(memory);
  const std::span room(reinterpret_cast<Entered*>(bytes + kHead), kDepth);
  const std::span coder(bytes + kHead + room.size_bytes(),
                        trace_io::CallStreamCoder::memory_bytes(form));
  return new (memory) ThreadCalls(form, number, own_stack(), room, coder);
}

void ThreadCalls::remove(ThreadCalls* calls) noexcept { munmap(calls, calls->mapped); }

}  // namespace reprise::recorder
