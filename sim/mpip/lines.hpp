// SPDX-License-Identifier: MIT
// A report's lines and their fields, with places for errors: "job.4.1234.1.mpiP:57".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/mpip/report.hpp"

namespace reprise::sim::mpip {

struct Line {
  std::string_view text;
  std::size_t number = 0;  // from 1
};

// Splits at line feeds; a carriage return before one is dropped. The views last as long as the text.
std::vector<Line> lines_of(std::string_view text);

// The blank-separated fields of one row. Reading past the end, a field that is no number where one must be, and fields
// that are left over are InputErrors that name the place, the column and what stands there.
class Row {
 public:
  Row(const Line&, const std::string& file);

  std::size_t left() const { return fields_.size() - next_; }
  std::string_view peek() const {
    return next_ < fields_.size() ? fields_[next_] : std::string_view();
  }
  std::string word(const char* column);
  std::int32_t number(const char* column);  // −2³¹ … 2³¹−1
  std::uint64_t count(const char* column);
  std::int32_t rank(const char* column);  // a number, or "*": kAllRanks
  double real(const char* column);        // nan, inf and 1.8e+308 are read as they are
  // A number printed with so many significant digits, or with fixed decimals, which its own digits tell.
  Printed printed(const char* column, int digits, bool fixed_point);
  void end() const;

 private:
  [[noreturn]] void refuse(const std::string& problem) const;

  std::string place_;
  std::vector<std::string_view> fields_;
  std::size_t next_ = 0;
};

}  // namespace reprise::sim::mpip
