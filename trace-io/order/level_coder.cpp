// SPDX-License-Identifier: MIT
#include "trace-io/order/level_coder.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "trace-io/base/integers.hpp"
#include "trace-io/order/logistic_mixing.hpp"

namespace reprise::trace_io {

// Which bit comes next, and how sure that is; and how a level is decided bit by bit. One model serves either direction.
class LevelModel {
 public:
  void begin_table() {
    row_.clear();
    above_.clear();
    history_.clear();
    followers_.clear();
    match_ = 0;
  }

  template <class Coder>
  void row(Coder& coder, std::span<std::int32_t> levels) {
    above_.swap(row_);
    row_.assign(levels.size(), 0);
    since_row_began_ = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      set_contexts(i);
      code(coder, levels[i]);
      note(i, levels[i]);
    }
  }

 private:
  static constexpr std::size_t kContexts = 6, kSlots = 1U << 14U;
  static constexpr std::size_t kMatchLength = 5;  // levels that must have come before
  // Decisions: is it 0; is it negative; is it further than 1, 2, … kPlain from 0; then how many bits the rest has, and which.
  static constexpr unsigned kZero = 0, kSign = 1, kFurther = 2, kPlain = 8, kLength = 10,
                            kBits = 42, kDecisions = 74;

  struct Slot {
    std::uint16_t probability = 32768;  // of a one, of 65536
    std::uint16_t seen = 0;
  };

  static std::uint32_t small(std::int32_t level) {
    return static_cast<std::uint32_t>(std::clamp(level, -7, 7) + 8);
  }
  std::int32_t row_at(std::size_t i, std::size_t back) const {
    return i >= back ? row_[i - back] : 0;
  }
  std::int32_t above_at(std::size_t i) const { return i < above_.size() ? above_[i] : 0; }

  void set_contexts(std::size_t i) {
    const std::uint32_t last = small(row_at(i, 1)), before = small(row_at(i, 2)),
                        up = above_.empty() ? 0 : small(above_at(i)),
                        up_left = i > 0 ? small(above_at(i - 1)) : 0,
                        up_right = small(above_at(i + 1));
    is_matched_ = match_ > 0 && match_ < history_.size();
    const std::uint32_t foreseen =
        is_matched_ ? small(history_[match_]) << 4U | std::min<std::uint32_t>(matched_, 15) : 0;
    contexts_ = {1,
                 last << 4U | before,
                 up << 4U | up_right,
                 (up_left << 4U | up_right) << 4U | last,
                 foreseen,
                 (foreseen << 4U | up) << 4U | last};
    for (std::uint32_t c = 0; c < kContexts; ++c) contexts_[c] = contexts_[c] << 3U | (c + 1);
  }

  // The level that was at the place; where the same levels come again, what followed them is foreseen next.
  void note(std::size_t i, std::int32_t level) {
    row_[i] = level;
    ++since_row_began_;
    if (is_matched_ && history_[match_] == level) {
      ++match_;
      ++matched_;
    } else {
      match_ = 0;
      matched_ = 0;
    }
    history_.push_back(level);
    if (since_row_began_ < kMatchLength) return;
    WordHash hash;
    for (std::size_t back = 1; back <= kMatchLength; ++back)
      hash.add(static_cast<std::uint64_t>(std::int64_t{history_[history_.size() - back]}));
    std::size_t& follower = followers_[hash.value()];
    if (match_ == 0) match_ = follower;
    follower = history_.size();
  }

  template <class Coder>
  void code(Coder& coder, std::int32_t& level) {
    bool is_zero = level == 0;
    decide(coder, kZero, is_zero);
    if (is_zero) {
      level = 0;
      return;
    }
    bool is_negative = level < 0;
    decide(coder, kSign, is_negative);
    std::uint64_t size = static_cast<std::uint64_t>(std::abs(std::int64_t{level})), reached = 1;
    for (; reached <= kPlain; ++reached) {
      bool is_further = size > reached;
      decide(coder, kFurther + static_cast<unsigned>(reached) - 1, is_further);
      if (!is_further) break;
    }
    if (reached > kPlain) reached += rest(coder, size - reached);
    reached = std::min<std::uint64_t>(reached, INT32_MAX);
    level = static_cast<std::int32_t>(is_negative ? -static_cast<std::int64_t>(reached)
                                                  : static_cast<std::int64_t>(reached));
  }

  // Elias' gamma code of rest + 1.
  template <class Coder>
  std::uint64_t rest(Coder& coder, std::uint64_t rest) {
    ++rest;
    unsigned bits = 0;
    for (; bits < 31; ++bits) {
      bool has_more = rest >> (bits + 1) != 0;
      decide(coder, kLength + bits, has_more);
      if (!has_more) break;
    }
    std::uint64_t number = 1;
    for (unsigned bit = bits; bit-- > 0;) {
      bool is_set = (rest >> bit & 1U) != 0;
      decide(coder, kBits + bit, is_set);
      number = number << 1U | (is_set ? 1U : 0U);
    }
    return number - 1;
  }

  template <class Coder>
  void decide(Coder& coder, unsigned decision, bool& bit) {
    std::array<Slot*, kContexts> slots{};
    std::array<int, kContexts> inputs{};
    auto& weights = weights_[decision * 2 + (is_matched_ ? 1 : 0)];
    std::int64_t sum = 0;
    for (std::size_t c = 0; c < kContexts; ++c) {
      const std::uint64_t hash =
          (std::uint64_t{contexts_[c]} << 7U | decision) * kHashMultiplier >> 50U;
      slots[c] = &slots_[c * kSlots + hash];
      inputs[c] = kLogits[slots[c]->probability >> 4U];
      sum += std::int64_t{weights[c]} * inputs[c];
    }
    const int probability = std::clamp(
        probability_of(static_cast<int>(std::clamp<std::int64_t>(sum >> 16U, -kSure, kSure))), 1,
        4095);
    coder.code(static_cast<unsigned>(probability), bit);
    const int error = ((bit ? 4096 : 0) - probability) * 10;
    for (std::size_t c = 0; c < kContexts; ++c) {
      weights[c] += (inputs[c] * error + 0x4000) >> 15U;
      const std::int32_t target = bit ? 65535 : 0;
      const std::int32_t now = slots[c]->probability;
      slots[c]->probability =
          static_cast<std::uint16_t>(now + (target - now) * 2 / (2 * slots[c]->seen + 3));
      if (slots[c]->seen < 250) ++slots[c]->seen;
    }
  }

  inline static const std::array<std::int16_t, 4096> kLogits = logits();

  std::vector<Slot> slots_ = std::vector<Slot>(kContexts * kSlots);
  std::vector<std::array<std::int32_t, kContexts>> weights_ =
      std::vector<std::array<std::int32_t, kContexts>>(std::size_t{2} * kDecisions,
                                                       {20000, 20000, 20000, 20000, 20000, 20000});
  std::array<std::uint32_t, kContexts> contexts_{};
  bool is_matched_ = false;
  std::size_t match_ = 0;  // place in the history of what is foreseen; 0: nothing
  std::uint32_t matched_ = 0;
  std::size_t since_row_began_ = 0;
  std::vector<std::int32_t> row_, above_, history_;
  std::unordered_map<std::uint64_t, std::size_t> followers_;  // looked up only
};

LevelEncoder::LevelEncoder() : model_(std::make_unique<LevelModel>()) {}
LevelEncoder::~LevelEncoder() = default;
void LevelEncoder::begin_table() { model_->begin_table(); }
void LevelEncoder::put_row(std::span<const std::int32_t> levels) {
  std::vector<std::int32_t> row(levels.begin(), levels.end());
  model_->row(bits_, row);
}
std::vector<std::uint8_t> LevelEncoder::bytes() { return bits_.finish(); }

LevelDecoder::LevelDecoder(std::span<const std::uint8_t> bytes)
    : model_(std::make_unique<LevelModel>()), bits_(bytes) {}
LevelDecoder::~LevelDecoder() = default;
void LevelDecoder::begin_table() { model_->begin_table(); }
void LevelDecoder::take_row(std::span<std::int32_t> levels) { model_->row(bits_, levels); }
bool LevelDecoder::is_at_end() const { return bits_.is_at_end(); }

}  // namespace reprise::trace_io
