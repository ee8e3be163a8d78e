// SPDX-License-Identifier: MIT
// Which byte of a payload comes next: eight contexts of it, mixed (FORMAT.md, "Coded payload").
//
// How     each bit is foreseen by what followed each context so far (its column; the bytes, and the lengths of the numbers, before it; the byte that
//         followed where the last three were the same), and these are mixed by weights that are learnt on the way.
// Source  Mahoney: Adaptive Weighing of Context Models for Lossless Data Compression, Florida Tech. CS-2005-16.
// Cost    1 MiB; some 0.6 us a byte. Integers alone: the same on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "trace-io/file/format.hpp"

namespace reprise::trace_io {

class ByteModel {
 public:
  ByteModel();

  static constexpr std::size_t kLengths = kColumns;  // in place of a column: the table of lengths

  // The bytes that follow are of that column: what was before it is no context.
  void begin(std::size_t column);
  // That the next bit of a byte, the highest first, is a one, of 4096: 1 … 4095.
  unsigned foresee();
  // What the bit foreseen last was.
  void learn(bool bit);
  // The same for all bits of a byte, whatever was foreseen.
  void learn_byte(std::uint8_t);

 private:
  static constexpr std::size_t kContexts = 8, kWeightSets = kContexts + 1;
  static constexpr unsigned kPairBits = 14;
  // How probable a one is, and how often it was seen: 12 and 4 bits. Zeros: nothing is known.
  using Chance = std::uint16_t;
  // The chances of the 15 bits that half a byte can have.
  struct Bucket {
    std::uint16_t check = 0;
    std::array<Chance, 15> chances{};
  };
  // In one cache line: a context has either.
  struct alignas(64) Pair {
    std::array<Bucket, 2> buckets;
  };
  using Contexts = std::array<std::uint64_t, kContexts>;

  Contexts text_contexts() const;
  Contexts number_contexts() const;
  void find_buckets();
  Bucket& bucket_of(std::uint64_t hash);
  void end_byte();
  void follow_repetition();
  std::uint64_t before(std::size_t bytes) const;  // that byte of the column, or none

  std::vector<Pair> pairs_;
  std::vector<std::array<std::int32_t, kContexts>> weights_;

  std::size_t column_ = 0, column_start_ = 0;
  std::vector<std::uint8_t> bytes_;         // so far, of all columns
  std::vector<std::uint32_t> last_places_;  // by the hash of three bytes: what followed them
  std::size_t repeated_ = 0, repeated_bytes_ = 0;
  unsigned place_ = 0, length_ = 0, last_length_ = 0, length_before_ = 0;  // of bytes in numbers

  Contexts hashes_{};
  std::array<Bucket*, kContexts> found_{};
  unsigned bits_ = 1;  // of the byte so far, below a one
  std::array<Chance*, kContexts> chosen_{};
  std::array<std::int32_t, kContexts> inputs_{};
  std::size_t weight_set_ = 0;
  int probability_ = 0;
};

}  // namespace reprise::trace_io
