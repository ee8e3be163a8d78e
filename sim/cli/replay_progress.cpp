// SPDX-License-Identifier: MIT
#include "sim/cli/replay_progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "sim/text/numbers.hpp"

namespace reprise::cli {

ReplayProgress::ReplayProgress(ProgressLine& line, std::uint64_t calls, std::size_t further,
                               Tell tell)
    : line_(line), calls_(calls), further_(further), tell_(std::move(tell)), process_(getpid()) {}

void ReplayProgress::begin() {
  ++begun_;
  began_ = line_.elapsed();
}

double ReplayProgress::part_of(std::uint64_t calls) const {
  return calls_ > 0 ? std::min(1.0, static_cast<double>(calls) / static_cast<double>(calls_)) : 1;
}

void ReplayProgress::at(std::uint64_t calls) {
  const double part = part_of(calls);
  line_.show(begun_ == 1 ? "replay of " + counted(calls_, "MPI call") + ": " +
                               part_text(part, line_.elapsed() - began_)
                         : further_text(part));
}

// Those that are still to come take as long as those that are over: which need not be alike, so the time left is "about".
std::string ReplayProgress::further_text(double part) const {
  const std::size_t over = begun_ - 2, left = further_ - std::min(further_, begun_ - 1);
  const std::string text =
      "further replay " + std::to_string(begun_ - 1) +
      (begun_ - 1 <= further_ ? " of about " + std::to_string(further_) : std::string()) + ": " +
      std::to_string(static_cast<int>(part * 100)) + " %";
  const double so_far = (line_.elapsed() - began_).value;
  const double mean = over > 0     ? further_times_.value / static_cast<double>(over)
                      : part > 0.1 ? so_far / part
                                   : 0;
  if (mean <= 0) return text;
  const double this_one = std::max(0.0, mean - so_far);
  return text + ", about " + time_left_text(Seconds{this_one + mean * static_cast<double>(left)}) +
         " left";
}

void ReplayProgress::end() {
  const Seconds took = line_.elapsed() - began_;
  if (begun_ > 1) further_times_ += took;
  if (!tell_ || getpid() != process_) return;
  line_.clear();
  const std::string which = begun_ == 1 ? "replay of " + counted(calls_, "MPI call")
                                        : "further replay " + std::to_string(begun_ - 1);
  tell_(which + ": " + formatted("%.2f s", took.value));
}

void ReplayProgress::waiting(std::size_t done, std::size_t count) {
  if (!waits_since_ || done < over_) waits_since_ = line_.elapsed();  // others, or the first
  over_ = done;
  const double part = static_cast<double>(done) / static_cast<double>(count);
  line_.show("further replays: " + part_text(part, line_.elapsed() - *waits_since_));
}

}  // namespace reprise::cli
