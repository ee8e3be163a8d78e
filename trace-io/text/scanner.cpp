// SPDX-License-Identifier: MIT
#include "trace-io/text/scanner.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "trace-io/base/error.hpp"

namespace reprise::trace_io {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || is_digit(c); }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

struct Unit {
  std::string_view name;
  std::int64_t factor;
};
constexpr std::array kByteUnits = {Unit{"B", 1},
                                   Unit{"kB", 1000},
                                   Unit{"MB", 1000000},
                                   Unit{"GB", 1000000000},
                                   Unit{"KiB", 1024},
                                   Unit{"MiB", 1024 * 1024},
                                   Unit{"GiB", 1024 * 1024 * 1024}};
constexpr std::array kTimeUnits = {Unit{"ns", 1}, Unit{"us", 1000}, Unit{"ms", 1000000},
                                   Unit{"s", 1000000000}};

}  // namespace

void Scanner::skip_blanks() {
  while (look() == ' ' || look() == '\t' || look() == '\r') ++at_;
  if (look() != '#') return;
  while (at_ < text_.size() && look() != '\n') ++at_;
}

std::size_t Scanner::position() {
  skip_blanks();
  return at_;
}

bool Scanner::at_line_end() {
  skip_blanks();
  return at_ >= text_.size() || look() == '\n';
}

bool Scanner::at_end() {
  skip_lines();
  return at_ >= text_.size();
}

void Scanner::skip_lines() {
  for (; at_line_end() && at_ < text_.size(); ++at_) ++line_;
}

void Scanner::end_line() {
  if (!at_line_end()) refuse("expected the end of the line, found " + found());
}

bool Scanner::next_is(char c) {
  skip_blanks();
  return at_ < text_.size() && look() == c;
}

bool Scanner::next_is_digit() {
  skip_blanks();
  return is_digit(look());
}

bool Scanner::accept(std::string_view wanted) {
  skip_blanks();
  if (!text_.substr(at_).starts_with(wanted)) return false;
  if (is_word(wanted.back()) && is_word(look(wanted.size()))) return false;
  at_ += wanted.size();
  return true;
}

bool Scanner::accept_here(char c) {
  if (at_ >= text_.size() || look() != c) return false;
  ++at_;
  return true;
}

void Scanner::expect(std::string_view wanted, const char* where) {
  if (!accept(wanted))
    refuse("expected \"" + std::string(wanted) + "\" " + where + ", found " + found());
}

std::string Scanner::found() {
  if (at_line_end()) return at_ >= text_.size() ? "the end of the text" : "the end of the line";
  std::size_t length = 1;
  while (length < 24 && is_word(look(length)) && is_word(look())) ++length;
  return quote(text_.substr(at_, length));
}

std::string_view Scanner::word(const char* what) {
  skip_blanks();
  if (!is_letter(look())) refuse(std::string("expected ") + what + ", found " + found());
  const std::size_t start = at_;
  while (is_word(look())) ++at_;
  return text_.substr(start, at_ - start);
}

std::uint64_t Scanner::unsigned_number(const char* what) {
  skip_blanks();
  const std::size_t start = at_;
  if (!is_digit(look())) refuse(std::string("expected ") + what + ", found " + found());
  const unsigned base = look() == '0' && look(1) == 'x' ? 16 : 10;
  if (base == 16) {
    at_ += 2;
    if (hex_digit(look()) < 0) refuse("expected hexadecimal digits, found " + found());
  }
  std::uint64_t number = 0;
  for (;;) {
    const int digit = base == 16 ? hex_digit(look()) : is_digit(look()) ? look() - '0' : -1;
    if (digit < 0) return number;
    if (__builtin_mul_overflow(number, base, &number) ||
        __builtin_add_overflow(number, static_cast<unsigned>(digit), &number))
      refuse(start, std::string(what) + " does not fit 64 bits");
    ++at_;
  }
}

std::int64_t Scanner::number(const char* what) {
  skip_blanks();
  const std::size_t start = at_;
  const bool negative = look() == '-';
  if (negative || look() == '+') ++at_;
  if (at_ != start && !is_digit(look()))
    refuse(std::string("expected ") + what + ", found " + found());
  const std::uint64_t magnitude = unsigned_number(what);
  const std::uint64_t limit =
      static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) + (negative ? 1 : 0);
  if (magnitude > limit) refuse(start, std::string(what) + " does not fit 64 bits");
  return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}

std::int64_t Scanner::amount(const char* what) {
  const std::size_t start = position();
  std::int64_t value = number(what);
  if (!is_letter(look())) return value;
  const std::size_t unit_start = at_;
  const std::string_view unit = word("a unit");
  const auto known = std::find_if(kByteUnits.begin(), kByteUnits.end(),
                                  [&](const Unit& u) { return u.name == unit; });
  if (known == kByteUnits.end())
    refuse(unit_start, "unknown unit " + quote(unit),
           "units of size are B, kB, MB, GB, KiB, MiB, GiB");
  if (__builtin_mul_overflow(value, known->factor, &value))
    refuse(start, std::string(what) + " does not fit 64 bits");
  return value;
}

std::int64_t Scanner::nanoseconds(const char* what) {
  const std::size_t start = position();
  const std::uint64_t whole = unsigned_number(what);
  std::uint64_t fraction = 0;
  std::int64_t fraction_scale = 1;
  if (look() == '.' && is_digit(look(1))) {
    ++at_;
    for (; is_digit(look()); ++at_) {
      if (fraction_scale >= 1000000000)
        refuse(start, std::string(what) + " has more than 9 digits after the point");
      fraction = fraction * 10 + static_cast<std::uint64_t>(look() - '0');
      fraction_scale *= 10;
    }
  }
  const std::string_view unit = is_letter(look()) ? word("a unit of time") : std::string_view();
  const auto known = std::find_if(kTimeUnits.begin(), kTimeUnits.end(),
                                  [&](const Unit& u) { return u.name == unit; });
  if (known == kTimeUnits.end())
    refuse(start,
           std::string(what) +
               (unit.empty() ? " has no unit" : " has the unknown unit " + quote(unit)),
           "units of time are ns, us, ms, s");
  const std::uint64_t part = fraction * static_cast<std::uint64_t>(known->factor);
  if (part % static_cast<std::uint64_t>(fraction_scale) != 0)
    refuse(start, std::string(what) + " is not a whole number of nanoseconds");
  std::int64_t value = 0;
  if (__builtin_mul_overflow(whole, known->factor, &value) ||
      __builtin_add_overflow(value, part / static_cast<std::uint64_t>(fraction_scale), &value))
    refuse(start, std::string(what) + " does not fit 64 bits");
  return value;
}

std::string Scanner::quoted(const char* what) {
  if (!accept("\"")) refuse(std::string("expected ") + what + " in quotes, found " + found());
  const std::size_t start = at_ - 1;
  std::string value;
  for (;;) {
    if (at_ >= text_.size() || look() == '\n')
      refuse(start, std::string(what) + " has no closing quote on its line");
    const char c = text_[at_++];
    if (c == '"') return value;
    if (c != '\\') {
      value += c;
      continue;
    }
    const char escaped = look();
    if (escaped == '"' || escaped == '\\') {
      value += escaped;
      ++at_;
    } else if (escaped == 'x' && hex_digit(look(1)) >= 0 && hex_digit(look(2)) >= 0) {
      value += static_cast<char>(hex_digit(look(1)) * 16 + hex_digit(look(2)));
      at_ += 3;
    } else {
      refuse(at_ - 1, "unknown escape in a quoted text", "write \\\" or \\\\ or a byte as \\x0a");
    }
  }
}

void Scanner::refuse(std::size_t position, const std::string& problem,
                     const std::string& hint) const {
  const std::string_view before = text_.substr(0, position);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto newline = before.rfind('\n');
  const std::size_t column = position - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
  throw InputError(*name_ + ":" + std::to_string(line) + ":" + std::to_string(column), problem,
                   hint);
}

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += "\\x";
      quoted += "0123456789abcdef"[byte >> 4];
      quoted += "0123456789abcdef"[byte & 15];
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace reprise::trace_io
