// SPDX-License-Identifier: MIT
// The values of a sequence as symbols: numbers from 0 in the order in which values come first.
//
// Cost  some ns a value; 16 bytes and more a symbol.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "trace-io/base/integers.hpp"

namespace reprise::trace_io {

class SymbolTable {
 public:
  explicit SymbolTable(std::size_t most) : most_(most) {}
  // none: one value too many
  std::optional<std::uint16_t> symbol_of(std::int64_t value) {
    std::size_t at = place_of(value);
    if (table_[at].symbol != kFree) return static_cast<std::uint16_t>(table_[at].symbol);
    if (values_.size() == most_) return std::nullopt;
    if (4 * values_.size() >= table_.size()) {
      table_.assign(4 * table_.size(), {});
      for (std::uint32_t i = 0; i < values_.size(); ++i)
        table_[place_of(values_[i])] = {values_[i], i};
      at = place_of(value);
    }
    table_[at] = {value, static_cast<std::uint32_t>(values_.size())};
    values_.push_back(value);
    return static_cast<std::uint16_t>(values_.size() - 1);
  }
  std::optional<std::uint16_t> find(std::int64_t value) const {
    const std::uint32_t symbol = table_[place_of(value)].symbol;
    if (symbol == kFree) return std::nullopt;
    return static_cast<std::uint16_t>(symbol);
  }
  std::vector<std::int64_t> take() { return std::move(values_); }

 private:
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};
  struct Place {
    std::int64_t value = 0;
    std::uint32_t symbol = kFree;
  };
  std::size_t place_of(std::int64_t value) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = (static_cast<std::uint64_t>(value) * kHashMultiplier >> 40U) & mask;
    while (table_[at].symbol != kFree && table_[at].value != value) at = (at + 1) & mask;
    return at;
  }

  std::size_t most_;
  std::vector<std::int64_t> values_;
  std::vector<Place> table_ = std::vector<Place>(64);
};

}  // namespace reprise::trace_io
