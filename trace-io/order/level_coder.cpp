// SPDX-License-Identifier: MIT
#include "trace-io/order/level_coder.hpp"

#include <algorithm>
#include <array>

#include "trace-io/base/integers.hpp"
#include "trace-io/order/level_history.hpp"
#include "trace-io/order/logistic_mixing.hpp"

namespace reprise::trace_io {
namespace {

constexpr unsigned kMostSeen = 250;

// By how often a slot was seen: 2³² / (2 · seen + 3), rounded up. Exact divisors of what is below 2¹⁷.
constexpr std::array<std::uint64_t, kMostSeen + 1> kReciprocals = [] {
  std::array<std::uint64_t, kMostSeen + 1> reciprocals{};
  for (std::uint64_t seen = 0; seen <= kMostSeen; ++seen)
    reciprocals[seen] = ((std::uint64_t{1} << 32U) + 2 * seen + 2) / (2 * seen + 3);
  return reciprocals;
}();

}  // namespace

// Which bit comes next, and how sure that is; and how a level is decided bit by bit. One model serves either direction.
class LevelModel {
 public:
  // As a new one, whose slots would have to be filled first.
  void begin_anew() {
    begin_table();
    weights_.assign(weights_.size(), kFirstWeights);
    if (++run_ != 0) return;
    slots_.assign(slots_.size(), Slot());
    run_ = 1;
  }

  void begin_table() {
    row_.clear();
    above_.clear();
    history_.begin_table();
  }

  template <class Coder>
  void row(Coder& coder, std::span<std::int32_t> levels) {
    above_.swap(row_);
    row_.assign(levels.size(), 0);
    history_.begin_row();
    begin_contexts();
    for (std::size_t i = 0; i < levels.size(); ++i) {
      set_contexts(i);
      code(coder, levels[i]);
      pass_contexts(levels[i]);
      row_[i] = levels[i];
      history_.note(levels[i]);
    }
  }

 private:
  static constexpr std::size_t kContexts = 6, kSlots = 1U << 14U;
  // Decisions: is it 0; is it negative; is it further than 1, 2, … kPlain from 0; then how many bits the rest has, and which.
  static constexpr unsigned kZero = 0, kSign = 1, kFurther = 2, kPlain = 8, kLength = 10,
                            kBits = 42, kDecisions = 74;

  static constexpr std::array<std::int32_t, kContexts> kFirstWeights = {20000, 20000, 20000,
                                                                        20000, 20000, 20000};

  struct Slot {
    std::uint16_t probability = 32768;  // of a one, of 65536
    std::uint8_t seen = 0;
    std::uint8_t run = 0;  // since whose beginning this holds
  };

  static std::uint32_t small(std::int32_t level) {
    return static_cast<std::uint32_t>(std::clamp(level, -7, 7) + 8);
  }
  std::uint32_t small_above(std::size_t i) const {
    return small(i < above_.size() ? above_[i] : 0);
  }

  // Of the places beside the one that comes next, each looked at once.
  void begin_contexts() {
    last_ = before_ = small(0);
    up_left_ = 0;
    up_ = small_above(0);
  }
  void pass_contexts(std::int32_t level) {
    before_ = last_;
    last_ = small(level);
    up_left_ = up_;
    up_ = up_right_;
  }
  void set_contexts(std::size_t i) {
    up_right_ = small_above(i + 1);
    const std::uint32_t last = last_, up = above_.empty() ? 0 : up_;
    is_foreseen_ = history_.is_foreseen();
    const std::uint32_t foreseen =
        is_foreseen_
            ? small(history_.foreseen()) << 4U | std::min<std::uint32_t>(history_.rightly(), 15)
            : 0;
    const std::array<std::uint32_t, kContexts> contexts = {
        1,
        last << 4U | before_,
        up << 4U | up_right_,
        (up_left_ << 4U | up_right_) << 4U | last,
        foreseen,
        (foreseen << 4U | up) << 4U | last};
    for (std::uint32_t c = 0; c < kContexts; ++c)
      hashes_[c] = (std::uint64_t{contexts[c] << 3U | (c + 1)} << 7U) * kHashMultiplier;
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
    auto& weights = weights_[decision * 2 + (is_foreseen_ ? 1 : 0)];
    const std::uint64_t salt = decision * kHashMultiplier;
    std::int64_t sum = 0;
    for (std::size_t c = 0; c < kContexts; ++c) {
      Slot& slot = slots_[c * kSlots + ((hashes_[c] + salt) >> 50U)];
      if (slot.run != run_) {
        slot = Slot();
        slot.run = run_;
      }
      slots[c] = &slot;
      inputs[c] = kLogits[slot.probability >> 4U];
      sum += std::int64_t{weights[c]} * inputs[c];
    }
    const int probability = std::clamp(
        probability_of(static_cast<int>(std::clamp<std::int64_t>(sum >> 16U, -kSure, kSure))), 1,
        4095);
    coder.code(static_cast<unsigned>(probability), bit);
    const int error = ((bit ? 4096 : 0) - probability) * 10;
    const std::uint32_t target = bit ? 65535 : 0;
    for (std::size_t c = 0; c < kContexts; ++c) {
      weights[c] += (inputs[c] * error + 0x4000) >> 15U;
      Slot& slot = *slots[c];
      const std::uint64_t apart = target ^ slot.probability;  // on either side the distance
      const auto part = static_cast<std::uint32_t>(2 * apart * kReciprocals[slot.seen] >> 32U);
      slot.probability =
          static_cast<std::uint16_t>(bit ? slot.probability + part : slot.probability - part);
      if (slot.seen < kMostSeen) ++slot.seen;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(kContexts * kSlots);
  std::vector<std::array<std::int32_t, kContexts>> weights_ =
      std::vector<std::array<std::int32_t, kContexts>>(std::size_t{2} * kDecisions, kFirstWeights);
  std::array<std::uint64_t, kContexts> hashes_{};
  std::uint32_t last_ = 0, before_ = 0, up_left_ = 0, up_ = 0, up_right_ = 0;
  std::uint8_t run_ = 1;
  bool is_foreseen_ = false;
  std::vector<std::int32_t> row_, above_;
  LevelHistory history_;
};

LevelEncoder::LevelEncoder() : model_(std::make_unique<LevelModel>()) {}
LevelEncoder::~LevelEncoder() = default;
void LevelEncoder::begin_anew() {
  model_->begin_anew();
  bits_ = BitEncoder();
}
void LevelEncoder::begin_table() { model_->begin_table(); }
void LevelEncoder::put_row(std::span<const std::int32_t> levels) {
  row_.assign(levels.begin(), levels.end());
  model_->row(bits_, row_);
}
std::vector<std::uint8_t> LevelEncoder::bytes() { return bits_.finish(); }

LevelDecoder::LevelDecoder(std::span<const std::uint8_t> bytes)
    : model_(std::make_unique<LevelModel>()), bits_(bytes) {}
LevelDecoder::~LevelDecoder() = default;
void LevelDecoder::begin_table() { model_->begin_table(); }
void LevelDecoder::take_row(std::span<std::int32_t> levels) { model_->row(bits_, levels); }
bool LevelDecoder::is_at_end() const { return bits_.is_at_end(); }

}  // namespace reprise::trace_io
