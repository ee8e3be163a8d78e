// SPDX-License-Identifier: MIT
#include "sim/engine/critical_path/critical_path.hpp"

#include <algorithm>
#include <cmath>

#include "sim/time_grid.hpp"

namespace reprise::sim {
namespace {

// Times that the same sums, made in another order, may differ by.
bool is_about(double a, double b) { return std::abs(a - b) <= 1e-12 + 1e-9 * std::abs(b); }

}  // namespace

void CriticalPath::begin(const platforms::Platform& platform,
                         const std::vector<std::int32_t>& ranks, bool heads_wait) {
  platform_ = platform;
  routes_ = platforms::make_route_table(platform_);
  cache_ = std::make_unique<RouteCache>(*routes_);
  heads_wait_ = heads_wait;
  tree_ = {};
  rank_of_ = ranks;
  ranks_ = 0;
  for (const std::int32_t rank : ranks)
    ranks_ = std::max(ranks_, static_cast<std::size_t>(rank) + 1);
  rows_ = std::min<std::size_t>(ranks_, PathCell::kRows);
  actors_.assign(ranks.size(), {});
  for (std::size_t actor = 0; actor < ranks.size(); ++actor) {
    actors_[actor].place = tree_.begin();
    actors_[actor].row =
        static_cast<std::uint16_t>(static_cast<std::size_t>(ranks[actor]) * rows_ / ranks_);
  }
  for (auto& holders : others_) holders.clear();
  width_ = 0x1p-30;
  jumped_.clear();
  jumped_time_ = 0;
}

void CriticalPath::at_call(std::uint32_t actor, trace_io::SiteId site, double skipped) {
  actors_[actor].site = site;
  actors_[actor].shift = skipped;
}

void CriticalPath::take_over(Name to, Name from) {
  at(to);  // both are there: what follows moves nothing
  const Holder& source = at(from);
  Holder& holder = at(to);
  if (&source == &holder || source.place == PathTree::kNowhere) return;
  const PathTree::Place old = holder.place;
  const Holder mine = holder;
  holder = source;
  tree_.hold(holder.place);
  if (to.of == Of::actor) {
    holder.site = mine.site;
    holder.row = mine.row;
    holder.shift = mine.shift;
  }
  if (old != PathTree::kNowhere) tree_.release(old);
}

bool CriticalPath::differ(const Holder& a, const Holder& b) {
  return !is_about(a.compute, b.compute) || !is_about(a.latency, b.latency) ||
         !is_about(a.transfer, b.transfer);
}

void CriticalPath::await(Name to, double clock, Name from, double done) {
  if (at(from).place == PathTree::kNowhere) return;
  if (done == clock && at(from).time == done && differ(at(to), at(from))) at(to).is_tied = true;
  if (done > clock) take_over(to, from);
}

void CriticalPath::drop(Name name) {
  Holder& holder = at(name);
  if (holder.place == PathTree::kNowhere) return;
  tree_.release(holder.place);
  holder.place = PathTree::kNowhere;
}

void CriticalPath::spend(Holder& holder, PathPart part, std::uint16_t where, double seconds) {
  if (seconds == 0) return;
  holder.place = tree_.extend(holder.place);
  const bool is_computing =
      part == PathPart::compute || part == PathPart::noise || part == PathPart::core;
  const double from = holder.time + holder.shift;
  while (from + seconds > width_ * PathCell::kBins) widen();
  PathVector& stretch = tree_.stretch(holder.place);
  stretch.add(PathKey{part, where, holder.site}.packed(), seconds);
  fill(stretch, holder.row, is_computing, from, seconds);
  holder.time += seconds;
  if (part == PathPart::compute) holder.compute += seconds;
  if (part == PathPart::latency || part == PathPart::handshake) holder.latency += seconds;
  if (part == PathPart::transfer || part == PathPart::sharing) holder.transfer += seconds;
}

void CriticalPath::fill(PathVector& vector, std::uint32_t row, bool is_computing, double from,
                        double seconds) {
  double left = seconds;
  for (auto bin = static_cast<std::uint32_t>(std::max(0.0, from) / width_); left != 0; ++bin) {
    const double room = static_cast<double>(bin + 1) * width_ - from;
    const bool is_last = bin + 1 >= PathCell::kBins || left <= room;
    const double part = is_last ? left : room;
    vector.add(PathCell{row, std::min(bin, PathCell::kBins - 1), is_computing}.packed(), part);
    left = is_last ? 0 : left - part;
    from += part;
  }
}

void CriticalPath::widen() {
  width_ *= 2;
  const auto halved = [](std::uint64_t key) {
    if (!PathCell::is_one(key)) return key;
    PathCell cell = PathCell::unpacked(key);
    cell.bin /= 2;
    return cell.packed();
  };
  tree_.rename_keys(halved);
  jumped_.rename(halved);
}

void CriticalPath::advance(Name name, double to, PathPart part, std::uint16_t where) {
  Holder& holder = at(name);
  if (holder.place == PathTree::kNowhere) return;
  spend(holder, part, where, to - holder.time);
  holder.time = to;
}

void CriticalPath::advance(Name name, double to, PathPart first, double seconds, PathPart second,
                           std::uint16_t where) {
  Holder& holder = at(name);
  if (holder.place == PathTree::kNowhere) return;
  spend(holder, first, where, seconds);
  advance(name, to, second, where);
}

// In proportion to the links' latencies; what rounding leaves goes with the last one.
void CriticalPath::spend_latency(Holder& holder, Ends ends, PathPart part, double seconds) {
  const RouteCache::Route route = cache_->find(ends.from, ends.to);
  double left = seconds;
  std::uint16_t where = 0;
  for (const auto link : route.links) {
    const double own = routes_->link(link).latency.value;
    if (own <= 0) continue;
    where = static_cast<std::uint16_t>(routes_->link_class_index(link));
    const double spent = std::min(left, on_grid(seconds * (own / route.latency.value)));
    spend(holder, part, where, spent);
    left -= spent;
  }
  spend(holder, part, where, left);
}

void CriticalPath::delay(Name name, double to, Ends ends, PathPart part) {
  Holder& holder = at(name);
  if (holder.place == PathTree::kNowhere) return;
  spend_latency(holder, ends, part, to - holder.time);
  holder.time = to;
}

void CriticalPath::head(Name name, double to, Ends ends, Bytes bytes) {
  Holder& holder = at(name);
  if (holder.place == PathTree::kNowhere) return;
  const double seconds = to - holder.time;
  const double alone =
      on_grid(cache_->find(ends.from, ends.to).latency.value *
              platform_.mpi_between_ends(ends.from, ends.to).latency_factor(bytes));
  const bool has_waited = heads_wait_ && seconds > alone && !is_about(seconds, alone);
  spend_latency(holder, ends, PathPart::latency, has_waited ? alone : seconds);
  if (has_waited) body(name, to, ends, Bytes{0});
  holder.time = to;
}

void CriticalPath::body(Name name, double to, Ends ends, Bytes bytes) {
  Holder& holder = at(name);
  if (holder.place == PathTree::kNowhere) return;
  const RouteCache::Route route = cache_->find(ends.from, ends.to);
  const double seconds = to - holder.time;
  const double alone =
      on_grid(static_cast<double>(bytes.value) /
              (route.bandwidth.value *
               platform_.mpi_between_ends(ends.from, ends.to).bandwidth_factor(bytes)));
  std::uint16_t narrowest = 0;
  for (const auto link : route.links)
    if (routes_->link(link).bandwidth.value <= route.bandwidth.value)
      narrowest = static_cast<std::uint16_t>(routes_->link_class_index(link));
  const bool has_shared = seconds > alone && !is_about(seconds, alone);
  spend(holder, PathPart::transfer, narrowest, has_shared ? alone : seconds);
  if (has_shared) spend(holder, PathPart::sharing, narrowest, to - holder.time);
  holder.time = to;
}

void CriticalPath::travel(Name name, double to, Ends ends, Bytes bytes) {
  Holder& holder = at(name);
  if (holder.place == PathTree::kNowhere) return;
  const double latency =
      on_grid(cache_->find(ends.from, ends.to).latency.value *
              platform_.mpi_between_ends(ends.from, ends.to).latency_factor(bytes));
  delay(name, std::min(to, holder.time + latency), ends);
  body(name, to, ends, bytes);
}

void CriticalPath::jump(PathVector way, double from, double span) {
  double whole = 0;
  std::array<std::array<double, PathCell::kRows>, 2> on_path{};
  for (const auto& entry : way.sorted()) {
    if (PathCell::is_one(entry.key)) {
      const PathCell cell = PathCell::unpacked(entry.key);
      on_path[cell.is_computing ? 1 : 0][cell.row] += entry.seconds;
    } else {
      whole += entry.seconds;
    }
  }
  while (from + span > width_ * PathCell::kBins) widen();
  jumped_time_ += span;
  if (whole <= 0) return jumped_.add(PathKey{}.packed(), span);
  for (const auto& entry : way.sorted())
    if (!PathCell::is_one(entry.key)) jumped_.add(entry.key, span * (entry.seconds / whole));
  for (std::uint32_t row = 0; row < rows_; ++row)
    for (const bool is_computing : {false, true})
      fill(jumped_, row, is_computing, from, span * (on_path[is_computing ? 1 : 0][row] / whole));
}

CriticalPath::Result CriticalPath::result() const {
  Result result;
  std::size_t last = 0;
  for (std::size_t actor = 1; actor < actors_.size(); ++actor)
    if (time(static_cast<std::uint32_t>(actor)) > time(static_cast<std::uint32_t>(last)))
      last = actor;
  PathVector all = jumped_;
  for (PathTree::Place place = actors_[last].place; place != PathTree::kNowhere;
       place = tree_.parent(place))
    all.add(tree_.stretch(place));
  result.rank = rank_of_[last];
  result.time = time(static_cast<std::uint32_t>(last));
  result.is_tied = actors_[last].is_tied;
  result.entries = all.sorted();
  result.bin = width_;
  result.rows = static_cast<std::uint32_t>(rows_);
  result.bins = static_cast<std::uint32_t>(
      std::clamp(std::ceil(result.time / width_), 1.0, static_cast<double>(PathCell::kBins)));
  for (std::size_t row = 0; row <= rows_; ++row)
    result.first_ranks.push_back(static_cast<std::int32_t>((row * ranks_ + rows_ - 1) / rows_));
  return result;
}

}  // namespace reprise::sim
