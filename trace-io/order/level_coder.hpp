// SPDX-License-Identifier: MIT
// Levels of durations (model/duration_order.hpp) as bytes: what comes again in a rank's row, or is alike or shifted on other ranks, is nearly free.
//
// How     an arithmetic coder of binary decisions. Their probabilities come from counts in six contexts (the levels before; the row
//         before at the same, the last and the next place; what followed the last time that the same levels came), mixed by weights that are learnt
//         on the way. Integers alone: the same bytes on every machine.
// Cost    some 150 ns a level; 400 KiB while it works. A level that was foreseen takes down to 0.0004 bits.
// Source  Mahoney: Adaptive Weighing of Context Models for Lossless Data Compression, Florida Tech. CS-2005-16 (logistic mixing); the arithmetic
//         coder is the carryless one of the same report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trace-io/order/bit_coder.hpp"

namespace reprise::trace_io {

class LevelModel;

// Rows in the order in which they are put; those of one path are one table.
class LevelEncoder {
 public:
  LevelEncoder();
  ~LevelEncoder();
  // As a new one, in the memory of this one.
  void begin_anew();
  void begin_table();
  void put_row(std::span<const std::int32_t> levels);
  // The end: nothing can be put before begin_anew().
  std::vector<std::uint8_t> bytes();
  std::size_t size() const { return bits_.size(); }  // so far

 private:
  std::unique_ptr<LevelModel> model_;
  BitEncoder bits_;
  std::vector<std::int32_t> row_;
};

// Takes what an encoder has put, in the same order. Bytes beyond the end are zeros: damaged bytes give other levels, never an error.
class LevelDecoder {
 public:
  explicit LevelDecoder(std::span<const std::uint8_t> bytes);  // they must outlive this
  ~LevelDecoder();
  void begin_table();
  void take_row(std::span<std::int32_t> levels);
  bool is_at_end() const;  // whether all bytes were needed, and no more

 private:
  std::unique_ptr<LevelModel> model_;
  BitDecoder bits_;
};

}  // namespace reprise::trace_io
