// SPDX-License-Identifier: MIT
#include "trace-io/file/byte_model.hpp"

#include <algorithm>
#include <bit>

#include "trace-io/base/integers.hpp"
#include "trace-io/order/logistic_mixing.hpp"

namespace reprise::trace_io {
namespace {

constexpr unsigned kTimesBits = 4, kMostTimes = (1U << kTimesBits) - 1;
constexpr int kEvenChance = 2048;  // of 4096: a probability
constexpr std::uint64_t kNoByte = 256;
constexpr std::size_t kRepetition = 3, kMostRepeated = 15;
constexpr unsigned kPlaceBits = 14;

// By how often a bit was seen: by what part of its error its chance moves, of 65 536.
constexpr std::array<std::int32_t, kMostTimes + 1> kByteMoves = [] {
  std::array<std::int32_t, kMostTimes + 1> moves{};
  for (int seen = 0; seen <= static_cast<int>(kMostTimes); ++seen)
    moves[static_cast<std::size_t>(seen)] = 65536 * 2 / (2 * seen + 3);
  return moves;
}();

template <class... Numbers>
std::uint64_t context_of(Numbers... numbers) {
  std::uint64_t hash = 0;
  ((hash = (hash + static_cast<std::uint64_t>(numbers) + 1) * kHashMultiplier, hash ^= hash >> 29U),
   ...);
  return hash;
}

}  // namespace

ByteModel::ByteModel()
    : pairs_(std::size_t{1} << kPairBits),
      weights_((kColumns + 1) * kWeightSets),
      last_places_(std::size_t{1} << kPlaceBits) {
  constexpr std::int32_t kAtFirst = 12000;
  for (auto& weights : weights_) weights.fill(kAtFirst);
}

void ByteModel::begin(std::size_t column) {
  column_ = column;
  column_start_ = bytes_.size();
  repeated_bytes_ = 0;
  place_ = length_ = last_length_ = length_before_ = 0;
  find_buckets();
}

std::uint64_t ByteModel::before(std::size_t bytes) const {
  return bytes_.size() - column_start_ >= bytes ? bytes_[bytes_.size() - bytes] : kNoByte;
}

ByteModel::Contexts ByteModel::text_contexts() const {
  const std::uint64_t a = before(1), b = before(2), c = before(3), d = before(4), e = before(5);
  return {context_of(0, column_),
          context_of(1, a),
          context_of(2, a, b),
          context_of(3, a, b, c),
          context_of(4, a, b, c, d),
          context_of(5, a, b, c, d, e),
          context_of(6, a, b, c, d, e, before(6)),
          context_of(7, repeated_bytes_ == 0 ? kNoByte : bytes_[repeated_],
                     std::min(repeated_bytes_, kMostRepeated))};
}

ByteModel::Contexts ByteModel::number_contexts() const {
  const std::uint64_t a = before(1), b = before(2), c = before(3), d = before(4);
  const unsigned lengths = last_length_ * 8 + length_before_;
  return {context_of(0, column_, place_),
          context_of(1, column_, place_, lengths),
          context_of(2, column_, place_, lengths, a),
          context_of(3, column_, place_, a, b),
          context_of(4, column_, a, b, c),
          context_of(5, column_, place_, b),
          context_of(6, column_, a, b, c, d),
          context_of(7, column_, repeated_bytes_ == 0 ? kNoByte : bytes_[repeated_],
                     std::min(repeated_bytes_, kMostRepeated))};
}

// Where no bucket is this context's, the one that has been seen less becomes it.
ByteModel::Bucket& ByteModel::bucket_of(std::uint64_t hash) {
  auto& [one, other] = pairs_[hash >> (64 - kPairBits)].buckets;
  const auto check = static_cast<std::uint16_t>(hash >> 16U | 1U);
  if (one.check == check) return one;
  if (other.check == check) return other;
  const auto seen = [](const Bucket& bucket) { return bucket.chances[0] & kMostTimes; };
  Bucket& taken = seen(one) <= seen(other) ? one : other;
  taken = Bucket();
  taken.check = check;
  return taken;
}

// Those of the half of a byte that comes next.
void ByteModel::find_buckets() {
  if (bits_ == 1)
    hashes_ =
        column_ == static_cast<std::size_t>(Column::text) ? text_contexts() : number_contexts();
  for (std::size_t c = 0; c < kContexts; ++c)
    found_[c] = &bucket_of((hashes_[c] + bits_) * kHashMultiplier);
}

unsigned ByteModel::foresee() {
  // Of the half: its bits so far, below a one.
  const unsigned half_bits = (static_cast<unsigned>(std::bit_width(bits_)) - 1) % 4;
  const unsigned half = (bits_ & ((1U << half_bits) - 1)) | 1U << half_bits;
  std::size_t often = 0;  // contexts that know more than a few
  std::int64_t sum = 0;
  for (std::size_t c = 0; c < kContexts; ++c) {
    Chance& chance = found_[c]->chances[half - 1];
    chosen_[c] = &chance;
    const unsigned seen = chance & kMostTimes;
    inputs_[c] = seen == 0 ? 0 : kLogits[chance >> kTimesBits];
    if (seen > 2) ++often;
  }
  weight_set_ = column_ * kWeightSets + often;
  const auto& weights = weights_[weight_set_];
  for (std::size_t c = 0; c < kContexts; ++c) sum += std::int64_t{weights[c]} * inputs_[c];
  probability_ = std::clamp(
      probability_of(static_cast<int>(std::clamp<std::int64_t>(sum >> 16U, -kSure, kSure))), 1,
      4095);
  return static_cast<unsigned>(probability_);
}

void ByteModel::learn(bool bit) {
  const std::int32_t error = ((bit ? 4096 : 0) - probability_) * 20;
  auto& weights = weights_[weight_set_];
  for (std::size_t c = 0; c < kContexts; ++c) {
    weights[c] += (inputs_[c] * error + 0x4000) >> 15U;
    Chance& chance = *chosen_[c];
    const unsigned seen = chance & kMostTimes;
    const std::int32_t one = seen == 0 ? kEvenChance : chance >> kTimesBits;
    const std::int32_t moved =
        one + ((((bit ? 4095 : 0) - one) * kByteMoves[seen] + 0x8000) >> 16U);
    const unsigned times = seen < kMostTimes ? seen + 1 : seen;
    chance = static_cast<Chance>(static_cast<unsigned>(moved) << kTimesBits | times);
  }
  bits_ = bits_ << 1U | static_cast<unsigned>(bit);
  if (bits_ >= 256) end_byte();
  if (bits_ == 1 || bits_ >> 4U == 1) find_buckets();
}

void ByteModel::learn_byte(std::uint8_t byte) {
  for (unsigned bit = 8; bit-- > 0;) {
    foresee();
    learn((byte >> bit & 1U) != 0);
  }
}

void ByteModel::end_byte() {
  const auto byte = static_cast<std::uint8_t>(bits_ & 0xffU);
  bits_ = 1;
  bytes_.push_back(byte);
  constexpr unsigned kMostPlaces = 3, kLongest = 7;
  if (byte >= 128) {
    place_ = std::min(place_ + 1, kMostPlaces);
    ++length_;
  } else {
    length_before_ = last_length_;
    last_length_ = std::min(length_ + 1, kLongest);
    place_ = length_ = 0;
  }
  follow_repetition();
}

void ByteModel::follow_repetition() {
  if (repeated_bytes_ > 0 && bytes_[repeated_] == bytes_.back()) {
    ++repeated_bytes_;
    ++repeated_;
  } else {
    repeated_bytes_ = 0;
  }
  const std::size_t size = bytes_.size();
  if (size < kRepetition) return;
  std::uint32_t& place =
      last_places_[context_of(bytes_[size - 1], bytes_[size - 2], bytes_[size - 3]) >>
                   (64 - kPlaceBits)];
  if (repeated_bytes_ == 0 && place > 0) {
    repeated_ = place;
    repeated_bytes_ = 1;
  }
  place = static_cast<std::uint32_t>(size);
}

}  // namespace reprise::trace_io
