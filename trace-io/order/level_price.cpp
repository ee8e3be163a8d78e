// SPDX-License-Identifier: MIT
#include "trace-io/order/level_price.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "trace-io/order/logistic_mixing.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::uint64_t kBit = 65536;  // parts of a bit
constexpr unsigned kZero = 0, kSign = 1, kFurther = 2, kLength = 10, kDigits = 42;
constexpr std::uint64_t kPlain = 8;  // larger levels are coded by their number of bits
constexpr unsigned kMostBits = 31;
constexpr unsigned kLearnt = 250;
constexpr std::uint32_t kSurely = 15;  // levels foreseen rightly, one after the other
constexpr int kSettled = 1350;         // logit of a slot that has seen the same 200 times

// log₂ of a number of 12 bits, in parts of a bit: its fraction digit by digit, by squaring.
constexpr std::uint64_t logarithm(std::uint64_t number) {
  const auto whole = static_cast<unsigned>(std::bit_width(number)) - 1;
  std::uint64_t result = whole * kBit;
  std::uint64_t rest = number << (31U - whole);  // 1 is 2³¹
  for (std::uint64_t digit = kBit / 2; digit > 0; digit /= 2) {
    rest = rest * rest >> 31U;
    if (rest >> 32U == 0) continue;
    rest >>= 1U;
    result += digit;
  }
  return result;
}

// What a decision takes whose outcome had the logit place − kSure.
constexpr std::array<std::uint32_t, 2 * kSure + 1> kPrices = [] {
  std::array<std::uint32_t, 2 * kSure + 1> prices{};
  for (int logit = -kSure; logit <= kSure; ++logit) {
    const auto probability = static_cast<std::uint64_t>(std::clamp(probability_of(logit), 1, 4095));
    const int place = logit + kSure;
    prices[static_cast<std::size_t>(place)] =
        static_cast<std::uint32_t>(12 * kBit - logarithm(probability));
  }
  return prices;
}();

// How far a probability goes towards what came, by how often it was seen: of 65536.
constexpr std::array<std::int32_t, kLearnt + 1> kParts = [] {
  std::array<std::int32_t, kLearnt + 1> parts{};
  for (unsigned seen = 0; seen <= kLearnt; ++seen)
    parts[seen] = static_cast<std::int32_t>(2 * 65536 / (2 * seen + 3));
  return parts;
}();

std::int32_t kind_of(std::int32_t level) { return std::clamp(level, -7, 7) + 8; }

}  // namespace

void LevelPrice::begin_anew() {
  begin_table();
  price_ = 0;
  if (++run_ != 0) return;
  slots_.assign(slots_.size(), Slot());
  run_ = 1;
}

void LevelPrice::begin_table() {
  row_.clear();
  above_.clear();
  history_.begin_table();
}

std::size_t LevelPrice::bytes() const { return static_cast<std::size_t>(price_ / (8 * kBit)) + 1; }

void LevelPrice::put_row(std::span<const std::int32_t> levels) {
  above_.swap(row_);
  row_.resize(levels.size());
  history_.begin_row();
  const bool has_above = !above_.empty();
  const auto zero = static_cast<std::uint64_t>(kind_of(0));
  std::uint64_t last = zero, before = zero;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::int32_t level = levels[i];
    std::uint64_t foreseen = 0, above = 0;
    is_sure_ = history_.is_foreseen() && history_.rightly() >= kSurely;
    if (history_.is_foreseen())
      foreseen = static_cast<std::uint64_t>(kind_of(history_.foreseen())) << 4U |
                 std::min(history_.rightly(), kSurely);
    if (has_above) above = i < above_.size() ? static_cast<std::uint64_t>(above_[i]) : zero;
    price_level({(last << 4U | before) << 8U, ((foreseen << 4U | above) << 4U | last) << 8U},
                level);
    row_[i] = kind_of(level);
    before = last;
    last = static_cast<std::uint64_t>(row_[i]);
    history_.note(level);
  }
}

void LevelPrice::price_level(const Hashes& contexts, std::int32_t level) {
  price(contexts, kZero, level == 0);
  if (level == 0) return;
  price(contexts, kSign, level < 0);
  const auto size = static_cast<std::uint64_t>(std::abs(std::int64_t{level}));
  for (std::uint64_t reached = 1; reached <= kPlain; ++reached) {
    price(contexts, kFurther + static_cast<unsigned>(reached) - 1, size > reached);
    if (size <= reached) return;
  }
  const std::uint64_t rest = size - kPlain;  // Elias' gamma code
  const auto bits = static_cast<unsigned>(std::bit_width(rest)) - 1;
  for (unsigned bit = 0; bit <= bits && bit < kMostBits; ++bit)
    price(contexts, kLength + bit, bit < bits);
  for (unsigned bit = bits; bit-- > 0;) price(contexts, kDigits + bit, (rest >> bit & 1U) != 0);
}

inline void LevelPrice::price(const Hashes& contexts, unsigned decision, bool bit) {
  std::array<Slot*, kContexts> slots{};
  std::array<int, kContexts> inputs{};
  for (std::size_t c = 0; c < kContexts; ++c) {
    const std::uint64_t number = (contexts[c] + decision) * kHashMultiplier >> (64U - kSlotBits);
    Slot& slot = slots_[(c << kSlotBits) + number];
    if (slot.run != run_) {
      slot = Slot();
      slot.run = run_;
    }
    slots[c] = &slot;
    inputs[c] = kLogits[slot.probability >> 4U];
  }
  const bool never_failed = is_sure_ && std::abs(inputs[1]) >= kSettled;
  const int logit = never_failed ? (inputs[1] < 0 ? -kSure : kSure) : (inputs[0] + inputs[1]) / 2;
  const int place = (bit ? logit : -logit) + kSure;
  price_ += kPrices[static_cast<std::size_t>(place)];
  for (Slot* slot : slots) {
    const std::int32_t apart = (bit ? 65535 : 0) - slot->probability;
    slot->probability = static_cast<std::uint16_t>(
        slot->probability + (std::int64_t{apart} * kParts[slot->seen] >> 16U));
    if (slot->seen < kLearnt) ++slot->seen;
  }
}

}  // namespace reprise::trace_io
