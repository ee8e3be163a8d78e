// SPDX-License-Identifier: MIT
#include "trace-io/base/progress_line.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace reprise {
namespace {

constexpr Seconds kFirst{2}, kRenewal{0.2}, kHeartbeat{30};
constexpr double kLeastPart = 1e-3;

}  // namespace

ProgressLine::ProgressLine(std::FILE* to, Place place, Clock clock)
    : to_(to),
      place_(place),
      clock_(std::move(clock)),
      start_(clock_()),
      next_(start_ + (place == Place::terminal ? kFirst : kHeartbeat)),
      process_(getpid()) {}

bool ProgressLine::is_due() const { return place_ != Place::none && clock_() >= next_; }

void ProgressLine::show(const std::string& text) {
  if (!is_due()) return;
  const bool is_terminal = place_ == Place::terminal;
  next_ = clock_() + (is_terminal ? kRenewal : kHeartbeat);
  // \033[K clears what is left of a longer line before
  write(is_terminal ? "\rreprise: " + text + "\033[K" : "reprise: " + text + "\n");
  has_line_ = is_terminal;
}

void ProgressLine::clear() {
  if (std::exchange(has_line_, false)) write("\r\033[K");
}

// Past stdio, which would keep what could not be written; without the signal of a pipe that nobody reads.
void ProgressLine::write(const std::string& text) const {
  if (getpid() != process_) return;
  struct sigaction ignored {
  }, before{};
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignored, &before);
  std::fflush(to_);
  static_cast<void>(!::write(fileno(to_), text.data(), text.size()));
  sigaction(SIGPIPE, &before, nullptr);
}

Seconds steady_now() {
  return Seconds{
      std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count()};
}

ProgressLine::Place progress_place(bool quiet) {
  if (quiet) return ProgressLine::Place::none;
  const char* terminal = std::getenv("TERM");
  const bool moves = terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
  return isatty(STDERR_FILENO) == 1 && moves ? ProgressLine::Place::terminal
                                             : ProgressLine::Place::log;
}

std::string time_left_text(Seconds left) {
  // 4 s that a division has made 4.0000000000000004 s are 4 s
  const auto whole = static_cast<long long>(std::ceil(left.value - 1e-6));
  if (whole < 120) return std::to_string(whole) + " s";
  if (whole < 7200) return std::to_string((whole + 59) / 60) + " min";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

std::string part_text(double part, Seconds elapsed) {
  part = std::clamp(part, 0.0, 1.0);
  const std::string percent = std::to_string(static_cast<int>(part * 100)) + " %";
  if (part < kLeastPart) return percent;
  return percent + ", " + time_left_text(Seconds{elapsed.value * (1 - part) / part}) + " left";
}

}  // namespace reprise
