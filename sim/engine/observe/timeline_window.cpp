// SPDX-License-Identifier: MIT
#include "sim/engine/observe/timeline_window.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <tuple>

#include "sim/time_grid.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::sim {

namespace {

// Six digits are enough to choose a time by.
std::string rounded_text(Seconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", time.value);
  return to_text(Seconds{std::strtod(text, nullptr)});
}

}  // namespace

void TimelineWindow::begin(const trace_io::Trace& trace, std::size_t actors) {
  main_ = trace_io::main_loops(trace);
  sides_.assign(actors, {});
  const auto ranks = static_cast<std::size_t>(trace.header.ranks);
  is_asked_.assign(ranks, question_.ranks.empty() ? 1 : 0);
  for (const Rank rank : question_.ranks.ranks())
    is_asked_[static_cast<std::size_t>(rank.value)] = 1;
  actor_of_.assign(ranks, 0);
  calls_.clear();
  messages_.clear();
  values_.clear();
  loops_.clear();
  inside_ = before_ = 0;
  has_entered_ = false;
  seen_ = iterations_ = 0;
  is_stuck_ = false;
  end_ = 0;
}

bool TimelineWindow::has(std::uint64_t iteration) const {
  return iteration != WindowCall::kNoIteration && question_.iterations &&
         iteration >= question_.iterations->first && iteration <= question_.iterations->second;
}

bool TimelineWindow::is_before(std::uint64_t iteration) const {
  return iteration != WindowCall::kNoIteration && question_.iterations &&
         iteration < question_.iterations->first;
}

std::pair<double, double> TimelineWindow::path_times() const {
  constexpr double kAnywhere = std::numeric_limits<double>::infinity();
  if (!question_.iterations) return {question_.from, question_.to};
  const bool is_open = has_entered_ && inside_ + before_ > 0;
  return is_open ? std::pair(0.0, kAnywhere) : std::pair(0.0, -1.0);
}

bool TimelineWindow::wants(const Side& side, double begin, double end) const {
  if (!side.is_asked_for) return false;
  if (question_.iterations) return has(side.iteration);
  return end >= question_.from && begin <= question_.to;
}

void TimelineWindow::on_begin(std::uint32_t index, const Actor& actor) {
  Side& side = sides_[index];
  const auto rank = static_cast<std::size_t>(actor.rank);
  side.is_asked_for = is_asked_[rank] != 0;
  if (actor.thread == 0) actor_of_[rank] = index;
  const bool was_inside = has(side.iteration), was_before = is_before(side.iteration);
  const trace_io::Cursor& cursor = actor.cursor.cursor();
  bool is_in_loop = false;
  for (std::uint32_t depth = 0; depth < cursor.depth() && actor.thread == 0; ++depth) {
    const auto place = cursor.loop(depth);
    if (std::ranges::find(main_.loops, place.node) == main_.loops.end()) continue;
    if (!side.is_in_loop || place.passed < side.passed) side.before = side.next;
    side.passed = place.passed;
    side.iteration = side.before + place.passed;
    side.next = side.iteration + 1;
    side.depth = depth;
    iterations_ = std::max(iterations_, side.next);
    is_in_loop = true;
    break;
  }
  side.is_in_loop = is_in_loop;
  if (!is_in_loop) side.iteration = WindowCall::kNoIteration;
  inside_ += has(side.iteration) ? 1U : 0U;
  inside_ -= was_inside ? 1U : 0U;
  before_ += is_before(side.iteration) ? 1U : 0U;
  before_ -= was_before ? 1U : 0U;
  has_entered_ = has_entered_ || inside_ > 0;
}

void TimelineWindow::on_end(std::uint32_t index, const Actor& actor, double begin, double computed,
                            double wait) {
  const double end = actor.clock + actor.skipped;
  end_ = std::max(end_, end);
  const Side& side = sides_[index];
  if (!wants(side, begin, end)) return;
  keep(actor, side,
       {.begin = begin, .enter = std::min(begin + computed, end), .end = end, .wait = wait});
}

void TimelineWindow::on_stuck(std::uint32_t index, const Actor& actor, double begin,
                              double computed, double now) {
  is_stuck_ = true;
  const double entered = on_grid(begin + computed), end = std::max(now + actor.skipped, entered);
  end_ = std::max(end_, end);
  const Side& side = sides_[index];
  if (!wants(side, begin, end)) return;
  keep(actor, side,
       {.is_open = true, .begin = begin, .enter = entered, .end = end, .wait = end - entered});
}

void TimelineWindow::keep(const Actor& actor, const Side& side, WindowCall call) {
  if (++seen_ > question_.most_calls) return;
  call.rank = actor.rank;
  call.thread = actor.thread;
  call.site = actor.cursor.site();
  call.iteration = side.iteration;
  call.values = values_.size();
  if (question_.keeps_fields) {
    const auto scalars = actor.cursor.scalars();
    values_.insert(values_.end(), scalars.begin(), scalars.end());
    for (std::size_t i = 0; i < trace_io::vector_count(actor.cursor.procedure()); ++i) {
      const auto list = actor.cursor.vector(i);
      values_.push_back(static_cast<std::int64_t>(list.size()));
      values_.insert(values_.end(), list.begin(), list.end());
    }
  }
  call.loops = loops_.size();
  if (question_.keeps_loops) {
    const trace_io::Cursor& cursor = actor.cursor.cursor();
    call.depth = cursor.depth();
    call.inner = side.is_in_loop ? call.depth - side.depth - 1 : 0;
    for (std::uint32_t depth = 0; depth < call.depth; ++depth) {
      const auto place = cursor.loop(depth);
      loops_.push_back({place.node, place.passed, place.passed + place.left});
    }
  }
  calls_.push_back(call);
}

void TimelineWindow::on_received(const Delivery& message) {
  if (message.is_collective) return;
  const auto from = static_cast<std::size_t>(message.from),
             to = static_cast<std::size_t>(message.to);
  if ((is_asked_[from] | is_asked_[to]) == 0 || seen_ > question_.most_calls) return;
  const bool is_in =
      question_.iterations
          ? has(sides_[actor_of_[from]].iteration) || has(sides_[actor_of_[to]].iteration)
          : message.received >= question_.from && message.sent <= question_.to;
  if (is_in) messages_.push_back(message);
}

void TimelineWindow::finish() {
  std::ranges::stable_sort(calls_, {}, [](const WindowCall& call) {
    return std::tuple(call.begin, call.rank, call.thread);
  });
  std::ranges::stable_sort(messages_, {}, [](const Delivery& message) {
    return std::tuple(message.received, message.to, message.from);
  });
}

void TimelineWindow::check() const {
  if (seen_ > question_.most_calls)
    throw InputError("the window of the predicted run",
                     "has " + std::to_string(seen_) + " calls, more than the " +
                         std::to_string(question_.most_calls) + " that are allowed",
                     "narrow it with --from, --to, --iterations or --ranks; a file takes more with "
                     "--size-limit");
  if (question_.iterations && seen_ == 0) {
    const auto [first, last] = *question_.iterations;
    throw InputError("--iterations",
                     "the main loop has no iteration " + std::to_string(first) +
                         (first == last ? "" : " to " + std::to_string(last)),
                     iterations_ == 0
                         ? "no rank asked for executes a loop"
                         : "it has iterations 0 to " + std::to_string(iterations_ - 1));
  }
  if (seen_ == 0 || (question_.is_moment() && question_.from > end_))
    throw InputError(question_.is_moment() ? "--at" : "--from",
                     to_text(Seconds{question_.from}) + " is past the end",
                     "the predicted run is from 0 s to " + rounded_text(Seconds{end_}) +
                         (is_stuck_ ? ", where it deadlocks" : ""));
}

double TimelineWindow::may_jump_to(double now) const {
  constexpr double kAnywhere = std::numeric_limits<double>::infinity();
  if (question_.iterations) return inside_ > 0 ? now : kAnywhere;
  return now < question_.from ? question_.from : now <= question_.to ? now : kAnywhere;
}

std::uint64_t TimelineWindow::may_leave_out(const trace_io::Loop& loop, std::uint64_t from) const {
  constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
  if (!question_.iterations || std::ranges::find(main_.loops, &loop) == main_.loops.end())
    return kAll;
  const auto [first, last] = *question_.iterations;
  return from > last ? kAll : from < first ? first - from : 0;
}

const char* TimelineWindow::why_not_forwarded() const {
  return question_.iterations && !main_.are_outermost
             ? "iterations are shown of a loop within another one"
             : nullptr;
}

}  // namespace reprise::sim
