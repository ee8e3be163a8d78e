// SPDX-License-Identifier: MIT
#include "sim/text/numbers.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace reprise {

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, " ");
  return text;
}

std::string counted(std::uint64_t count, const std::string& noun) {
  std::string text = grouped(count) + " " + noun;
  if (count != 1) text += 's';
  return text;
}

std::string seconds_text(Seconds time) { return formatted("%.6f s", time.value); }

std::string formatted(const char* format, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return buffer;
}

std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, columns(text)), ' ');
}

}  // namespace reprise
