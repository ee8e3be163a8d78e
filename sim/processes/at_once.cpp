// SPDX-License-Identifier: MIT
#include "sim/processes/at_once.hpp"

#include <algorithm>
#include <new>

#include "sim/processes/child_pool.hpp"
#include "sim/replay_watch.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

constexpr int kUntilSomethingHappens = -1, kLookAroundMs = 200;
constexpr char kReturned = 'r', kThrew = 't';  // what a child's message begins with

// The pool reports a lack of memory itself; anything else that is thrown is thrown again in the parent, where it can be caught.
std::string message_of(const std::function<std::string(std::size_t)>& work, std::size_t i) {
  try {
    return kReturned + work(i);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    return {kThrew};
  }
}

}  // namespace

std::vector<std::string> bytes_at_once(std::size_t jobs, std::size_t count, const std::string& what,
                                       const std::function<std::string(std::size_t)>& work,
                                       ReplayWatch* watch) {
  std::vector<std::string> results(count);
  const std::size_t most = std::min(jobs, count);
  if (most <= 1) {
    for (std::size_t i = 0; i < count; ++i) results[i] = work(i);
    return results;
  }
  ChildPool children(most, {});
  std::size_t over = 0;
  std::size_t first_thrown = count;  // what comes behind it is not asked for any more
  for (std::size_t next = 0; next < first_thrown || !children.is_empty();) {
    while (next < first_thrown && !children.is_full()) {
      children.start(next, [&work, next] { return message_of(work, next); });
      ++next;
    }
    const auto end = children.next(watch != nullptr ? kLookAroundMs : kUntilSomethingHappens);
    if (end) ++over;
    if (watch != nullptr && watch->is_due()) watch->waiting(over, count);
    if (!end) continue;
    if (!end->reason.empty()) throw RunError(what, end->reason, "try fewer at a time with -j");
    if (end->result.front() == kThrew)
      first_thrown = std::min(first_thrown, end->id);
    else
      results[end->id] = end->result.substr(1);
  }
  for (std::size_t i = first_thrown; i < count; ++i) results[i] = work(i);  // the first throws
  return results;
}

}  // namespace reprise::sim
