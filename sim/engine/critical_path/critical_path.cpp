// SPDX-License-Identifier: MIT
#include "sim/engine/critical_path/critical_path.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::sim {

void CriticalPath::begin(const platforms::Platform& platform,
                         const std::vector<std::int32_t>& ranks, Network& network,
                         std::span<const LinkChange> changes) {
  platform_ = platform;
  conditions_.reset();
  routes_ = platforms::make_route_table(platform_);
  conditions_ = std::make_unique<LinkConditions>(*routes_, changes);
  stand_out_ = conditions_->stand_out();
  own_links_.clear();
  find_classes_inside();
  is_observing_ = network.observe(*this);
  crowded_until_ = -1;
  flows_.clear();
  held_back_.clear();
  ending_ = kNoMessage;
  partners_ = std::make_unique<PartnerTable<KnownRoute>>(routes_->end_count());
  kinds_.clear();
  first_penalty_ = {};
  shares_move_ = false;
  heads_wait_ = network.heads_wait();
  tree_ = {};
  rank_of_ = ranks;
  ranks_ = 0;
  for (const std::int32_t rank : ranks)
    ranks_ = std::max(ranks_, static_cast<std::size_t>(rank) + 1);
  rows_ = std::min<std::size_t>(ranks_, PathCell::kRows);
  actors_.assign(ranks.size(), {});
  for (std::size_t actor = 0; actor < ranks.size(); ++actor) {
    actors_[actor].place = kept_.anything() ? tree_.begin() : kKnown;
    actors_[actor].rank = ranks[actor];
    actors_[actor].row =
        static_cast<std::uint16_t>(static_cast<std::size_t>(ranks[actor]) * rows_ / ranks_);
  }
  for (auto& holders : others_) holders.clear();
  width_ = 0x1p-30;
  bins_a_second_ = 0x1p30;
  jumped_.clear();
  jumped_slopes_ = {};
  spent_ = {};
  passed_.clear();
}

void CriticalPath::find_classes_inside() {
  class_is_inside_.clear();
  const auto links = platforms::node_links(platform_);
  for (const auto& link_class : routes_->link_classes())
    class_is_inside_.push_back(
        std::any_of(links.begin(), links.end(),
                    [&](const platforms::Cable& cable) { return cable.name == link_class.cable; }));
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
  // A message is of the rank that it comes from; a collective under way is its member's.
  if (to.of == Of::actor || (to.of == Of::run && old != PathTree::kNowhere)) {
    const trace_io::SiteId site = holder.site;
    const std::uint16_t row = holder.row;
    const std::int32_t rank = holder.rank;
    const double shift = holder.shift;
    holder = source;
    holder.site = site;
    holder.row = row;
    holder.rank = rank;
    holder.shift = shift;
  } else {
    holder = source;
  }
  if (!kept_.anything()) return;
  tree_.hold(holder.place);
  if (old != PathTree::kNowhere) tree_.release(old);
}

// Two predecessors at one moment: the slopes to both sides are theirs.
void CriticalPath::halve(Slopes& slopes, const Slopes& other, double time) {
  const double apart = slopes.distance(other);
  slopes.flaws |= other.flaws;
  slopes.blur = std::max(slopes.blur, other.blur);
  if (is_about_same(apart, time)) return;
  for (std::size_t i = 0; i < kParameters; ++i) slopes.of[i] = (slopes.of[i] + other.of[i]) / 2;
  slopes.blur += apart / 2;
  slopes.flaws |= SlopeFlaw::kTied;
}

void CriticalPath::await(Name to, double clock, Name from, double done) {
  if (at(from).place == PathTree::kNowhere) return;
  if (done == clock && at(from).time == done && at(to).place != PathTree::kNowhere)
    halve(at(to).slopes, at(from).slopes, done);
  if (done > clock) take_over(to, from);
}

void CriticalPath::drop(Name name) {
  Holder& holder = at(name);
  if (holder.place == PathTree::kNowhere) return;
  if (kept_.anything()) tree_.release(holder.place);
  holder.place = PathTree::kNowhere;
}

void CriticalPath::spend(Holder& holder, PathPart part, std::uint16_t where, double seconds) {
  if (seconds == 0) return;
  if (kept_.anything()) keep(holder, part, where, seconds);
  holder.time += seconds;
  add_slope(holder.slopes, part, where, seconds);
  if (part == PathPart::core || part == PathPart::memory || part == PathPart::storage ||
      part == PathPart::other)
    add_flaw(holder, part, seconds);
}

// What others' turns decide.
void CriticalPath::add_flaw(Holder& holder, PathPart part, double seconds) {
  if (part == PathPart::other && is_about_same(seconds, holder.time)) return;  // rounding
  holder.slopes.blur += seconds;
  holder.slopes.flaws |= part == PathPart::core      ? SlopeFlaw::kCores
                         : part == PathPart::memory  ? SlopeFlaw::kMemory
                         : part == PathPart::storage ? SlopeFlaw::kStorage
                                                     : SlopeFlaw::kUnexplained;
}

void CriticalPath::keep(Holder& holder, PathPart part, std::uint16_t where, double seconds) {
  const bool is_computing = part == PathPart::compute || part == PathPart::noise ||
                            part == PathPart::core || part == PathPart::memory;
  const double from = holder.time + holder.shift;
  while (kept_.parts && from + seconds > width_ * PathCell::kBins) widen();
  holder.place = tree_.extend(holder.place);
  PathVector& stretch = tree_.stretch(holder.place);
  if (kept_.delays && (is_computing || part == PathPart::recorded)) {
    const PathDelay by{holder.rank, holder.site};
    stretch.add(by.packed(), seconds);
    if (part == PathPart::compute || part == PathPart::recorded) stretch.add(by.packed_count(), 1);
  }
  if (!kept_.parts) return;
  stretch.add(PathKey{part, where, holder.site}.packed(), seconds);
  fill(stretch, holder.row, is_computing, from, seconds);
  if ((from <= steps_to_ || holder.travels) && from + seconds >= steps_from_) [[unlikely]] {
    tree_.add_step(holder.place, {holder.rank, part, holder.site, from, from + seconds});
    holder.travels = is_travel(part);
  }
}

void CriticalPath::add_slope(Slopes& slopes, PathPart part, std::uint16_t where, double seconds) {
  const bool is_inside = part == PathPart::transfer || part == PathPart::sharing
                             ? class_is_inside_[link_class_at(where)]
                             : where == 1;
  const auto of = [&](Parameter between, Parameter inside) {
    const auto index = static_cast<std::size_t>(is_inside ? inside : between);
    slopes.of[index] += seconds;
    spent_[index] = true;
  };
  switch (part) {
    case PathPart::compute:
    case PathPart::core:  // others' computing
      return of(Parameter::compute, Parameter::compute);
    case PathPart::memory:
      return of(Parameter::memory_bandwidth, Parameter::memory_bandwidth);
    case PathPart::latency:
    case PathPart::handshake: {
      const double inside = seconds * kinds_[where].inside;
      slopes[Parameter::inside_latency] += inside;
      slopes[Parameter::latency] += seconds - inside;
      spent_[static_cast<std::size_t>(inside > 0 ? Parameter::inside_latency
                                                 : Parameter::latency)] = true;
      return;
    }
    case PathPart::transfer:
    case PathPart::sharing:
      return of(Parameter::bandwidth, Parameter::inside_bandwidth);
    case PathPart::send_overhead:
      return of(Parameter::send_overhead, Parameter::inside_send_overhead);
    case PathPart::receive_overhead:
      return of(Parameter::recv_overhead, Parameter::inside_recv_overhead);
    case PathPart::copy:
      return of(Parameter::copy_bandwidth, Parameter::inside_copy_bandwidth);
    case PathPart::combine:
      return of(Parameter::reduction, Parameter::reduction);
    default:
      return of(Parameter::rest, Parameter::rest);
  }
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

void CriticalPath::spread(PathVector& vector, std::uint32_t row, bool is_computing, double from,
                          double span, double seconds) const {
  if (seconds == 0) return;
  const auto first = static_cast<std::uint32_t>(std::max(0.0, from) * bins_a_second_);
  double left = seconds;
  for (std::uint32_t bin = first; bin + 1 < PathCell::kBins; ++bin) {
    const double end = static_cast<double>(bin + 1) * width_;
    if (end >= from + span) return vector.add(PathCell{row, bin, is_computing}.packed(), left);
    const double begin = std::max(from, static_cast<double>(bin) * width_);
    const double part = seconds * ((end - begin) / span);
    vector.add(PathCell{row, bin, is_computing}.packed(), part);
    left -= part;
  }
  vector.add(PathCell{row, PathCell::kBins - 1, is_computing}.packed(), left);
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
  if (holder.time == to || holder.place == PathTree::kNowhere) return;
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

void CriticalPath::jump(PathVector way, const Slopes& slopes, double from, double span) {
  double whole = 0;
  std::array<std::array<double, PathCell::kRows>, 2> on_path{};
  for (const auto& entry : way.sorted()) {
    if (PathCell::is_one(entry.key)) {
      const PathCell cell = PathCell::unpacked(entry.key);
      on_path[cell.is_computing ? 1 : 0][cell.row] += entry.seconds;
    } else if (!PathDelay::is_one(entry.key)) {
      whole += entry.seconds;
    }
  }
  if (const double sum = slopes.sum(); sum > 0) {
    jumped_slopes_.add(slopes, span / sum);
    jumped_slopes_.blur += slopes.blur * (span / sum);
  } else {
    jumped_slopes_[Parameter::rest] += span;
  }
  jumped_slopes_.flaws |= slopes.flaws;
  if (!kept_.parts) return;
  while (from + span > width_ * PathCell::kBins) widen();
  if (whole <= 0) return jumped_.add(PathKey{}.packed(), span);
  for (const auto& entry : way.sorted())
    if (!PathCell::is_one(entry.key) && !PathDelay::is_one(entry.key))
      jumped_.add(entry.key, span * (entry.seconds / whole));
  for (std::uint32_t row = 0; row < rows_; ++row)
    for (const bool is_computing : {false, true})
      spread(jumped_, row, is_computing, from, span,
             span * (on_path[is_computing ? 1 : 0][row] / whole));
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
    if (is_about_same(std::abs(by), steps[i].from)) continue;
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
  for (PathTree::Place place = kept_.parts ? actors_[last].place : PathTree::kNowhere;
       place != PathTree::kNowhere; place = tree_.parent(place))
    for (const auto& entry : tree_.stretch(place).entries())
      if (!PathDelay::is_one(entry.key)) all.add(entry.key, entry.seconds);
  split_latencies(all);
  result.rank = rank_of_[last];
  result.time = time(static_cast<std::uint32_t>(last));
  result.slopes = actors_[last].slopes;
  for (std::size_t actor = 0; actor < actors_.size(); ++actor)
    if (actor != last && time(static_cast<std::uint32_t>(actor)) == result.time)
      halve(result.slopes, actors_[actor].slopes, result.time);
  result.slopes.add(jumped_slopes_, 1);
  result.slopes.blur += jumped_slopes_.blur;
  result.slopes.flaws |= jumped_slopes_.flaws;
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
