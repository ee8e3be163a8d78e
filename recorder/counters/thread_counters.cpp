// SPDX-License-Identifier: MIT
#include "recorder/counters/thread_counters.hpp"

#include <algorithm>

namespace reprise::recorder {
namespace {

constexpr int kTries = 64;

using Values = EventGroup::Values;

// At least 0: a counter that was lost stands still.
std::uint64_t less(std::uint64_t value, std::uint64_t other) {
  return value > other ? value - other : 0;
}

}  // namespace

ThreadCounters::ThreadCounters(std::span<const trace_io::CounterEvent> wanted,
                               trace_io::SiteId before) noexcept
    : group_(wanted), last_(before) {
  Values least;
  least.fill(~std::uint64_t{0});
  for (int i = 0; i < kTries; ++i) {
    leave();
    enter();
    for (std::size_t e = 0; e < least.size(); ++e)
      least[e] = std::min(least[e], less(entered_[e], left_[e]));
  }
  own_ = least;
  leave();
}

void ThreadCounters::add_gap(Values& to) const noexcept {
  for (std::size_t e = 0; e < to.size(); ++e) to[e] += less(less(entered_[e], left_[e]), own_[e]);
}

void ThreadCounters::leave_out() noexcept {
  Values now = entered_;
  group_.read(now);
  for (std::size_t e = 0; e < now.size(); ++e) left_[e] += less(now[e], entered_[e]);
}

void ThreadCounters::poll(bool is_of_polls) noexcept {
  add_gap(is_of_polls ? in_polls_ : before_polls_);
  leave();
  for (std::size_t e = 0; e < left_.size(); ++e)
    in_polls_[e] += less(less(left_[e], entered_[e]), own_[e]);
}

void ThreadCounters::called(trace_io::SiteId site, Nanoseconds compute, Share share) {
  Total& total = totals_[{site, last_}];
  last_ = site;
  total.time += compute;
  if (share != Share::before_polls) add_gap(before_polls_);
  for (std::size_t e = 0; e < total.counts.size(); ++e)
    total.counts[e] += before_polls_[e] + (share == Share::everything ? in_polls_[e] : 0);
  discard();
}

}  // namespace reprise::recorder
