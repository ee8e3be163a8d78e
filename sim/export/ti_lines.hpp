// SPDX-License-Identifier: MIT
// The lines of one rank's time-independent trace, on their way to a file.
//
// Cost  one buffer; numbers are written by to_chars. Errors: a failed write is kept and told by close().
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>

#include "trace-io/base/quantity.hpp"

namespace reprise::sim {

class TiLines {
 public:
  TiLines(const std::string& path, Rank);  // throws RunError where the file cannot be opened
  ~TiLines();
  TiLines(const TiLines&) = delete;
  TiLines& operator=(const TiLines&) = delete;

  TiLines& begin(std::string_view verb);
  TiLines& word(std::int64_t);
  TiLines& words(std::span<const std::int64_t>);
  TiLines& number(double);  // 12 significant digits
  void end();
  std::uint64_t lines() const { return lines_; }
  void close();  // throws RunError where not everything could be written

 private:
  void flush();

  std::string path_, rank_, buffer_;
  std::FILE* file_;
  std::uint64_t lines_ = 0;
  bool failed_ = false;
};

}  // namespace reprise::sim
