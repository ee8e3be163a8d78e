// SPDX-License-Identifier: MIT
// What messages' times consist of, by what is known of their routes, and how they share links.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/engine/critical_path/critical_path.hpp"
#include "sim/time_grid.hpp"

namespace reprise::sim {
namespace {

// Times that the same sums, made in another order, may differ by.
bool is_about(double a, double b) { return std::abs(a - b) <= 1e-12 + 1e-9 * std::abs(b); }

}  // namespace

std::uint16_t CriticalPath::kind_of(Ends ends) {
  return static_cast<std::uint16_t>(
      partners_->find(ends.from, ends.to, [&](KnownRoute& fresh) { fresh.kind = learn(ends); })
          .kind);
}

std::uint16_t CriticalPath::learn(Ends ends) {
  platforms::Route route;
  routes_->find_route(ends.from, ends.to, route);
  RouteKind kind;
  kind.varies = conditions_->vary(route.links);
  const bool is_changed = !conditions_->empty() && !kind.varies;
  const auto bandwidth = [&](platforms::LinkIndex link) {
    const double whole = routes_->link(link).bandwidth.value;
    return is_changed ? whole * conditions_->bandwidth_at(link, 0) : whole;
  };
  double whole = std::numeric_limits<double>::infinity(), narrowest = whole;
  for (const auto link : route.links) {
    whole = std::min(whole, routes_->link(link).bandwidth.value);
    narrowest = std::min(narrowest, bandwidth(link));
  }
  const bool has_window = route.bandwidth.value < whole;
  kind.is_windowed = has_window && route.bandwidth.value < narrowest;
  kind.bandwidth = has_window ? std::min(route.bandwidth.value, narrowest) : narrowest;
  kind.latency = is_changed ? conditions_->latency(route.links, 0) : route.latency.value;
  kind.is_inside = &platform_.mpi_between_ends(ends.from, ends.to) == &platform_.intra_node_mpi;
  for (const auto link : route.links) {
    const auto link_class = static_cast<std::uint16_t>(routes_->link_class_index(link));
    if (bandwidth(link) <= kind.bandwidth) kind.narrowest = place_of(link);
    const double latency =
        routes_->link(link).latency.value * (is_changed ? conditions_->latency_at(link, 0) : 1);
    if (latency <= 0 && kind.latency > 0) continue;
    const auto known = std::find_if(kind.latencies.begin(), kind.latencies.end(),
                                    [&](const auto& one) { return one.first == link_class; });
    if (known == kind.latencies.end())
      kind.latencies.emplace_back(link_class, latency);
    else
      known->second += latency;
  }
  weigh(route, kind.is_inside);
  for (const auto& [link_class, seconds] : kind.latencies)
    if (kind.latency > 0 && class_is_inside_[link_class]) kind.inside += seconds / kind.latency;
  const auto same = std::find(kinds_.begin(), kinds_.end(), kind);
  if (same != kinds_.end()) return static_cast<std::uint16_t>(same - kinds_.begin());
  kinds_.push_back(std::move(kind));
  return static_cast<std::uint16_t>(kinds_.size() - 1);
}

// Where time on it is put down: by its class, or by itself where its bandwidth is its own.
std::uint16_t CriticalPath::place_of(platforms::LinkIndex link) {
  const std::uint32_t link_class = routes_->link_class_index(link);
  constexpr std::size_t kMostOwn = 4096;  // the rest by their class
  if (stand_out_.empty() || !stand_out_[link]) return static_cast<std::uint16_t>(link_class);
  const auto known = std::find(own_links_.begin(), own_links_.end(), link);
  const auto at = static_cast<std::size_t>(known - own_links_.begin());
  if (known == own_links_.end()) {
    if (own_links_.size() == kMostOwn) return static_cast<std::uint16_t>(link_class);
    own_links_.push_back(link);
  }
  return static_cast<std::uint16_t>(routes_->link_classes().size() + at);
}

std::optional<platforms::LinkIndex> CriticalPath::link_at(std::uint16_t where) const {
  const std::size_t classes = routes_->link_classes().size();
  if (where < classes) return std::nullopt;
  return own_links_[where - classes];
}

std::uint32_t CriticalPath::link_class_at(std::uint16_t where) const {
  const auto link = link_at(where);
  return link ? routes_->link_class_index(*link) : where;
}

// Messages that share links by their routes' latency: a factor on all latencies leaves the shares as they are, unless weight_s is in the
// weights, and the weights are not all the same.
void CriticalPath::weigh(const platforms::Route& route, bool is_inside) {
  const platforms::LatencyWeights* const weights = platform_.latency_weights();
  if (weights == nullptr || weights->weight_s.value == 0) return;
  double inverse_bandwidths = 0;
  for (const auto link : route.links) inverse_bandwidths += 1 / routes_->link(link).bandwidth.value;
  const double penalty =
      route.latency.value + static_cast<double>(weights->weight_s.value) * inverse_bandwidths;
  double& first = first_penalty_[is_inside ? 1 : 0];
  if (first == 0) first = penalty;
  shares_move_ = shares_move_ || !is_about(first, penalty);
}

void CriticalPath::delay(Name name, double to, Ends ends, PathPart part) {
  Holder& holder = at(name);
  if (holder.place == PathTree::kNowhere) return;
  spend(holder, part, kind_of(ends), to - holder.time);
  holder.time = to;
}

double CriticalPath::latency_of(const RouteKind& kind, Ends ends, double at, Bytes bytes) {
  double latency = kind.latency;
  if (kind.varies) {
    routes_->find_route(ends.from, ends.to, route_);
    latency = conditions_->latency(route_.links, at);
  }
  return on_grid(latency * mpi(kind).head_latency_factor(bytes));
}

CriticalPath::Alone CriticalPath::body_alone(const RouteKind& kind, Ends ends, double from,
                                             Bytes bytes) {
  const auto passage =
      mpi(kind).passage(bytes, Seconds{kind.latency}, BytesPerSecond{kind.bandwidth});
  const double wire = passage.wire_bytes;
  if (!kind.varies)
    return {on_grid(wire / std::min(kind.bandwidth, passage.own_rate)), kind.narrowest, false};
  routes_->find_route(ends.from, ends.to, route_);
  const double most =
      kind.is_windowed ? std::min(kind.bandwidth, passage.own_rate) : passage.own_rate;
  // The narrowest is the link that would be last if each had the message for itself.
  Alone alone{0, kind.narrowest, false};
  double last = 0, narrowest = most;
  for (const auto& link : route_.links) {
    const double end = conditions_->end({&link, 1}, from, wire, most);
    if (end >= last) alone.narrowest = place_of(link);
    last = std::max(last, end);
    narrowest = std::min(
        narrowest, routes_->link(link).bandwidth.value * conditions_->bandwidth_at(link, from));
  }
  alone.seconds = on_grid(conditions_->end(route_.links, from, wire, most) - from);
  alone.meets_turn = !is_about(alone.seconds, on_grid(wire / narrowest));
  return alone;
}

void CriticalPath::head(Name name, double to, Ends ends, Bytes bytes) {
  Holder& holder = at(name);
  if (holder.place == PathTree::kNowhere) return;
  const std::uint16_t number = kind_of(ends);
  const RouteKind& kind = kinds_[number];
  const double seconds = to - holder.time;
  const double unhindered = heads_wait_ ? latency_of(kind, ends, holder.time, bytes) : seconds;
  const bool has_waited = seconds > unhindered && !is_about(seconds, unhindered);
  spend(holder, PathPart::latency, number, has_waited ? unhindered : seconds);
  if (has_waited) {
    holder.slopes.blur += spend_body(holder, {0, kind.narrowest, false}, to, name);
    holder.slopes.flaws |= SlopeFlaw::kUnsolved;
  }
  holder.time = to;
}

void CriticalPath::body(Name name, double to, Ends ends, Bytes bytes) {
  Holder& holder = at(name);
  const bool is_ending = name.of == Of::message && std::exchange(ending_, kNoMessage) == name.index;
  if (holder.place == PathTree::kNowhere) return;
  const double from = holder.time;
  const RouteKind& kind = kinds_[kind_of(ends)];
  const Alone alone = body_alone(kind, ends, from, bytes);
  const double shared = spend_body(holder, alone, to, name);
  const bool is_followed =
      is_observing_ && name.of == Of::message && from > crowded_until_ && !shares_move_;
  const double unsolved = kind.is_windowed   ? to - from
                          : is_followed      ? 0
                          : alone.meets_turn ? to - from
                                             : shared;
  if (name.of == Of::message) held_back_.forget(name.index);
  if (unsolved > 0) {
    holder.slopes.flaws |= SlopeFlaw::kUnsolved;
    holder.slopes.blur += unsolved;
  }
  if (!is_ending) return;
  flows_.finish(name.index, holder.slopes);
  flows_.note_cause(to, ending_links_, &holder.slopes);
}

// Returns the seconds of sharing.
double CriticalPath::spend_body(Holder& holder, const Alone& alone, double to, Name name) {
  const double seconds = to - holder.time;
  const bool has_shared = seconds > alone.seconds && !is_about(seconds, alone.seconds);
  spend(holder, PathPart::transfer, alone.narrowest, has_shared ? alone.seconds : seconds);
  const double shared = has_shared ? to - holder.time : 0;
  if (has_shared) spend_sharing(holder, alone.narrowest, shared, name);
  holder.time = to;
  return shared;
}

// On the links that held the message back, each for its part; where the network does not tell, on the narrowest.
void CriticalPath::spend_sharing(Holder& holder, std::uint16_t narrowest, double seconds,
                                 Name name) {
  const auto parts =
      name.of == Of::message ? held_back_.parts(name.index) : std::span<const HeldBack::Part>();
  double all = 0;
  for (const auto& part : parts) all += part.seconds;
  if (all <= 0) return spend(holder, PathPart::sharing, narrowest, seconds);
  for (const auto& part : parts)
    spend(holder, PathPart::sharing, place_of(part.link), seconds * part.seconds / all);
  held_back_.forget(name.index);
}

void CriticalPath::travel(Name name, double to, Ends ends, Bytes bytes) {
  Holder& holder = at(name);
  if (holder.place == PathTree::kNowhere) return;
  const double latency = latency_of(kinds_[kind_of(ends)], ends, holder.time, bytes);
  delay(name, std::min(to, holder.time + latency), ends);
  body(name, to, ends, bytes);
}

// The message whose flow it is, as it is now; null where its slopes are not known.
const CriticalPath::Holder* CriticalPath::sharing_message(std::uint64_t flow, double now) {
  if (flow >> 32 != 0) return nullptr;
  const Holder& holder = at({Of::message, static_cast<std::uint32_t>(flow)});
  return holder.place == PathTree::kNowhere || holder.time != now ? nullptr : &holder;
}

void CriticalPath::on_flow_begin(std::uint64_t flow, double now, Links links) {
  if (flow >> 32 == 0) held_back_.begin(static_cast<std::uint32_t>(flow), now);
  const Holder* const begun = sharing_message(flow, now);
  flows_.note_cause(now, links, begun == nullptr ? nullptr : &begun->slopes);
}

// Its slopes come with its tail.
void CriticalPath::on_flow_end(std::uint64_t flow, double now, Links links, Link held_by) {
  if (flow >> 32 != 0) return flows_.note_cause(now, links, nullptr);
  ending_ = static_cast<std::uint32_t>(flow);
  held_back_.end(ending_, now, held_by, now <= crowded_until_);
  ending_links_.assign(links.begin(), links.end());
}

void CriticalPath::follow_flow(std::uint32_t message, Links links) {
  const Holder& holder = at({Of::message, message});
  const platforms::LinkIndex first = links.empty() ? 0 : links.front();
  // What a rank takes in has a link of its own, beyond the machine's.
  const bool is_inside =
      first >= routes_->link_count() || class_is_inside_[routes_->link_class_index(first)];
  flows_.follow(message, holder.time, holder.slopes,
                is_inside ? Parameter::inside_bandwidth : Parameter::bandwidth);
}

// Alone it would have the narrowest of its links.
void CriticalPath::note_holder(std::uint32_t message, double now, double rate, Links links,
                               Link held_by) {
  double alone = 0;
  for (const auto link : links)
    if (link < routes_->link_count()) {
      const double whole =
          routes_->link(link).bandwidth.value * conditions_->bandwidth_at(link, now);
      alone = alone == 0 ? whole : std::min(alone, whole);
    }
  held_back_.rate(message, now, rate < alone ? 1 - rate / alone : 0, held_by);
}

void CriticalPath::on_wait(std::uint64_t flow, Link link, double seconds) {
  if (flow >> 32 == 0) held_back_.wait(static_cast<std::uint32_t>(flow), link, seconds);
}

void CriticalPath::on_rate(std::uint64_t flow, double now, double before, double after, double left,
                           Links links, Link held_by) {
  if (flow >> 32 != 0) return;
  const auto message = static_cast<std::uint32_t>(flow);
  note_holder(message, now, after, links, held_by);
  if (before == 0) return flows_.settle();
  if (!flows_.is_followed(message)) follow_flow(message, links);
  flows_.change(message, now, before, after, left, links);
}

void CriticalPath::on_crowd(double now, bool is_over) {
  crowded_until_ = is_over ? now : std::numeric_limits<double>::infinity();
}

}  // namespace reprise::sim
