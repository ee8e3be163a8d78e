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
  kind.is_windowed = true;
  kind.latency = route.latency.value;
  kind.bandwidth = route.bandwidth.value;
  kind.is_inside = &platform_.mpi_between_ends(ends.from, ends.to) == &platform_.intra_node_mpi;
  for (const auto link : route.links) {
    const auto link_class = static_cast<std::uint16_t>(routes_->link_class_index(link));
    if (routes_->link(link).bandwidth.value <= kind.bandwidth) {
      kind.narrowest = link_class;
      kind.is_windowed = false;
    }
    if (routes_->link(link).latency.value <= 0 && kind.latency > 0) continue;
    const auto known = std::find_if(kind.latencies.begin(), kind.latencies.end(),
                                    [&](const auto& one) { return one.first == link_class; });
    if (known == kind.latencies.end())
      kind.latencies.emplace_back(link_class, routes_->link(link).latency.value);
    else
      known->second += routes_->link(link).latency.value;
  }
  weigh(route, kind.is_inside);
  for (const auto& [link_class, seconds] : kind.latencies)
    if (kind.latency > 0 && class_is_inside_[link_class]) kind.inside += seconds / kind.latency;
  for (std::size_t i = 0; i < kinds_.size(); ++i)
    if (kinds_[i].narrowest == kind.narrowest && kinds_[i].latency == kind.latency &&
        kinds_[i].bandwidth == kind.bandwidth && kinds_[i].latencies == kind.latencies &&
        kinds_[i].is_inside == kind.is_inside && kinds_[i].is_windowed == kind.is_windowed)
      return static_cast<std::uint16_t>(i);
  kinds_.push_back(std::move(kind));
  return static_cast<std::uint16_t>(kinds_.size() - 1);
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
  if (has_waited) {
    holder.slopes.blur += spend_body(holder, kind, to, Bytes{0});
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
  const double shared = spend_body(holder, kind, to, bytes);
  const bool is_followed =
      is_observing_ && name.of == Of::message && from > crowded_until_ && !shares_move_;
  const double unsolved = kind.is_windowed ? to - from : is_followed ? 0 : shared;
  if (unsolved > 0) {
    holder.slopes.flaws |= SlopeFlaw::kUnsolved;
    holder.slopes.blur += unsolved;
  }
  if (!is_ending) return;
  flows_.finish(name.index, holder.slopes);
  flows_.note_cause(to, ending_links_, &holder.slopes);
}

// Returns the seconds of sharing.
double CriticalPath::spend_body(Holder& holder, const RouteKind& kind, double to, Bytes bytes) {
  const double seconds = to - holder.time;
  const double alone = on_grid(static_cast<double>(bytes.value) /
                               (kind.bandwidth * mpi(kind).bandwidth_factor(bytes)));
  const bool has_shared = seconds > alone && !is_about(seconds, alone);
  spend(holder, PathPart::transfer, kind.narrowest, has_shared ? alone : seconds);
  const double shared = has_shared ? to - holder.time : 0;
  if (has_shared) spend(holder, PathPart::sharing, kind.narrowest, shared);
  holder.time = to;
  return shared;
}

void CriticalPath::travel(Name name, double to, Ends ends, Bytes bytes) {
  Holder& holder = at(name);
  if (holder.place == PathTree::kNowhere) return;
  const RouteKind& kind = kinds_[kind_of(ends)];
  const double latency = on_grid(kind.latency * mpi(kind).latency_factor(bytes));
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
  const Holder* const begun = sharing_message(flow, now);
  flows_.note_cause(now, links, begun == nullptr ? nullptr : &begun->slopes);
}

// Its slopes come with its tail.
void CriticalPath::on_flow_end(std::uint64_t flow, double now, Links links) {
  if (flow >> 32 != 0) return flows_.note_cause(now, links, nullptr);
  ending_ = static_cast<std::uint32_t>(flow);
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

void CriticalPath::on_rate(std::uint64_t flow, double now, double before, double after, double left,
                           Links links) {
  if (flow >> 32 != 0) return;
  if (before == 0) return flows_.settle();
  const auto message = static_cast<std::uint32_t>(flow);
  if (!flows_.is_followed(message)) follow_flow(message, links);
  flows_.change(message, now, before, after, left, links);
}

void CriticalPath::on_crowd(double now, bool is_over) {
  crowded_until_ = is_over ? now : std::numeric_limits<double>::infinity();
}

}  // namespace reprise::sim
