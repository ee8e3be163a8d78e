// SPDX-License-Identifier: MIT
// A Paraver trace (.prv, or .prv.gz) line by line, as numbers. Errors name file and line.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::trace_io {

class PrvReader {
 public:
  explicit PrvReader(const std::string& path);  // throws InputError where it cannot be opened
  ~PrvReader();
  PrvReader(const PrvReader&) = delete;
  PrvReader& operator=(const PrvReader&) = delete;

  bool next();  // to the next line; false at the end
  std::string_view line() const { return line_; }
  // The line's numbers, separated by colons; `what` says in errors what should have stood there. The first `skipped` words are left out.
  const std::vector<std::int64_t>& numbers(const char* what, std::size_t skipped = 0);
  [[noreturn]] void refuse(const std::string& problem, const std::string& hint = "") const;
  // How much of the file has been read, 0 to 1.
  double part() const;

 private:
  bool fill();
  std::string without_path(const std::string&) const;

  std::string path_;
  gzFile file_;
  std::uint64_t bytes_ = 0, number_ = 0;
  std::string buffer_;
  std::size_t at_ = 0;
  std::string_view line_;
  std::vector<std::int64_t> numbers_;
};

}  // namespace reprise::trace_io
