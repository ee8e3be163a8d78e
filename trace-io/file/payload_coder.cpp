// SPDX-License-Identifier: MIT
#include "trace-io/file/payload_coder.hpp"

#include <array>
#include <utility>

#include "trace-io/file/byte_model.hpp"
#include "trace-io/file/format.hpp"
#include "trace-io/file/usual_payload.hpp"
#include "trace-io/order/bit_coder.hpp"

namespace reprise::trace_io {
namespace {

// Of which column the next byte is, as the bytes before it tell: first come the lengths of the columns, which are of none.
class ColumnOfByte {
 public:
  explicit ColumnOfByte(std::uint32_t version) : columns_(columns_of(version)) {}

  // Whether a column begins with the next byte.
  bool begins() const { return begins_; }
  std::size_t column() const { return column_; }
  void pass(std::uint8_t byte) {
    begins_ = false;
    if (column_ == ByteModel::kLengths) {
      pass_length(byte);
    } else if (left_ > 0 && --left_ == 0) {
      begin_from(column_ + 1);
    }
  }

 private:
  void pass_length(std::uint8_t byte) {
    constexpr unsigned kMostShift = 28;  // payloads are smaller
    if (shift_ <= kMostShift) lengths_[read_] |= std::uint64_t{byte & 0x7fU} << shift_;
    shift_ += 7;
    if (byte >= 0x80) return;
    shift_ = 0;
    if (++read_ == columns_) begin_from(0);
  }
  // With column `next`, or the first one behind it that has bytes; what comes after the last is of that one.
  void begin_from(std::size_t next) {
    while (next < columns_ && lengths_[next] == 0) ++next;
    if (next == columns_ && column_ != ByteModel::kLengths) return;
    column_ = next < columns_ ? next : 0;
    left_ = lengths_[column_];
    begins_ = true;
  }

  std::size_t columns_, column_ = ByteModel::kLengths, read_ = 0;
  std::array<std::uint64_t, kColumns> lengths_{};
  std::uint64_t left_ = 0;
  unsigned shift_ = 0;
  bool begins_ = true;
};

// BITS: BitEncoder or BitDecoder.
template <class Bits>
class PayloadCoder {
 public:
  template <class... Arguments>
  explicit PayloadCoder(std::uint32_t version, Arguments&&... arguments)
      : column_(version), bits_(std::forward<Arguments>(arguments)...) {
    learn(ByteModel::kLengths, usual_lengths());
    for (std::size_t column = 0; column < kColumns; ++column)
      learn(column, usual_bytes(static_cast<Column>(column)));
  }

  std::uint8_t code(std::uint8_t byte = 0) {
    if (column_.begins()) model_.begin(column_.column());
    // The column `coded` has been coded already.
    const bool is_plain = column_.column() == static_cast<std::size_t>(Column::coded);
    unsigned coded = 0;
    for (unsigned bit = 8; bit-- > 0;) {
      bool is_set = (byte >> bit & 1U) != 0;
      bits_.code(is_plain ? kHalf : model_.foresee(), is_set);
      if (!is_plain) model_.learn(is_set);
      coded = coded << 1U | static_cast<unsigned>(is_set);
    }
    column_.pass(static_cast<std::uint8_t>(coded));
    return static_cast<std::uint8_t>(coded);
  }
  Bits& bits() { return bits_; }

 private:
  static constexpr unsigned kHalf = 2048;

  void learn(std::size_t column, const std::vector<std::uint8_t>& bytes) {
    model_.begin(column);
    for (const std::uint8_t byte : bytes) model_.learn_byte(byte);
  }

  ByteModel model_;
  ColumnOfByte column_;
  Bits bits_;
};

}  // namespace

std::vector<std::byte> code_payload(std::span<const std::byte> payload, std::uint32_t version) {
  PayloadCoder<BitEncoder> coder(version);
  for (const std::byte byte : payload) coder.code(std::to_integer<std::uint8_t>(byte));
  std::vector<std::byte> coded;
  for (const std::uint8_t byte : coder.bits().finish()) coded.push_back(std::byte{byte});
  return coded;
}

CodedPayload uncode_payload(std::span<const std::byte> coded, std::uint32_t version,
                            std::size_t bytes) {
  std::vector<std::uint8_t> read;
  for (const std::byte byte : coded) read.push_back(std::to_integer<std::uint8_t>(byte));
  PayloadCoder<BitDecoder> coder(version, std::span<const std::uint8_t>(read));
  CodedPayload all;
  all.payload.reserve(bytes);
  while (all.payload.size() < bytes) all.payload.push_back(std::byte{coder.code()});
  all.is_whole = coder.bits().is_at_end();
  return all;
}

}  // namespace reprise::trace_io
