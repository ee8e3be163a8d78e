// SPDX-License-Identifier: MIT
// Paths that are executed equally often, and how exactly their orders can be kept at what price (order_fit.hpp says how steps are compared).
//
// Alone   a rank that takes twice as long on the set's paths as any other, or is alone on them, has nobody there who waits for it: no order of its times would
//         make a difference. Ranks that take other paths wait for it, and it for them, so it is compared with one that waits for it and takes what was
//         logged.
// Price   steps are compared by the price of their levels (level_price.hpp), which is some per cent off.
// Cost    begin(): O(executions kept), some 50 ns each. try_step(): what has levels at that step, some 0.1 µs an execution; paths without cost next to nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "trace-io/order/level_price.hpp"
#include "trace-io/order/logged_path.hpp"

namespace reprise::trace_io {

class PathSet {
 public:
  // Whether the job has more than one rank, and what a path with an order takes in a file beside it.
  explicit PathSet(bool has_others, std::size_t bytes_beside = 0)
      : has_others_(has_others), bytes_beside_(bytes_beside) {}

  struct Choice {
    double error = 0;                                          // ns of the run
    std::size_t bytes = 0;                                     // about
    std::size_t shape = 0, price = 0;                          // without levels, of levels
    std::vector<std::shared_ptr<const DurationOrder>> orders;  // one per path
  };

  bool is_empty() const { return paths_.empty(); }
  void add(LoggedPath path) { paths_.push_back(std::move(path)); }

  // Without orders first. Returns what the slowest ranks took in all, ns.
  double begin();
  // Whether a step is left that is worth trying: the error is above `enough`, and the one before did not take more than all bytes there are.
  bool may_try(double enough) const {
    return tried_ < kSteps && step_ > 0 && choices_.back().error > enough;
  }
  // What the next step takes at least, if finer ones take no fewer bytes.
  std::size_t least_bytes() const { return least_bytes_; }
  // Goes on with the next finer step: first least_bytes() becomes what it takes without levels, then it becomes a choice if it takes at most so many bytes.
  // If not, it is tried again when there are more. Steps of no level at all are none. REQUIRES: may_try().
  void try_step(std::size_t bytes, LevelPrice&);
  // From now on levels are taken to have so many bytes for each of their price; at first one.
  void set_bytes_for_price(double);

  const std::vector<Choice>& choices() const { return choices_; }
  std::size_t ordered_ranks(std::size_t choice) const;
  void take(std::size_t choice);

 private:
  static constexpr std::size_t kSteps = 8;  // each half of the one before
  static constexpr std::array<std::size_t, 4> kWindows = {1, 4, 16, 64};

  // What ranks wait for, ns, for the whole run.
  struct Waits {
    double at_each = 0;                                // call
    std::array<double, kWindows.size()> in_windows{};  // of executions
  };
  // Of all paths, what each rank's executions take, ns, one after the other.
  using Times = std::vector<double>;
  struct Part {  // of Times: of one rank on one path
    std::size_t path = 0, rank = 0, begin = 0, size = 0, row = 0;
  };

  void find_lone_row();
  Waits waits_of(const Times&) const;
  double slowest_of_each(const Times&) const;
  double slowest(const Series&, std::size_t window) const;
  void play(std::size_t path, Times&);
  double error_of(const Times&) const;
  void make_orders();
  void next_step();
  void raise_least(std::size_t bytes) { least_bytes_ = std::max(least_bytes_, bytes); }
  std::size_t bytes_of(const Choice&) const;

  bool has_others_;
  std::size_t bytes_beside_;
  std::vector<LoggedPath> paths_;
  std::vector<Part> parts_;  // by path, then rank
  std::vector<std::size_t> first_parts_;
  std::size_t ranks_ = 0;    // rows of the set
  std::size_t longest_ = 0;  // row
  Waits logged_;
  Times unordered_;  // as played without any order
  std::optional<std::size_t> lone_row_;
  Times as_logged_;                                   // where there is one
  double step_ = 0;                                   // the next, ns
  std::vector<std::shared_ptr<DurationOrder>> made_;  // in it, by path; empty: not yet
  std::optional<std::size_t> made_price_;             // of their levels
  double bytes_for_price_ = 1;
  std::size_t tried_ = 0, least_bytes_ = 0;
  std::vector<Choice> choices_;
};

}  // namespace reprise::trace_io
