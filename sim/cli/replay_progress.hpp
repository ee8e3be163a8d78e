// SPDX-License-Identifier: MIT
// How far the replays of a command are, as one line (trace-io/base/progress_line.hpp): the first with its calls, further ones by number.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

#include "sim/replay_watch.hpp"
#include "trace-io/base/progress_line.hpp"

namespace reprise::cli {

class ReplayProgress final : public sim::ReplayWatch {
 public:
  using Tell = std::function<void(const std::string&)>;
  // CALLS of the trace, unrolled (trace_io::Summary::operations). FURTHER: replays after the first, about; 0 where nobody knows.
  // TELL hears when a replay is over.
  ReplayProgress(ProgressLine& line, std::uint64_t calls, std::size_t further, Tell tell);

  void begin() override;
  bool is_due() override { return line_.is_due(); }
  void at(std::uint64_t calls) override;
  void end() override;
  void waiting(std::size_t done, std::size_t count) override;

 private:
  double part_of(std::uint64_t calls) const;
  std::string further_text(double part) const;

  ProgressLine& line_;
  std::uint64_t calls_;
  std::size_t further_;
  Tell tell_;
  pid_t process_;  // a child's replays are not told
  std::size_t begun_ = 0;
  Seconds began_;                       // the one that runs
  Seconds further_times_;               // of further ones that are over, together
  std::optional<Seconds> waits_since_;  // for those in children, of which so many are over
  std::size_t over_ = 0;
};

}  // namespace reprise::cli
