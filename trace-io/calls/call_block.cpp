// SPDX-License-Identifier: MIT
#include "trace-io/calls/call_block.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace reprise::trace_io {
namespace {

static_assert(std::endian::native == std::endian::little, "heads are written as they are");

std::uint64_t add(std::uint64_t sum, std::span<const std::byte> bytes) noexcept {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15U;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    sum = std::rotl((sum ^ word) * kFactor, 29);
  }
  std::uint64_t rest = 0;
  if (!bytes.empty()) std::memcpy(&rest, bytes.data(), bytes.size());
  return std::rotl((sum ^ rest ^ bytes.size() << 56U) * kFactor, 29);
}

}  // namespace

std::uint64_t call_checksum(CallBlockHead head, std::span<const std::byte> words,
                            std::span<const std::byte> times) noexcept {
  head.checksum = 0;
  return add(add(add(0, std::as_bytes(std::span(&head, 1))), words), times);
}

std::uint64_t call_checksum(const CallBlockHead& head,
                            std::span<const std::byte> payload) noexcept {
  const std::size_t words = payload.size() - head.time_bytes;
  return call_checksum(head, payload.first(words), payload.subspan(words));
}

}  // namespace reprise::trace_io
