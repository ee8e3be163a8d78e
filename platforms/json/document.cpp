// SPDX-License-Identifier: MIT
#include "platforms/json/document.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <vector>

#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

using nlohmann::json;

// "FILE:LINE:COLUMN" of the byte at OFFSET.
std::string place(const std::string& file, std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t column =
      before.size() - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
  return file + ':' + std::to_string(line) + ':' + std::to_string(column);
}

// The JSON library's own words, made short: "[…] parse error at line 1, column 2: syntax error while parsing object -
// unexpected string literal; expected '}'" becomes "expected ',' or '}', found a string".
std::string syntax_problem(std::string words) {
  const auto cut_through = [&words](std::string_view mark) {
    const std::size_t at = words.find(mark);
    if (at != std::string::npos) words.erase(0, at + mark.size());
    return at != std::string::npos;
  };
  if (!cut_through("] parse error at ")) {  // a number that no double holds
    return words.find("number overflow") != std::string::npos ? "number out of range" : words;
  }
  const bool in_key = words.find("parsing object key") != std::string::npos;
  cut_through(" - ");
  words.erase(std::min(words.find("; last read:"), words.size()));
  const std::size_t expected_at = words.find("; expected ");
  std::string expected = expected_at == std::string::npos ? "" : words.substr(expected_at + 11);
  words.erase(std::min(expected_at, words.size()));
  if (!words.starts_with("unexpected "))
    return words;  // the token itself is malformed: "invalid literal" …
  std::string found = words.substr(11);
  if (found.ends_with(" literal") && found != "number literal" && found != "string literal")
    found.erase(found.size() - 8);
  else if (found.ends_with(" literal"))
    found = "a " + found.substr(0, found.size() - 8);
  if (found == "end of input") found = "the end of the file";
  if (expected == "string literal") expected = "a key in quotes";
  if ((expected == "'}'" || expected == "']'") && !in_key) expected = "',' or " + expected;
  if (expected.empty() || expected.starts_with("'['")) expected = "a value";
  if (expected == "end of input") expected = "nothing after the value";
  return "expected " + expected + ", found " + found;
}

// Counts how far the lexer has read, so that a callback knows where it is.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *furthest_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

// Builds the tree and refuses what the library's own builder lets pass.
class TreeBuilder : public nlohmann::json_sax<json> {
 public:
  TreeBuilder(const std::string& file, std::string_view text)
      : file_(file), text_(text), furthest_(text.data()) {}

  const char** furthest() { return &furthest_; }
  json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // JSON text has none
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& key) override {
    if (open_.back()->contains(key)) {
      throw InputError(place(file_, text_, start_of_text(read_so_far() - 1)),
                       "the key \"" + key + "\" is already in this object",
                       "remove one of the two");
    }
    key_ = std::move(key);
    return true;
  }

  // POSITION is behind the last byte read. What the library calls the token reaches back too far, so it is not used.
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    const std::string_view words = error.what();
    const auto says = [words](std::string_view part) {
      return words.find(part) != std::string_view::npos;
    };
    std::size_t offset = std::min(position == 0 ? 0 : position - 1, text_.size());
    if (says("unexpected string literal"))
      offset = start_of_text(offset);
    else if (says(" literal") || says("invalid number") || says("number overflow"))
      offset = start_of_word(offset);
    const std::string problem = syntax_problem(error.what());
    if (const auto comma = needless_comma(offset))
      throw InputError(
          place(file_, text_, *comma),
          std::string("a comma before '") + text_[offset] + "', which JSON does not allow",
          "take it out");
    throw InputError(place(file_, text_, offset), problem);
  }

 private:
  // The comma that stands before a bracket that closes.
  std::optional<std::size_t> needless_comma(std::size_t offset) const {
    if (offset >= text_.size() || (text_[offset] != '}' && text_[offset] != ']'))
      return std::nullopt;
    const std::size_t before = text_.substr(0, offset).find_last_not_of(" \t\r\n");
    if (before == std::string_view::npos || text_[before] != ',') return std::nullopt;
    return before;
  }
  json* insert(json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    json& parent = *open_.back();
    if (parent.is_object()) return &(parent[key_] = std::move(value));
    parent.push_back(std::move(value));
    return &parent.back();
  }
  bool add(json value) {
    insert(std::move(value));
    return true;
  }
  bool open(json container) {
    if (open_.size() == kMaxDepth) {
      throw InputError(place(file_, text_, read_so_far() - 1),
                       "more than " + std::to_string(kMaxDepth) + " nested objects and arrays");
    }
    open_.push_back(insert(std::move(container)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }
  std::size_t read_so_far() const { return static_cast<std::size_t>(furthest_ - text_.data()); }
  // CLOSING is a text's closing quote; its opening one is the next before it that is not escaped.
  std::size_t start_of_text(std::size_t closing) const {
    std::size_t at = closing;
    while (at > 0) {
      --at;
      std::size_t backslashes = 0;
      while (backslashes < at && text_[at - 1 - backslashes] == '\\') ++backslashes;
      if (text_[at] == '"' && backslashes % 2 == 0) break;
    }
    return at;
  }
  // The number or word that ends at LAST or just before it; LAST where there is none.
  std::size_t start_of_word(std::size_t last) const {
    const auto in_word = [this](std::size_t at) {
      const char c = text_[at];
      return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '.' ||
             c == '+' || c == '-';
    };
    std::size_t begin = last < text_.size() && in_word(last) ? last + 1 : last;
    const std::size_t end = begin;
    while (begin > 0 && in_word(begin - 1)) --begin;
    return begin == end ? last : begin;
  }

  const std::string& file_;
  std::string_view text_;
  const char* furthest_;
  json root_;
  std::vector<json*>
      open_;  // a child is only ever added to the innermost, so the others stay where they are
  std::string key_;
};

}  // namespace

Document parse_document(std::string_view text, std::string file) {
  if (text.size() > kMaxFileBytes) {
    throw InputError(file, "larger than " + std::to_string(kMaxFileBytes >> 20) +
                               " MiB: not a reprise JSON file");
  }
  if (text.starts_with("\x89reprise"))  // trace-io/FORMAT.md
    throw InputError(file, "is a reprise trace, not a JSON file",
                     "replay a trace with: reprise replay FILE");
  TreeBuilder builder(file, text);
  json::sax_parse(CountingIterator(text.data(), builder.furthest()),
                  CountingIterator(text.data() + text.size(), builder.furthest()), &builder);
  return {builder.take(), std::move(file)};
}

std::string read_document_text(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw InputError(path, "is a directory, not a JSON file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path, std::string("cannot be opened: ") + std::strerror(errno));
  std::string text;
  char piece[1 << 16];
  while (text.size() <= kMaxFileBytes && in.read(piece, sizeof piece).gcount() > 0)
    text.append(piece, static_cast<std::size_t>(in.gcount()));
  if (in.bad()) throw InputError(path, std::string("cannot be read: ") + std::strerror(errno));
  return text;
}

Document load_json(const std::string& path) {
  return parse_document(read_document_text(path), path);
}

}  // namespace reprise::platforms
