// SPDX-License-Identifier: MIT
// Several pieces of work at once, each in a child process, and their results in order: what one by one would have given, to the byte.
//
// Children   are forked when their turn comes, so each has what the parent has, without a copy, and changes nothing of the parent's.
// Errors     what a piece of work throws is thrown here, of several that of the first in order: the parent does that piece once more.
//            RunError: a child was killed, or ran out of memory; the others are ended at once. As all do with the parent: SIGINT ends
//            them with it (child_pool.hpp).
// Cost       0.4 ms of CPU time a piece; memory: what each of them writes, at the same time.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace reprise::sim {

inline constexpr char kFurtherReplay[] = "a further replay";  // what most of them are, for errors

class ReplayWatch;

// WORK(i) for i below COUNT, JOBS at a time; with one job in this process. WHAT: a piece of it, for errors. WATCH: hears, where there is one,
// how many of those in children are over (sim/replay_watch.hpp).
std::vector<std::string> bytes_at_once(std::size_t jobs, std::size_t count, const std::string& what,
                                       const std::function<std::string(std::size_t)>& work,
                                       ReplayWatch* watch = nullptr);

// For results that are plain data.
template <class Work>
auto at_once(std::size_t jobs, std::size_t count, const std::string& what, Work work,
             ReplayWatch* watch = nullptr) {
  using Result = std::invoke_result_t<Work, std::size_t>;
  static_assert(std::is_trivially_copyable_v<Result>);
  const auto all = bytes_at_once(
      jobs, count, what,
      [&work](std::size_t i) {
        const Result result = work(i);
        std::string bytes(sizeof result, '\0');
        std::memcpy(bytes.data(), &result, sizeof result);
        return bytes;
      },
      watch);
  std::vector<Result> results(count);
  for (std::size_t i = 0; i < count; ++i) std::memcpy(&results[i], all[i].data(), sizeof(Result));
  return results;
}

}  // namespace reprise::sim
