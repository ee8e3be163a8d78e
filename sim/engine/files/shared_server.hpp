// SPDX-License-Identifier: MIT
// A server whose bandwidth is shared evenly by what is under way: egalitarian processor sharing (Kleinrock 1967), which for equal
// bounds per job is their max-min fair share.
//
// Rate    of each of n jobs: min(bound, bandwidth / n). All jobs have the same rate at any time, so one clock of bytes served per job
//         orders their ends; a job ends when that clock has advanced by its bytes.
// Cost    O(log jobs) per arrival and end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <queue>
#include <vector>

namespace reprise::sim {

class SharedServer {
 public:
  SharedServer(double bandwidth, double bound) : bandwidth_(bandwidth), bound_(bound) {}

  void join(double now, double bytes, std::uint32_t id) {
    advance(now);
    jobs_.push({served_ + bytes, next_number_++, id});
  }
  // When the next job ends if none arrives before; infinite where there is none.
  double next_end() const {
    if (jobs_.empty()) return std::numeric_limits<double>::infinity();
    return now_ + std::max(0.0, jobs_.top().end - served_) / rate();
  }
  // Appends the jobs that have ended by now, in the order of their ends.
  void take_ended(double now, std::vector<std::uint32_t>& ended) {
    while (!jobs_.empty() && next_end() <= now + kRounding * std::max(now, 1e-3)) {
      const Job job = jobs_.top();
      now_ = std::max(now_, next_end());
      served_ = job.end;
      jobs_.pop();
      ended.push_back(job.id);
    }
    if (jobs_.empty()) served_ = 0;
    advance(now);
  }

 private:
  struct Job {
    double end;  // by the clock of bytes
    std::uint64_t number;
    std::uint32_t id;
    friend bool operator<(const Job& a, const Job& b) {  // the queue's top is the greatest
      return a.end != b.end ? a.end > b.end : a.number > b.number;
    }
  };
  static constexpr double kRounding = 1e-12;  // of the simulated time

  double rate() const { return std::min(bound_, bandwidth_ / static_cast<double>(jobs_.size())); }
  void advance(double now) {
    if (!jobs_.empty() && now > now_) served_ += (now - now_) * rate();
    now_ = std::max(now_, now);
  }

  const double bandwidth_, bound_;
  std::priority_queue<Job> jobs_;
  double now_ = 0, served_ = 0;
  std::uint64_t next_number_ = 0;
};

}  // namespace reprise::sim
