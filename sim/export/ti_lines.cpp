// SPDX-License-Identifier: MIT
#include "sim/export/ti_lines.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>

#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {
constexpr std::size_t kBuffer = std::size_t{1} << 16;
}

TiLines::TiLines(const std::string& path, Rank rank)
    : path_(path), rank_(std::to_string(rank.value)), file_(std::fopen(path.c_str(), "w")) {
  if (file_ == nullptr)
    throw RunError(path, std::string("could not be opened for writing: ") + std::strerror(errno));
}

TiLines::~TiLines() {
  if (file_ != nullptr) std::fclose(file_);
}

TiLines& TiLines::begin(std::string_view verb) {
  buffer_ += rank_;
  buffer_ += ' ';
  buffer_ += verb;
  return *this;
}

TiLines& TiLines::word(std::int64_t value) {
  char text[24];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  buffer_ += ' ';
  buffer_.append(text, end);
  return *this;
}

TiLines& TiLines::words(std::span<const std::int64_t> values) {
  for (const auto value : values) word(value);
  return *this;
}

TiLines& TiLines::number(double value) {
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::general, 12).ptr;
  buffer_ += ' ';
  buffer_.append(text, end);
  return *this;
}

void TiLines::end() {
  buffer_ += '\n';
  ++lines_;
  if (buffer_.size() >= kBuffer) flush();
}

void TiLines::flush() {
  failed_ = failed_ || std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size();
  buffer_.clear();
}

void TiLines::close() {
  flush();
  failed_ = std::fclose(file_) != 0 || failed_;
  file_ = nullptr;
  if (failed_) throw RunError(path_, std::string("could not be written: ") + std::strerror(errno));
}

}  // namespace reprise::sim
