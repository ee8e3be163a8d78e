// SPDX-License-Identifier: MIT
#include "sim/study/progress.hpp"

#include <array>
#include <cmath>

namespace reprise::sim {
namespace {

constexpr Seconds kHeartbeat{30}, kRenewal{0.2};

std::string pace_text(double a_second) {
  std::array<char, 48> text;
  if (a_second >= 10)
    std::snprintf(text.data(), text.size(), "%.0f a second", a_second);
  else if (a_second >= 0.1)
    std::snprintf(text.data(), text.size(), "%.1f a second", a_second);
  else
    std::snprintf(text.data(), text.size(), "%.1f a minute", a_second * 60);
  return text.data();
}

std::string left_text(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(seconds));
  if (whole < 120) return std::to_string(whole) + " s";
  if (whole < 7200) return std::to_string((whole + 59) / 60) + " min";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

}  // namespace

std::string progress_text(std::size_t done, std::size_t total, std::size_t now_done,
                          Seconds elapsed) {
  std::string text = std::to_string(done) + " of " + std::to_string(total) + " simulations";
  if (now_done == 0 || elapsed.value <= 0) return text;
  const double pace = static_cast<double>(now_done) / elapsed.value;
  return text + ", " + pace_text(pace) + ", " +
         left_text(static_cast<double>(total - done) / pace) + " left";
}

void Progress::show(std::size_t done, std::size_t total, std::size_t now_done, Seconds now) {
  if (now - last_ < (is_terminal_ ? kRenewal : kHeartbeat)) return;
  last_ = now;
  const std::string text = progress_text(done, total, now_done, now - start_);
  // \033[K clears what is left of a longer line before
  std::fprintf(to_, is_terminal_ ? "\r%s\033[K" : "reprise: %s\n", text.c_str());
  std::fflush(to_);
  has_line_ = is_terminal_;
}

void Progress::clear() {
  if (has_line_) std::fputs("\r\033[K", to_);
  has_line_ = false;
}

}  // namespace reprise::sim
