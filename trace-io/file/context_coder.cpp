// SPDX-License-Identifier: MIT
#include "trace-io/file/context_coder.hpp"

#include <algorithm>

#include "trace-io/base/integers.hpp"
#include "trace-io/order/logistic_mixing.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::uint8_t kMostSeen = 250;

// By how often a context was seen: by what part of its error a probability moves, of 65 536.
constexpr std::array<std::int32_t, kMostSeen + 1> kRates = [] {
  std::array<std::int32_t, kMostSeen + 1> rates{};
  for (int seen = 0; seen <= kMostSeen; ++seen)
    rates[static_cast<std::size_t>(seen)] = 65536 * 2 / (2 * seen + 3);
  return rates;
}();

}  // namespace

ContextModel::ContextModel() : slots_(kContexts * kSlots), weights_(kCodedKinds * kWeightSets) {
  constexpr std::int32_t kAtFirst = 20000;
  for (auto& weights : weights_) weights.fill(kAtFirst);
}

void ContextModel::set(Coded kind, const Contexts& contexts) {
  kind_ = static_cast<std::size_t>(kind);
  for (std::size_t c = 0; c < kContexts; ++c) {
    const std::uint64_t hash = (contexts[c] * kCodedKinds + kind_ + 1) * kHashMultiplier;
    hashes_[c] = hash ^ hash >> 32U;
  }
}

unsigned ContextModel::foresee(std::uint64_t number) {
  const std::uint64_t salt = (number + 1) * 0xd6e8feb86659fd93U;
  std::size_t sure = 0;  // contexts that have often been seen
  for (std::size_t c = 0; c < kContexts; ++c) {
    const std::uint64_t hash = (hashes_[c] + salt) * kHashMultiplier;
    Slot& slot = slots_[c * kSlots + (hash >> (64 - kSlotBits))];
    if (const auto check = static_cast<std::uint8_t>(hash >> 24U); slot.check != check) {
      slot = Slot();
      slot.check = check;
    }
    chosen_[c] = &slot;
    inputs_[c] = slot.seen == 0 ? 0 : kLogits[slot.probability >> 4U];
    if (slot.seen > 2) ++sure;
  }
  weight_set_ = kind_ * kWeightSets + sure;
  const auto& weights = weights_[weight_set_];
  std::int64_t sum = 0;
  for (std::size_t c = 0; c < kContexts; ++c) sum += std::int64_t{weights[c]} * inputs_[c];
  probability_ = std::clamp(
      probability_of(static_cast<int>(std::clamp<std::int64_t>(sum >> 16U, -kSure, kSure))), 1,
      4095);
  return static_cast<unsigned>(probability_);
}

void ContextModel::learn(bool bit) {
  const int error = ((bit ? 4096 : 0) - probability_) * 10;
  auto& weights = weights_[weight_set_];
  for (std::size_t c = 0; c < kContexts; ++c) {
    weights[c] += (inputs_[c] * error + 0x4000) >> 15U;
    Slot& slot = *chosen_[c];
    const std::int64_t apart = (bit ? 65535 : 0) - std::int64_t{slot.probability};
    slot.probability =
        static_cast<std::uint16_t>(slot.probability + (apart * kRates[slot.seen] >> 16U));
    if (slot.seen < kMostSeen) ++slot.seen;
  }
}

}  // namespace reprise::trace_io
