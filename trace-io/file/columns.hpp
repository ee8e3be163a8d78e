// SPDX-License-Identifier: MIT
// The payload's byte columns: writing numbers and texts to them, and reading them back without trusting them.
//
// Numbers  unsigned: LEB128 (7 bits a byte, low first). signed: zigzag, then LEB128. wide: LEB128 of 128 bits.
// Errors   the reader throws InputError{"NAME at payload byte N", …}; count() refuses counts beyond the bytes left in the
//          column, so that whoever reads that many elements allocates no more than the file can hold.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trace-io/base/integers.hpp"
#include "trace-io/file/context_coder.hpp"
#include "trace-io/file/format.hpp"

namespace reprise::trace_io {

class ColumnWriter {
 public:
  void put(Column, std::uint64_t);
  void put_signed(Column, std::int64_t);
  void put_wide(Column, Wide);
  void put_text(Column, const std::string&);
  void put_bytes(Column, std::span<const std::uint8_t>);  // their number first
  std::size_t size(Column column) const {
    return columns_[static_cast<std::size_t>(column)].size();
  }
  // From now on there is a coder for what is coded by context.
  void begin_coding() { coder_ = std::make_unique<ContextEncoder>(); }
  ContextEncoder* coder() const { return coder_.get(); }  // none where nothing is
  void end_coding();                                      // its numbers become the column `coded`
  std::vector<std::byte> payload() const;                 // the table of lengths, then the columns

 private:
  std::unique_ptr<ContextEncoder> coder_;
  bool is_coded_ = false;
  std::array<std::vector<std::byte>, kColumns> columns_;
};

class ColumnReader {
 public:
  // Both must outlive the reader.
  ColumnReader(std::span<const std::byte> payload, std::uint32_t version, const std::string& name);

  std::uint64_t take(Column);
  std::int64_t take_signed(Column);
  std::uint32_t take_u32(Column, const char* what);  // "WHAT 9000000000 does not fit 32 bits"
  // One of the first `choices` values of an enumeration: "WHAT 7 does not exist".
  template <class Enum>
  Enum take_enum(Column column, std::uint64_t choices, const char* what) {
    const std::uint64_t number = take(column);
    if (number >= choices)
      refuse(column, std::string(what) + " " + std::to_string(number) + " does not exist");
    return static_cast<Enum>(number);
  }
  Wide take_wide(Column);
  std::string take_text(Column);
  std::vector<std::uint8_t> take_bytes(Column);
  // A number below `limit`; `what` and `whole` name it and what there are `limit` of in the error: "site", "sites".
  std::uint64_t take_index(Column, std::uint64_t limit, const char* what, const char* whole);
  // A reference below `limit`: to what was written before, or one of the special values in front of those.
  std::uint64_t take_reference(Column column, std::uint64_t limit, const char* what) {
    return checked_reference(take(column), column, limit, what);
  }
  // The same of one that was read already, in the column.
  std::uint64_t checked_reference(std::uint64_t reference, Column, std::uint64_t limit,
                                  const char* what) const;
  // A number of elements that take at least one byte each of `column`, as told by the next number in `from`.
  std::uint64_t count(Column from, Column column, const char* what);
  // The same of a number that was read already, in `from`.
  std::uint64_t checked_count(std::uint64_t number, Column from, Column column,
                              const char* what) const;
  std::uint64_t count(Column column, const char* what) { return count(column, column, what); }
  // Of the column `coded`; none in versions without it. Everything that it gives needs to be checked.
  ContextDecoder* coder() const { return coder_.get(); }
  std::uint64_t coded_bytes() const;  // all that the coder reads
  bool is_at_end(Column column) const { return at(column).next == at(column).end; }
  void expect_end() const;  // throws where a column has bytes left

  std::size_t taken(Column column) const {
    return at(column).next - at(column).begin;
  }  // bytes so far
  const std::string& name() const { return name_; }
  std::string place(Column) const;  // "NAME at payload byte N", of the column's next byte
  // Throws; the place is the start of the number read last from the column.
  [[noreturn]] void refuse(Column, const std::string& problem) const;

 private:
  struct Stretch {
    std::size_t begin = 0, next = 0, end = 0, last = 0;  // offsets into the payload
  };
  Stretch& at(Column column) { return columns_[static_cast<std::size_t>(column)]; }
  const Stretch& at(Column column) const { return columns_[static_cast<std::size_t>(column)]; }
  [[noreturn]] void refuse_at(std::size_t byte, const std::string& problem) const;
  Wide take_bits(Stretch&, Column, unsigned bits);

  std::span<const std::byte> payload_;
  const std::string& name_;
  std::array<Stretch, kColumns> columns_;
  std::unique_ptr<ContextDecoder> coder_;
};

// The remedy in every error about a damaged file.
inline constexpr const char* kDamagedHint =
    "the file is damaged or was not written by reprise; record the program again";

}  // namespace reprise::trace_io
