// SPDX-License-Identifier: MIT
// A file of time-independent lines, line by line, as words. Errors name file and line.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::trace_io {

class TiReader {
 public:
  explicit TiReader(const std::string& path);  // throws InputError where it cannot be opened
  ~TiReader();
  TiReader(const TiReader&) = delete;
  TiReader& operator=(const TiReader&) = delete;

  bool next();  // to the next line that is neither empty nor a comment; false at the end
  std::size_t words() const { return words_.size(); }
  std::string_view word(std::size_t i) const { return words_[i]; }
  std::string_view line() const;
  // Words as numbers; `what` says in errors what is missing or wrong. Whole numbers may be written as 1e3 (SMPI cuts fractions off).
  std::int64_t whole(std::size_t i, const char* what) const;
  double number(std::size_t i, const char* what) const;
  [[noreturn]] void refuse(const std::string& problem, const std::string& hint = "") const;

 private:
  std::string path_;
  std::FILE* file_;
  char* buffer_ = nullptr;
  std::size_t room_ = 0;
  std::uint64_t number_ = 0;
  std::vector<std::string_view> words_;
};

}  // namespace reprise::trace_io
