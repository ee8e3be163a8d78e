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

std::string duration_text(Seconds time) {
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr Unit kUnits[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  if (time.value == 0) return "0 s";
  // 999.95 ns are 1 us
  constexpr double kRoundsUp = 0.99995;
  for (const Unit& unit : kUnits)
    if (time.value >= kRoundsUp * unit.seconds)
      return formatted("%.4g %s", time.value / unit.seconds, unit.name);
  return formatted("%.4g ns", time.value * 1e9);
}

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
