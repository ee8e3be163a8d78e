// SPDX-License-Identifier: MIT
// The words of one line of a ScalaTrace file. Brackets are words of their own. Errors name file and line.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "trace-io/base/error.hpp"

namespace reprise::trace_io {

class ScalaWords {
 public:
  // Text and file must outlive this.
  ScalaWords(std::string_view text, const std::string& file, std::uint64_t line)
      : text_(text), file_(file), line_(line) {
    step();
  }

  std::string_view peek() const { return word_; }  // empty at the end
  std::string_view next() {
    const auto word = word_;
    step();
    return word;
  }
  bool skip(std::string_view word) {
    if (word_ != word) return false;
    step();
    return true;
  }
  void expect(std::string_view word) {
    if (!skip(word))
      refuse("\"" + std::string(word) + "\" is missing" +
             (word_.empty() ? " at the end" : " before \"" + shown(word_) + "\""));
  }
  // `what` says in errors what it is.
  std::int64_t whole(const char* what,
                     std::int64_t least = std::numeric_limits<std::int32_t>::min(),
                     std::int64_t most = std::numeric_limits<std::int32_t>::max()) {
    return number(what, 10, least, most);
  }
  std::int64_t hexadecimal(const char* what) {
    return number(what, 16, 0, std::numeric_limits<std::int64_t>::max());
  }
  double real(const char* what) {  // not negative
    double value = 0;
    const auto [end, error] = std::from_chars(word_.data(), word_.data() + word_.size(), value);
    if (error != std::errc{} || end != word_.data() + word_.size() || !(value >= 0) ||
        !std::isfinite(value))
      refuse(std::string(what) + " is \"" + shown(word_) + "\", not a number of 0 or more");
    step();
    return value;
  }
  [[noreturn]] void refuse(const std::string& problem, const std::string& hint = "") const {
    throw InputError(file_ + ":" + std::to_string(line_), problem, hint);
  }

 private:
  static std::string shown(std::string_view word) { return std::string(word.substr(0, 40)); }
  std::int64_t number(const char* what, int base, std::int64_t least, std::int64_t most) {
    std::int64_t value = 0;
    const auto [end, error] =
        std::from_chars(word_.data(), word_.data() + word_.size(), value, base);
    if (word_.empty()) refuse(std::string(what) + " is missing");
    if (error != std::errc{} || end != word_.data() + word_.size())
      refuse(std::string(what) + " is \"" + shown(word_) + "\", not a whole number");
    if (value < least || value > most)
      refuse(std::string(what) + " is " + shown(word_) + ", not " + std::to_string(least) + " to " +
             std::to_string(most));
    step();
    return value;
  }
  void step() {
    const auto begin = text_.find_first_not_of(" \t\r");
    text_.remove_prefix(begin == std::string_view::npos ? text_.size() : begin);
    constexpr std::string_view kBrackets = "()[]{}";
    std::size_t length = text_.find_first_of(" \t\r()[]{}");
    if (!text_.empty() && kBrackets.find(text_.front()) != std::string_view::npos) length = 1;
    word_ = text_.substr(0, length);
    text_.remove_prefix(word_.size());
  }

  std::string_view text_, word_;
  const std::string& file_;
  std::uint64_t line_;
};

}  // namespace reprise::trace_io
