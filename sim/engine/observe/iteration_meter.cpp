// SPDX-License-Identifier: MIT
#include "sim/engine/observe/iteration_meter.hpp"

#include <algorithm>
#include <utility>

#include "trace-io/iterations/iteration_table.hpp"

namespace reprise::sim {
namespace {

IterationMeter::Values totals_of(const Actor& actor, std::uint64_t bytes) {
  return {actor.compute + actor.in_mpi,
          actor.compute,
          actor.in_mpi,
          actor.wait,
          static_cast<double>(bytes),
          static_cast<double>(actor.operations)};
}

void add(IterationMeter::Values& to, const IterationMeter::Values& values, double times) {
  for (std::size_t m = 0; m < values.size(); ++m) to[m] += times * values[m];
}

// A column that takes in another one, or iterations of one kind.
void unite(IterationMeter::Column& to, const IterationMeter::Column& other) {
  if (other.iterations == 0) return;
  for (std::size_t m = 0; m < other.most.size(); ++m) {
    to.most[m] = to.iterations > 0 ? std::max(to.most[m], other.most[m]) : other.most[m];
    to.least[m] = to.iterations > 0 ? std::min(to.least[m], other.least[m]) : other.least[m];
  }
  add(to.medians, other.medians, 1);
  to.iterations += other.iterations;
}

}  // namespace

IterationMeter::IterationMeter(const trace_io::Trace& trace, const std::vector<Actor>& actors)
    : loops_(main_loops(trace)), sides_(actors.size()) {
  rows_ = std::min(loops_.ranks.size(), kRows);
  cells_.resize(rows_ * kColumns);
  for (std::size_t actor = 0; actor < actors.size(); ++actor) {
    const auto place = std::ranges::lower_bound(loops_.ranks, Rank{actors[actor].rank});
    if (actors[actor].thread == 0 && place != loops_.ranks.end() &&
        place->value == actors[actor].rank)
      sides_[actor].place = static_cast<std::int32_t>(place - loops_.ranks.begin());
  }
}

Rank IterationMeter::first_rank(std::size_t row) const {
  return loops_.ranks[(row * loops_.ranks.size() + rows_ - 1) / rows_];
}

IterationMeter::Whole IterationMeter::whole() const {
  Whole whole;
  const Side* slowest = nullptr;
  bool is_first = true;
  for (const Side& side : sides_) {
    if (side.done == 0) continue;
    whole.begin = is_first ? side.first_begin : std::min(whole.begin, side.first_begin);
    whole.end = std::max(whole.end, side.last_end);
    if (slowest == nullptr || side.time > slowest->time) slowest = &side;
    is_first = false;
  }
  if (slowest == nullptr) return whole;
  whole.slowest = slowest->time;
  whole.slowest_rank = loops_.ranks[static_cast<std::size_t>(slowest->place)];
  return whole;
}

void IterationMeter::on_event(std::uint32_t index, const Actor& actor, std::uint64_t bytes) {
  Side& side = sides_[index];
  if (side.place < 0 || !actor.cursor.is_plain()) return;
  const trace_io::Cursor& cursor = actor.cursor.cursor();
  if (side.is_inside) {
    const bool has_left = cursor.depth() <= side.depth ||
                          cursor.loop(side.depth).node != side.loop ||
                          (cursor.began_iteration() && cursor.begun() < side.depth);
    if (!has_left && !(cursor.began_iteration() && cursor.begun() == side.depth)) return;
    end(side, has_left ? 1 : cursor.loop(side.depth).passed - side.passed, actor, bytes);
  }
  side.is_inside = false;
  for (std::uint32_t depth = 0; depth < cursor.depth(); ++depth)
    if (std::ranges::find(loops_.loops, cursor.loop(depth).node) != loops_.loops.end()) {
      side.depth = depth;
      return begin(side, actor, bytes);
    }
}

void IterationMeter::begin(Side& side, const Actor& actor, std::uint64_t bytes) {
  side.is_inside = true;
  const auto place = actor.cursor.cursor().loop(side.depth);
  side.loop = place.node;
  side.passed = place.passed;
  side.before = totals_of(actor, bytes);
  if (side.first_begin < 0) side.first_begin = actor.clock + actor.skipped;
}

void IterationMeter::end(Side& side, std::uint64_t length, const Actor& actor,
                         std::uint64_t bytes) {
  Values values = totals_of(actor, bytes);
  add(values, side.before, -1);
  side.time += values.front();
  side.last_end = actor.clock + actor.skipped;
  for (double& value : values) value /= static_cast<double>(length);
  const std::uint64_t first = side.done;
  side.done += length;
  iterations_ = std::max(iterations_, side.done);
  Stretch& stretch = under_way_[first];
  if (stretch.arrived.empty()) stretch.length = length;
  stretch.arrived.push_back(side.place);
  stretch.values.push_back(values);
  if (stretch.arrived.size() < loops_.ranks.size()) return;
  put(first, stretch);
  under_way_.erase(first);
}

void IterationMeter::on_end(std::uint32_t index, const Actor& actor, std::uint64_t bytes) {
  Side& side = sides_[index];
  if (side.place >= 0 && side.is_inside) end(side, 1, actor, bytes);
  side.is_inside = false;
}

void IterationMeter::finish() {
  for (const auto& [first, stretch] : under_way_) put(first, stretch);
  under_way_.clear();
}

void IterationMeter::put(std::uint64_t first, const Stretch& stretch) {
  const std::uint64_t last = first + stretch.length - 1;
  while (last / per_column_ >= kColumns) widen();
  Column one{1, {}, {}, {}};
  std::vector<double> of_ranks(stretch.values.size());
  for (std::size_t m = 0; m < kMetrics; ++m) {
    std::ranges::transform(stretch.values, of_ranks.begin(),
                           [m](const Values& values) { return values[m]; });
    const auto extremes = trace_io::extremes_of(of_ranks);
    one.most[m] = extremes.most;
    one.least[m] = extremes.least;
    one.medians[m] = extremes.median;
  }
  columns_.resize(std::max(columns_.size(), static_cast<std::size_t>(last / per_column_ + 1)));
  for (std::uint64_t column = first / per_column_; column <= last / per_column_; ++column) {
    const std::uint64_t begin = std::max(first, column * per_column_),
                        end = std::min(last + 1, (column + 1) * per_column_);
    const auto length = static_cast<double>(end - begin);
    Column several = one;
    several.iterations = end - begin;
    for (double& median : several.medians) median *= length;
    unite(columns_[column], several);
    for (std::size_t i = 0; i < stretch.values.size(); ++i) {
      const std::size_t row =
          static_cast<std::size_t>(stretch.arrived[i]) * rows_ / loops_.ranks.size();
      Cell& cell = cells_[row * kColumns + column];
      cell.iterations += end - begin;
      add(cell.sums, stretch.values[i], length);
    }
  }
}

void IterationMeter::widen() {
  per_column_ *= 2;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    const Column one = columns_[column];
    if (column % 2 == 0) columns_[column / 2] = {};
    unite(columns_[column / 2], one);
  }
  columns_.resize((columns_.size() + 1) / 2);
  for (std::size_t row = 0; row < rows_; ++row)
    for (std::size_t column = 0; column < kColumns; ++column) {
      const Cell one = std::exchange(cells_[row * kColumns + column], {});
      Cell& to = cells_[row * kColumns + column / 2];
      to.iterations += one.iterations;
      add(to.sums, one.sums, 1);
    }
}

}  // namespace reprise::sim
