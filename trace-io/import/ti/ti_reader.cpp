// SPDX-License-Identifier: MIT
#include "trace-io/import/ti/ti_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "trace-io/base/error.hpp"

namespace reprise::trace_io {

TiReader::TiReader(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "r")) {
  if (file_ == nullptr)
    throw InputError(path, std::string("cannot be opened: ") + std::strerror(errno));
}

TiReader::~TiReader() {
  if (file_ != nullptr) std::fclose(file_);
  std::free(buffer_);
}

bool TiReader::next() {
  for (;;) {
    errno = 0;
    const auto length = getline(&buffer_, &room_, file_);
    if (length < 0) {
      if (std::ferror(file_) != 0)
        throw InputError(path_, std::string("cannot be read: ") + std::strerror(errno));
      return false;
    }
    ++number_;
    words_.clear();
    const std::string_view text(buffer_, static_cast<std::size_t>(length));
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t begin = text.find_first_not_of(" \t\r\n", at);
      if (begin == std::string_view::npos) break;
      at = std::min(text.find_first_of(" \t\r\n", begin), text.size());
      words_.push_back(text.substr(begin, at - begin));
    }
    if (!words_.empty() && words_.front().front() != '#') return true;
  }
}

std::string_view TiReader::line() const {
  const char* end = words_.back().data() + words_.back().size();
  return {words_.front().data(), static_cast<std::size_t>(end - words_.front().data())};
}

double TiReader::number(std::size_t i, const char* what) const {
  if (i >= words_.size()) refuse(std::string(what) + " is missing");
  double value = 0;
  const auto [end, error] =
      std::from_chars(words_[i].data(), words_[i].data() + words_[i].size(), value);
  if (error != std::errc{} || end != words_[i].data() + words_[i].size() || !std::isfinite(value))
    refuse(std::string(what) + " is \"" + std::string(words_[i]) + "\", not a number");
  return value;
}

std::int64_t TiReader::whole(std::size_t i, const char* what) const {
  const double value = std::trunc(number(i, what));
  if (std::abs(value) > 9e15)
    refuse(std::string(what) + " is \"" + std::string(words_[i]) + "\", which is too large");
  return static_cast<std::int64_t>(value);
}

void TiReader::refuse(const std::string& problem, const std::string& hint) const {
  throw InputError(path_ + ":" + std::to_string(number_), problem, hint);
}

}  // namespace reprise::trace_io
