// SPDX-License-Identifier: MIT
// Reads words, numbers and punctuation of the text form, one after the other, and knows line and column for errors.
//
// Lines    a statement ends at the end of its line; '#' starts a comment. Columns count bytes from 1.
// Cost     linear: every byte is looked at a bounded number of times.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace reprise::trace_io {

class Scanner {
 public:
  // Both must outlive the scanner.
  Scanner(std::string_view text, const std::string& name) : text_(text), name_(&name) {}

  std::size_t position();                     // of the next thing on this line, blanks skipped
  std::size_t line() const { return line_; }  // from 1
  bool at_line_end();  // nothing but blanks or a comment is left of this line
  bool at_end();       // of the text, empty lines skipped
  void end_line();     // throws where something is left
  void skip_lines();   // to the next thing, across lines

  bool next_is(char);  // the next thing starts with it
  bool next_is_digit();
  bool accept(std::string_view);  // takes it, if it comes next; a word is taken as a whole only
  void expect(std::string_view, const char* where);  // "after the rank list"
  bool accept_here(char);                            // likewise, but blanks are not skipped
  char look(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  std::string_view word(
      const char* what);  // letters, digits, '_'; throws "expected WHAT" where there is none
  std::uint64_t unsigned_number(const char* what);  // decimal, or hexadecimal after 0x
  std::int64_t number(const char* what);            // may have a sign
  std::int64_t amount(const char* what);  // a number, bytes with a unit as well: 8192, 8KiB, 1MB
  std::int64_t nanoseconds(const char* what);  // 10us, 3ns, 2.5ms: with its unit
  std::string quoted(const char* what);

  [[noreturn]] void refuse(std::size_t position, const std::string& problem,
                           const std::string& hint = "") const;
  [[noreturn]] void refuse(const std::string& problem, const std::string& hint = "") {
    refuse(position(), problem, hint);
  }

 private:
  void skip_blanks();
  std::string found();  // what comes next, for "expected …, found …"

  std::string_view text_;
  const std::string* name_;
  std::size_t at_ = 0, line_ = 1;
};

// A text that Scanner::quoted() reads back.
std::string quote(std::string_view);

}  // namespace reprise::trace_io
