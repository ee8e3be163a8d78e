// SPDX-License-Identifier: MIT
// A payload taken apart into its columns, so that single numbers of it can be changed, and what a reader then says.
#pragma once

#include <array>
#include <catch2/catch.hpp>
#include <initializer_list>
#include <string>
#include <vector>

#include "trace-io/base/error.hpp"
#include "trace-io/file/columns.hpp"
#include "trace-io/file/container.hpp"
#include "trace-io/file/payload.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::trace_io::testing {

inline std::string refusal(const std::vector<std::byte>& payload) {
  try {
    deserialise(wrap(payload), "f");
  } catch (const InputError& error) {
    REQUIRE(error.hint() == kDamagedHint);
    return error.where() + ": " + error.problem();
  }
  return "accepted";
}

// Of version 3: without the column of coded numbers.
class Payload {
 public:
  static constexpr std::size_t kPlainColumns = columns_of(kFormatVersion);

  explicit Payload(const std::string& text) {
    const auto bytes = encode_payload(assemble(text, "t"));
    std::size_t at = kPlainColumns;  // lengths below 128 take a byte each
    for (std::size_t c = 0; c < kPlainColumns; ++c) {
      const auto length = std::to_integer<std::ptrdiff_t>(bytes[c]);
      REQUIRE(length < 128);
      const auto start = bytes.begin() + static_cast<std::ptrdiff_t>(at);
      columns_[c].assign(start, start + length);
      at += static_cast<std::size_t>(length);
    }
    REQUIRE(at == bytes.size());
  }
  std::vector<std::byte>& operator[](Column column) {
    return columns_[static_cast<std::size_t>(column)];
  }
  std::size_t start(Column column) const {  // in the payload
    std::size_t at = kPlainColumns;
    for (std::size_t c = 0; c < static_cast<std::size_t>(column); ++c) at += columns_[c].size();
    return at;
  }
  std::vector<std::byte> bytes() const {
    std::vector<std::byte> all;
    for (const auto& column : columns_) all.push_back(static_cast<std::byte>(column.size()));
    for (const auto& column : columns_) all.insert(all.end(), column.begin(), column.end());
    return all;
  }
  // Bytes in place of some; what a reader says then, with its place.
  std::string replace(Column column, std::size_t offset, std::size_t count,
                      std::initializer_list<int> with) {
    auto& all = (*this)[column];
    const auto at = all.begin() + static_cast<std::ptrdiff_t>(offset);
    REQUIRE(offset + count <= all.size());
    const auto next = all.erase(at, at + static_cast<std::ptrdiff_t>(count));
    std::vector<std::byte> bytes;
    for (const int value : with) bytes.push_back(static_cast<std::byte>(value));
    all.insert(next, bytes.begin(), bytes.end());
    return refusal(this->bytes());
  }
  // The error after one byte of a column was changed, its place expected at that byte.
  std::string change(Column column, std::size_t offset, int value) {
    (*this)[column].at(offset) = static_cast<std::byte>(value);
    const std::string error = refusal(bytes());
    const std::string place = "f at payload byte " + std::to_string(start(column) + offset) + ": ";
    return error.starts_with(place) ? error.substr(place.size()) : error;
  }

 private:
  std::array<std::vector<std::byte>, kPlainColumns> columns_;
};

}  // namespace reprise::trace_io::testing
