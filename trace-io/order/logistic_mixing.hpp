// SPDX-License-Identifier: MIT
// Probabilities of binary decisions as logits, so that what several contexts foresee can be added up by weights that are learnt.
//
// Units   a logit of 256 is 1; probabilities are of 4096.
// Source  Mahoney: Adaptive Weighing of Context Models for Lossless Data Compression, Florida Tech. CS-2005-16 (logistic mixing).
// Cost    nothing calls or allocates; tables are made by the compiler. Integers alone: the same on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace reprise::trace_io {

inline constexpr int kSure = 2047;  // largest logit

inline constexpr std::array<int, 34> kProbabilities = {  // of multiples of 128
    1,    2,    3,    6,    10,   16,   27,   45,   73,   120,  194,  310,
    488,  747,  1101, 1546, 2047, 2549, 2994, 3348, 3607, 3785, 3901, 3975,
    4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094, 4095};

// 4096 / (1 + e^(−logit / 256)), linear between multiples of 128.
constexpr int probability_of(int logit) {
  logit = std::clamp(logit, -kSure, kSure) + 2048;
  const int place = logit / 128, rest = logit % 128;
  return (kProbabilities[static_cast<std::size_t>(place)] * (128 - rest) +
          kProbabilities[static_cast<std::size_t>(place) + 1] * rest + 64) /
         128;
}

// The inverse.
inline constexpr std::array<std::int16_t, 4096> kLogits = [] {
  std::array<std::int16_t, 4096> table{};
  int from = 0;
  for (int logit = -kSure; logit <= kSure; ++logit) {
    const int probability = probability_of(logit);
    for (int p = from; p <= probability; ++p)
      table[static_cast<std::size_t>(p)] = static_cast<std::int16_t>(logit);
    from = std::max(from, probability + 1);
  }
  for (; from < 4096; ++from) table[static_cast<std::size_t>(from)] = kSure;
  return table;
}();

}  // namespace reprise::trace_io
