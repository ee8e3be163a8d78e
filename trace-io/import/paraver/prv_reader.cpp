// SPDX-License-Identifier: MIT
#include "trace-io/import/paraver/prv_reader.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "trace-io/base/error.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::size_t kPortion = 1 << 18;
constexpr std::size_t kLongestLine = std::size_t{1} << 28;

}  // namespace

PrvReader::PrvReader(const std::string& path) : path_(path), file_(gzopen(path.c_str(), "rb")) {
  if (file_ == nullptr)
    throw InputError(path, std::string("cannot be opened: ") + std::strerror(errno));
  gzbuffer(file_, kPortion);
  std::error_code ignored;
  bytes_ = std::filesystem::file_size(path, ignored);
  if (ignored) bytes_ = 0;
}

PrvReader::~PrvReader() { gzclose(file_); }

// zlib puts the path before what it has to say.
std::string PrvReader::without_path(const std::string& text) const {
  return text.starts_with(path_ + ": ") ? text.substr(path_.size() + 2) : text;
}

// More of the file behind what is left in the buffer; false at its end.
bool PrvReader::fill() {
  buffer_.erase(0, at_);
  at_ = 0;
  const std::size_t before = buffer_.size();
  if (before > kLongestLine) refuse("a line of more than 256 MiB");
  buffer_.resize(before + kPortion);
  const int count = gzread(file_, buffer_.data() + before, static_cast<unsigned>(kPortion));
  buffer_.resize(before + static_cast<std::size_t>(count > 0 ? count : 0));
  if (count >= 0) {
    int code = Z_OK;
    const char* why = gzerror(file_, &code);
    if (code == Z_BUF_ERROR) throw InputError(path_, "is cut off: " + without_path(why));
    return count > 0;
  }
  int code = 0;
  throw InputError(path_, "cannot be read: " + without_path(gzerror(file_, &code)));
}

bool PrvReader::next() {
  std::size_t searched = at_;
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      line_ = std::string_view(buffer_).substr(at_, end - at_);
      at_ = end + 1;
      break;
    }
    const std::size_t left = buffer_.size() - at_;
    if (!fill()) {
      if (buffer_.size() == at_) return false;
      line_ = std::string_view(buffer_).substr(at_);
      at_ = buffer_.size();
      break;
    }
    searched = at_ + left;
  }
  ++number_;
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  return true;
}

const std::vector<std::int64_t>& PrvReader::numbers(const char* what, std::size_t skipped) {
  numbers_.clear();
  const char *at = line_.data(), *const end = at + line_.size();
  for (std::size_t word = 0; at <= end; ++word) {
    if (word < skipped) {
      const auto* colon =
          static_cast<const char*>(std::memchr(at, ':', static_cast<std::size_t>(end - at)));
      at = colon == nullptr ? end + 1 : colon + 1;
      continue;
    }
    std::int64_t value = 0;
    const auto [rest, error] = std::from_chars(at, end, value);
    if (error != std::errc{} || (rest != end && *rest != ':'))
      refuse("\"" + std::string(line_.substr(0, 80)) + "\" is no " + what,
             "word " + std::to_string(word + 1) + " is not a number");
    numbers_.push_back(value);
    at = rest + 1;
  }
  return numbers_;
}

void PrvReader::refuse(const std::string& problem, const std::string& hint) const {
  throw InputError(path_ + ":" + std::to_string(number_), problem, hint);
}

double PrvReader::part() const {
  return bytes_ == 0 ? 0 : static_cast<double>(gzoffset(file_)) / static_cast<double>(bytes_);
}

}  // namespace reprise::trace_io
