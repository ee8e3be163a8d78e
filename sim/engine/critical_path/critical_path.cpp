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
  partners_ = std::make_unique<PartnerTable<KnownRoute>>(routes_->end_count());
  kinds_.clear();
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
    actors_[actor].rank = ranks[actor];
    actors_[actor].row =
        static_cast<std::uint16_t>(static_cast<std::size_t>(ranks[actor]) * rows_ / ranks_);
  }
  for (auto& holders : others_) holders.clear();
  width_ = 0x1p-30;
  bins_a_second_ = 0x1p30;
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
  // A message is of the rank that it comes from; a collective under way is its member's.
  const bool is_of_a_rank = to.of == Of::actor || (to.of == Of::run && old != PathTree::kNowhere);
  holder = source;
  tree_.hold(holder.place);
  if (is_of_a_rank) {
    holder.site = mine.site;
    holder.row = mine.row;
    holder.rank = mine.rank;
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
  if ((from <= steps_to_ || holder.travels) && from + seconds >= steps_from_) [[unlikely]] {
    tree_.add_step(holder.place, {holder.rank, part, holder.site, from, from + seconds});
    holder.travels = is_travel(part);
  }
  holder.time += seconds;
  if (part == PathPart::compute) holder.compute += seconds;
  if (part == PathPart::latency || part == PathPart::handshake) holder.latency += seconds;
  if (part == PathPart::transfer || part == PathPart::sharing) holder.transfer += seconds;
}

void CriticalPath::fill(PathVector& vector, std::uint32_t row, bool is_computing, double from,
                        double seconds) {
  auto bin = static_cast<std::uint32_t>(std::max(0.0, from) * bins_a_second_);
  for (double left = seconds; left != 0; ++bin) {
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
  bins_a_second_ /= 2;
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

std::uint16_t CriticalPath::kind_of(Ends ends) {
  return static_cast<std::uint16_t>(
      partners_->find(ends.from, ends.to, [&](KnownRoute& fresh) { fresh.kind = learn(ends); })
          .kind);
}

std::uint16_t CriticalPath::learn(Ends ends) {
  platforms::Route route;
  routes_->find_route(ends.from, ends.to, route);
  RouteKind kind;
  kind.latency = route.latency.value;
  kind.bandwidth = route.bandwidth.value;
  kind.is_inside = &platform_.mpi_between_ends(ends.from, ends.to) == &platform_.intra_node_mpi;
  for (const auto link : route.links) {
    const auto link_class = static_cast<std::uint16_t>(routes_->link_class_index(link));
    if (routes_->link(link).bandwidth.value <= kind.bandwidth) kind.narrowest = link_class;
    if (routes_->link(link).latency.value <= 0 && kind.latency > 0) continue;
    const auto known = std::find_if(kind.latencies.begin(), kind.latencies.end(),
                                    [&](const auto& one) { return one.first == link_class; });
    if (known == kind.latencies.end())
      kind.latencies.emplace_back(link_class, routes_->link(link).latency.value);
    else
      known->second += routes_->link(link).latency.value;
  }
  for (std::size_t i = 0; i < kinds_.size(); ++i)
    if (kinds_[i].latency == kind.latency && kinds_[i].bandwidth == kind.bandwidth &&
        kinds_[i].latencies == kind.latencies && kinds_[i].is_inside == kind.is_inside)
      return static_cast<std::uint16_t>(i);
  kinds_.push_back(std::move(kind));
  return static_cast<std::uint16_t>(kinds_.size() - 1);
}

void CriticalPath::delay(Name name, double to, Ends ends, PathPart part) {
  Holder& holder = at(name);
  if (holder.place == PathTree::kNowhere) return;
  spend(holder, part, kind_of(ends), to - holder.time);
  holder.time = to;
}

void CriticalPath::head(Name name, double to, Ends ends, Bytes bytes) {
  Holder& holder = at(name);
  if (holder.place == PathTree::kNowhere) return;
  const std::uint16_t number = kind_of(ends);
  const RouteKind& kind = kinds_[number];
  const double seconds = to - holder.time;
  const double alone =
      heads_wait_ ? on_grid(kind.latency * mpi(kind).latency_factor(bytes)) : seconds;
  const bool has_waited = seconds > alone && !is_about(seconds, alone);
  spend(holder, PathPart::latency, number, has_waited ? alone : seconds);
  if (has_waited) spend_body(holder, kind, to, Bytes{0});
  holder.time = to;
}

void CriticalPath::body(Name name, double to, Ends ends, Bytes bytes) {
  Holder& holder = at(name);
  if (holder.place != PathTree::kNowhere) spend_body(holder, kinds_[kind_of(ends)], to, bytes);
}

void CriticalPath::spend_body(Holder& holder, const RouteKind& kind, double to, Bytes bytes) {
  const double seconds = to - holder.time;
  const double alone = on_grid(static_cast<double>(bytes.value) /
                               (kind.bandwidth * mpi(kind).bandwidth_factor(bytes)));
  const bool has_shared = seconds > alone && !is_about(seconds, alone);
  spend(holder, PathPart::transfer, kind.narrowest, has_shared ? alone : seconds);
  if (has_shared) spend(holder, PathPart::sharing, kind.narrowest, to - holder.time);
  holder.time = to;
}

void CriticalPath::travel(Name name, double to, Ends ends, Bytes bytes) {
  Holder& holder = at(name);
  if (holder.place == PathTree::kNowhere) return;
  const RouteKind& kind = kinds_[kind_of(ends)];
  const double latency = on_grid(kind.latency * mpi(kind).latency_factor(bytes));
  delay(name, std::min(to, holder.time + latency), ends);
  body(name, to, ends, bytes);
}

// Latencies by kinds of routes become latencies by classes of links, in proportion; the last class has what rounding leaves.
void CriticalPath::split_latencies(PathVector& vector) const {
  PathVector split;
  for (const auto& entry : vector.sorted()) {
    PathKey key = PathKey::unpacked(entry.key);
    const bool is_latency = !PathCell::is_one(entry.key) &&
                            (key.part == PathPart::latency || key.part == PathPart::handshake);
    if (!is_latency) {
      split.add(entry.key, entry.seconds);
      continue;
    }
    const RouteKind& kind = kinds_[key.where];
    double left = entry.seconds;
    for (std::size_t i = 0; i < kind.latencies.size(); ++i) {
      const bool is_last = i + 1 == kind.latencies.size();
      const double share =
          kind.latency > 0 ? entry.seconds * (kind.latencies[i].second / kind.latency) : 0;
      key.where = kind.latencies[i].first;
      const double part = is_last ? left : std::min(left, share);
      if (part != 0) split.add(key.packed(), part);
      left -= part;
    }
  }
  vector = std::move(split);
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

std::size_t CriticalPath::last_actor() const {
  std::size_t last = 0;
  for (std::size_t actor = 1; actor < actors_.size(); ++actor)
    if (time(static_cast<std::uint32_t>(actor)) > time(static_cast<std::uint32_t>(last)))
      last = actor;
  return last;
}

std::vector<PathStep> CriticalPath::steps() const {
  std::vector<std::vector<PathStep>> stretches;  // the last first
  if (!actors_.empty())
    for (PathTree::Place place = actors_[last_actor()].place; place != PathTree::kNowhere;
         place = tree_.parent(place))
      stretches.push_back(tree_.steps(place));
  std::vector<PathStep> steps;
  for (std::size_t i = stretches.size(); i-- > 0;)
    steps.insert(steps.end(), stretches[i].begin(), stretches[i].end());
  // Ranks jump one after the other: what one did before its jump, while others were behind theirs, is moved by as much.
  for (std::size_t i = steps.size(); i-- > 1;) {
    const double by = steps[i].from - steps[i - 1].to;
    if (is_about(steps[i].from, steps[i - 1].to)) continue;
    steps[i - 1].from += by;
    steps[i - 1].to += by;
  }
  return steps;
}

CriticalPath::Result CriticalPath::result() const {
  Result result;
  if (actors_.empty()) return result;  // a trace without calls
  const std::size_t last = last_actor();
  PathVector all = jumped_;
  for (PathTree::Place place = actors_[last].place; place != PathTree::kNowhere;
       place = tree_.parent(place))
    all.add(tree_.stretch(place));
  split_latencies(all);
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
