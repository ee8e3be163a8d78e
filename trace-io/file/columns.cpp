// SPDX-License-Identifier: MIT
#include "trace-io/file/columns.hpp"

#include "trace-io/base/error.hpp"

namespace reprise::trace_io {
namespace {

template <class Number>
void append_varint(std::vector<std::byte>& bytes, Number number) {
  while (number >= 0x80) {
    bytes.push_back(static_cast<std::byte>(static_cast<unsigned>(number & 0x7f) | 0x80U));
    number >>= 7;
  }
  bytes.push_back(static_cast<std::byte>(number));
}

std::vector<std::byte>& of(std::array<std::vector<std::byte>, kColumns>& columns, Column column) {
  return columns[static_cast<std::size_t>(column)];
}

}  // namespace

void ColumnWriter::put(Column column, std::uint64_t number) {
  append_varint(of(columns_, column), number);
}

void ColumnWriter::put_signed(Column column, std::int64_t number) { put(column, zigzag(number)); }

void ColumnWriter::put_wide(Column column, Wide number) {
  append_varint(of(columns_, column), number);
}

void ColumnWriter::put_text(Column column, const std::string& text) {
  put(column, text.size());
  auto& bytes = of(columns_, column);
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
}

void ColumnWriter::put_bytes(Column column, std::span<const std::uint8_t> bytes) {
  put(column, bytes.size());
  for (const std::uint8_t byte : bytes) of(columns_, column).push_back(std::byte{byte});
}

void ColumnWriter::end_coding() {
  if (!coder_) return;
  for (const std::uint8_t byte : coder_->bits().finish())
    of(columns_, Column::coded).push_back(std::byte{byte});
  coder_.reset();
  is_coded_ = true;
}

std::vector<std::byte> ColumnWriter::payload() const {
  std::vector<std::byte> all;
  const std::span columns = std::span(columns_).first(is_coded_ ? kColumns : kColumns - 1);
  for (const auto& column : columns) append_varint(all, static_cast<std::uint64_t>(column.size()));
  for (const auto& column : columns) all.insert(all.end(), column.begin(), column.end());
  return all;
}

ColumnReader::ColumnReader(std::span<const std::byte> payload, std::uint32_t version,
                           const std::string& name)
    : payload_(payload), name_(name) {
  Stretch table{0, 0, payload.size(), 0};
  std::array<std::uint64_t, kColumns> lengths{};
  const std::size_t columns = columns_of(version);
  for (std::size_t c = 0; c < columns; ++c)
    lengths[c] = static_cast<std::uint64_t>(take_bits(table, static_cast<Column>(c), 64));
  std::size_t start = table.next;
  for (std::size_t c = 0; c < kColumns; ++c) {
    if (lengths[c] > payload.size() - start)
      refuse_at(start, "column \"" + std::string(kColumnNames[c]) + "\" claims " +
                           std::to_string(lengths[c]) + " bytes, " +
                           std::to_string(payload.size() - start) + " are left");
    columns_[c] = {start, start, start + static_cast<std::size_t>(lengths[c]), start};
    start = columns_[c].end;
  }
  if (start != payload.size())
    refuse_at(start, std::to_string(payload.size() - start) + " bytes follow the last column");
  if (version < kCodedVersion) return;
  Stretch& coded = at(Column::coded);
  coder_ = std::make_unique<ContextDecoder>(
      std::span(reinterpret_cast<const std::uint8_t*>(payload.data()) + coded.begin,
                coded.end - coded.begin));
  coded.next = coded.end;
}

std::string ColumnReader::place(Column column) const {
  return name_ + " at payload byte " + std::to_string(at(column).last);
}

void ColumnReader::refuse_at(std::size_t byte, const std::string& problem) const {
  throw InputError(name_ + " at payload byte " + std::to_string(byte), problem, kDamagedHint);
}

void ColumnReader::refuse(Column column, const std::string& problem) const {
  refuse_at(at(column).last, problem);
}

Wide ColumnReader::take_bits(Stretch& stretch, Column column, unsigned bits) {
  const std::string_view name = kColumnNames[static_cast<std::size_t>(column)];
  stretch.last = stretch.next;
  Wide number = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (stretch.next == stretch.end)
      refuse_at(stretch.last, "column \"" + std::string(name) + "\" ends within a number");
    const auto byte = std::to_integer<unsigned>(payload_[stretch.next++]);
    const unsigned part = byte & 0x7fU;
    if (shift >= bits || (bits - shift < 7 && (part >> (bits - shift)) != 0))
      refuse_at(stretch.last, "a number in column \"" + std::string(name) + "\" needs more than " +
                                  std::to_string(bits) + " bits");
    number |= static_cast<Wide>(part) << shift;
    if ((byte & 0x80U) == 0) return number;
  }
}

std::uint64_t ColumnReader::take(Column column) {
  return static_cast<std::uint64_t>(take_bits(at(column), column, 64));
}

std::int64_t ColumnReader::take_signed(Column column) { return unzigzag(take(column)); }

std::uint32_t ColumnReader::take_u32(Column column, const char* what) {
  const std::uint64_t number = take(column);
  if (number > UINT32_MAX)
    refuse(column, std::string(what) + " " + std::to_string(number) + " does not fit 32 bits");
  return static_cast<std::uint32_t>(number);
}

Wide ColumnReader::take_wide(Column column) { return take_bits(at(column), column, 128); }

std::string ColumnReader::take_text(Column column) {
  const std::uint64_t length = count(column, "characters");
  Stretch& stretch = at(column);
  std::string text;
  text.reserve(length);
  for (std::uint64_t i = 0; i < length; ++i)
    text.push_back(static_cast<char>(payload_[stretch.next++]));
  return text;
}

std::vector<std::uint8_t> ColumnReader::take_bytes(Column column) {
  const std::uint64_t length = count(column, "bytes");
  Stretch& stretch = at(column);
  std::vector<std::uint8_t> bytes(length);
  for (std::uint8_t& byte : bytes) byte = std::to_integer<std::uint8_t>(payload_[stretch.next++]);
  return bytes;
}

std::uint64_t ColumnReader::take_index(Column column, std::uint64_t limit, const char* what,
                                       const char* whole) {
  const std::uint64_t index = take(column);
  if (index >= limit)
    refuse(column, std::string(what) + " " + std::to_string(index) + " does not exist, there are " +
                       std::to_string(limit) + " " + whole);
  return index;
}

std::uint64_t ColumnReader::checked_reference(std::uint64_t reference, Column column,
                                              std::uint64_t limit, const char* what) const {
  if (reference >= limit)
    refuse(column, std::string(what) + " reference " + std::to_string(reference) + " is beyond " +
                       std::to_string(limit - 1) + ", the last so far");
  return reference;
}

std::uint64_t ColumnReader::count(Column from, Column column, const char* what) {
  return checked_count(take(from), from, column, what);
}

std::uint64_t ColumnReader::checked_count(std::uint64_t number, Column from, Column column,
                                          const char* what) const {
  const std::uint64_t left = at(column).end - at(column).next;
  if (number > left)
    refuse(from, std::to_string(number) + " " + what + " claimed, but column \"" +
                     std::string(kColumnNames[static_cast<std::size_t>(column)]) + "\" has " +
                     std::to_string(left) + " bytes left");
  return number;
}

std::uint64_t ColumnReader::coded_bytes() const {
  return at(Column::coded).end - at(Column::coded).begin;
}

void ColumnReader::expect_end() const {
  if (coder_ && !coder_->bits().is_at_end())
    refuse(Column::coded, "column \"coded\" has bytes that nothing refers to");
  for (std::size_t c = 0; c < kColumns; ++c)
    if (columns_[c].next != columns_[c].end)
      refuse_at(columns_[c].next, "column \"" + std::string(kColumnNames[c]) + "\" has " +
                                      std::to_string(columns_[c].end - columns_[c].next) +
                                      " bytes that nothing refers to");
}

}  // namespace reprise::trace_io
