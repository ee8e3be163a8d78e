// SPDX-License-Identifier: MIT
#include "platforms/calibration/text_files.hpp"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

#include "trace-io/base/error.hpp"

namespace reprise::platforms {

std::string read_table_file(const std::string& path) {
  constexpr std::size_t kMost = std::size_t{16} << 20;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (!file) throw InputError(path, std::string("cannot be read: ") + std::strerror(errno));
  std::string text;
  char buffer[65536];
  errno = 0;
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, file.get())) {
    text.append(buffer, got);
    if (text.size() > kMost) throw InputError(path, "larger than 16 MiB: no table of measurements");
  }
  if (std::ferror(file.get()))
    throw InputError(path, std::string("cannot be read: ") + std::strerror(errno));
  return text;
}

std::vector<TableLine> lines_of(const std::string& text) {
  std::vector<TableLine> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
      line.pop_back();
    lines.push_back({lines.size() + 1, std::move(line)});
    at = end + 1;
  }
  return lines;
}

std::vector<double> numbers_of(const std::string& line) {
  std::vector<double> numbers;
  const char* at = line.data();
  const char* const end = at + line.size();
  for (;;) {
    while (at != end && (*at == ' ' || *at == '\t')) ++at;
    if (at == end) return numbers;
    double number = 0;
    const auto [after, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || !std::isfinite(number) ||
        (after != end && *after != ' ' && *after != '\t'))
      return {};
    numbers.push_back(number);
    at = after;
  }
}

}  // namespace reprise::platforms
