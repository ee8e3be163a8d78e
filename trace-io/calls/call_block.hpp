// SPDX-License-Identifier: MIT
// What files of call streams consist of: blocks, one behind another, each with a head that says what it is and how long. FORMAT.md
// describes them; it is the same form while a program runs and after its ranks' files have been joined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace reprise::trace_io {

enum class CallBlockKind : std::uint8_t {
  events = 1,     // of one thread
  modules = 2,    // files that functions are in
  functions = 3,  // by number: module and offset, or name
  numbers = 4,    // of a joined file: which function each of a rank's numbers is
  loss = 5,       // what is missing from a rank's streams, in words, and how often
};

// How many functions a rank's numbers tell apart; those beyond are all kOtherFunctions. 0 is a leave.
inline constexpr std::uint16_t kLeave = 0, kOtherFunctions = 65535;
inline constexpr std::uint32_t kMostFunctions = 65534;
inline constexpr std::uint32_t kCallBlockMagic = 0x31424352;  // "RCB1"
inline constexpr std::uint32_t kMostPayload = 1U << 24U;      // bytes
inline constexpr std::uint32_t kMostSymbols = 1U << 24U;      // of a block
inline constexpr std::int32_t kAllRanks = -1;

struct CallBlockHead {
  static constexpr std::uint8_t kRestart = 1;  // nothing before this block is known to its words
  static constexpr std::uint8_t kTimed = 2;    // a byte of time for each symbol

  std::uint32_t magic = kCallBlockMagic;
  CallBlockKind kind = CallBlockKind::events;
  std::uint8_t flags = 0;
  std::uint8_t form = 0, window = 0;  // of the history
  std::int32_t rank = kAllRanks;
  std::uint32_t thread = 0;
  std::uint32_t count = 0;                 // symbols, entries, or how often
  std::uint32_t bytes = 0;                 // of the payload
  std::uint32_t time_bytes = 0;            // of these, at the end
  std::uint32_t lost = 0;                  // events before this block that are in none
  std::uint64_t begin_ns = 0, end_ns = 0;  // monotonic, of the first and the last event
  std::uint64_t ticks = 0;                 // between these; 0: a tick is a nanosecond
  std::uint64_t checksum = 0;              // of the head, this field 0, and the payload
};
static_assert(sizeof(CallBlockHead) == 64);

// 64 bits that change with any change of a few bits; 8 bytes a step. For files that were cut or altered, not against an adversary.
// The payload's two parts, which are not next to each other while it is written.
std::uint64_t call_checksum(CallBlockHead, std::span<const std::byte> words,
                            std::span<const std::byte> times) noexcept;
// REQUIRES: as many bytes as `time_bytes` at least.
std::uint64_t call_checksum(const CallBlockHead&, std::span<const std::byte> payload) noexcept;

}  // namespace reprise::trace_io
