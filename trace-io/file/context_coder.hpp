// SPDX-License-Identifier: MIT
// Numbers of a payload as few bits as their contexts leave open: the payload's column `coded` (FORMAT.md, "Coded numbers").
//
// How     an arithmetic coder of binary decisions (order/bit_coder.hpp). Each has six contexts, numbers of the caller's choice that are known before it; what
//         followed each of them so far is a probability, and these are mixed by weights that are learnt on the way. One class for both directions:
//         a coder that writes takes the number and returns it, one that reads returns what was written.
// Cost    some 40 ns a decision; 1.5 MiB. A decision that was foreseen takes down to 0.0004 bits.
// Damage  bytes that no writer wrote give other numbers, never an error: whoever reads numbers checks them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "trace-io/order/bit_coder.hpp"

namespace reprise::trace_io {

inline constexpr std::size_t kContexts = 6;
using Contexts = std::array<std::uint64_t, kContexts>;

// Several numbers as one context.
inline std::uint64_t packed_context(std::uint64_t a, std::uint64_t b, std::uint64_t c = 0,
                                    std::uint64_t d = 0) {
  return ((a * 4099 + b) * 4099 + c) * 4099 + d;
}

// What is decided. Decisions of one kind share how far each context is trusted.
enum class Coded : std::uint8_t {
  path_up,
  path_end,
  path_known_child,
  path_child,
  path_known_successor,
  path_successor,
  path_known_frame,
  path_frame,
  path_module,
  path_side,
  path_distance,
  sequence_size,
  sequence_form,
  sequence_pattern,
  sequence_row,
  sequence_alphabet,
  sequence_value,
  sequence_symbol,
  reference_guess,
  reference,
};
// Of the bits of a number, how many are told by contexts.
inline constexpr unsigned kFirstBits = 3, kWholeNumber = 64;
inline constexpr std::size_t kCodedKinds = 20;

// Which bit comes next, and how sure that is.
class ContextModel {
 public:
  ContextModel();
  // The contexts of the decisions that follow.
  void set(Coded, const Contexts&);
  // The probability that decision `number` of them is a one, of 4096: 1 … 4095.
  unsigned foresee(std::uint64_t number);
  // What the decision foreseen last was.
  void learn(bool bit);

 private:
  static constexpr unsigned kSlotBits = 16;
  static constexpr std::size_t kSlots = std::size_t{1} << kSlotBits, kWeightSets = 8;
  struct Slot {
    std::uint16_t probability = 32768;  // of a one, of 65536
    std::uint8_t seen = 0, check = 0;
  };

  std::vector<Slot> slots_;
  std::vector<std::array<std::int32_t, kContexts>> weights_;
  Contexts hashes_{};
  std::size_t kind_ = 0, weight_set_ = 0;
  std::array<Slot*, kContexts> chosen_{};
  std::array<int, kContexts> inputs_{};
  int probability_ = 0;
};

// BITS: BitEncoder or BitDecoder.
template <class Bits>
class ContextCoder {
 public:
  template <class... Arguments>
  explicit ContextCoder(Arguments&&... arguments) : bits_(std::forward<Arguments>(arguments)...) {}

  bool decide(Coded kind, const Contexts& contexts, bool bit = false) {
    model_.set(kind, contexts);
    return decision(0, bit);
  }
  // Any number, the shorter the smaller: the number of its bits in unary, then these, the first `told` of them by contexts.
  std::uint64_t number(Coded kind, const Contexts& contexts, std::uint64_t number = 0,
                       unsigned told = kFirstBits) {
    model_.set(kind, contexts);
    unsigned bits = 0;
    while (bits < 64 && decision(bits, bits < 64 && number >> bits != 0)) ++bits;
    if (bits < 2) return bits;
    std::uint64_t read = 1;
    for (unsigned bit = bits - 1; bit-- > 0;) {
      const bool is_set = (number >> bit & 1U) != 0;
      const bool is_told = bit + 1 + told >= bits;
      read = read << 1U |
             (is_told ? decision((std::uint64_t{bits} + 1) << 56U ^ read, is_set) : plain(is_set));
    }
    return read;
  }
  // One of 2^bits numbers, bit by bit.
  std::uint64_t symbol(Coded kind, const Contexts& contexts, unsigned bits,
                       std::uint64_t symbol = 0) {
    model_.set(kind, contexts);
    std::uint64_t read = 1;
    for (unsigned bit = bits; bit-- > 0;)
      read = read << 1U | static_cast<std::uint64_t>(decision(read, (symbol >> bit & 1U) != 0));
    return read - (std::uint64_t{1} << bits);
  }

  Bits& bits() { return bits_; }
  const Bits& bits() const { return bits_; }

 private:
  bool decision(std::uint64_t number, bool bit) {
    const unsigned probability = model_.foresee(number);
    bits_.code(probability, bit);
    model_.learn(bit);
    return bit;
  }
  bool plain(bool bit) {
    constexpr unsigned kHalf = 2048;
    bits_.code(kHalf, bit);
    return bit;
  }

  ContextModel model_;
  Bits bits_;
};

using ContextEncoder = ContextCoder<BitEncoder>;
using ContextDecoder = ContextCoder<BitDecoder>;

}  // namespace reprise::trace_io
