// SPDX-License-Identifier: MIT
// Messages as flows that share links max-min fairly.
//
// Model   SimGrid's CM02 with latency waited out first: a flow's rate is its max-min fair share of the links it crosses, at most the narrowest
//         of them; shares do not depend on distance. simgrid_network.cpp, the same model solved by SimGrid, gives the same times to 1e-9.
// How     max_min_shares.hpp: a start or an end moves few rates, all of one instant at once. A flow's one end moves in its heap with its rate.
// Weights   where the platform says so, messages share links by the inverse of their routes' latency (message_weights.hpp), as it is while they flow.
// Crowds  where every start and end moves the rates of very many flows, as in an all-to-all that everyone sends at once, all flows are
//         solved within a tolerance (crowd.hpp), until few of them are left. 0: never.
// Analytic   messages of fewer bytes than a threshold may be timed as if they were alone, and take nothing from others (docs/MODEL.md). 0: none.
// Why not SimGrid   its solver visits every flow connected to a change: 4 to 35 µs a message, below 1 here (docs/RESULTS.md); and it simulates once per process.
#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "sim/network/crowd.hpp"
#include "sim/network/event_lanes.hpp"
#include "sim/network/link_conditions.hpp"
#include "sim/network/max_min_shares.hpp"
#include "sim/network/message_weights.hpp"
#include "sim/network/network_model.hpp"
#include "sim/network/pool.hpp"
#include "sim/network/route_cache.hpp"
#include "sim/network/short_lists.hpp"
#include "sim/network/transfer_routes.hpp"
#include "sim/time_grid.hpp"

namespace reprise::sim {
namespace {

// Events this close, relative to the clock, happen at one instant: it is a few roundings of a sum of times.
constexpr double kInstant = 1e-15;
constexpr auto kOwnBound = MaxMinShares::kOwnBound;
constexpr double kNever = std::numeric_limits<double>::infinity();

class FlowNetwork final : public Network {
  using Link = platforms::LinkIndex;

 public:
  FlowNetwork(const platforms::Platform& platform, const NetworkSettings& settings)
      : platform_(platform),
        analytic_below_(settings.analytic_below),
        routes_(platforms::make_route_table(platform_)),
        conditions_(*routes_, settings.links),
        weights_(platform_, *routes_, conditions_),
        shares_(routes_->link_count()),
        crowd_(settings.flow_tolerance, [this](Link link) { return shares_.capacity(link); }),
        cache_(*routes_),
        ways_(cache_, conditions_) {
    for (Link link = 0; link < routes_->link_count(); ++link)
      shares_.set_capacity(link, bandwidth(link, 0));
    if (!weights_.are_equal()) conditions_.turn_with_latency();
  }

  void start_transfer(const Transfer& transfer) override {
    const std::uint32_t index = flows_.take();
    Flow& flow = flows_[index];
    flow.id = transfer.id;
    ways_.begin(index, transfer);
    const RouteCache::Route route = cache_.find(transfer.from, transfer.to);
    const auto& mpi = platform_.mpi_between_ends(transfer.from, transfer.to);
    const auto passage = mpi.passage(transfer.bytes, route.latency, route.bandwidth);
    flow.left = passage.wire_bytes;
    flow.own_rate = passage.own_rate;
    flow.is_analytic = transfer.bytes < analytic_below_;
    flow.bound = std::min(flow.own_rate, flow.is_analytic ? route.bandwidth.value : kNever);
    links_.clear(index);
    for (const auto link : flow.is_analytic ? std::span<const Link>() : route.links) {
      const auto& what = routes_->link(link);
      if (what.is_contended)
        links_.add(index, link);
      else if (link == routes_->receiver_bound() && transfer.receiver != kNobody)
        links_.add(index, receiver_link(transfer, what));
      else
        flow.bound = std::min(flow.bound, what.bandwidth.value);
    }
    const double latency = conditions_.empty()
                               ? route.latency.value
                               : conditions_.latency(route.links, transfer.start.value);
    if (!weights_.are_equal()) {
      flow.weight = weights_.weight(route.links, latency, transfer.start.value);
      if (weights_.have_window()) flow.bound = std::min(flow.bound, route.bandwidth.value);
    }
    const double head = transfer.start.value + on_grid(latency * passage.latency_factor);
    if (transfer.head == Head::kTravels)
      events_.push(transfer.from, std::max(head, now_), kHead, index);
    else
      push(transfer.start.value, kBody, index);
  }

  void start_delay(Seconds end, EventId id) override { push(end.value, kDelay, id); }
  Seconds latency(platforms::NodeIndex from, platforms::NodeIndex to, Seconds at) override {
    const RouteCache::Route route = cache_.find(from, to);
    if (conditions_.empty()) return Seconds{on_grid(route.latency.value)};
    const double latency = on_grid(conditions_.latency(route.links, at.value));
    conditions_.note(route.links, at.value, at.value + latency);
    return Seconds{latency};
  }
  void expect(platforms::NodeIndex from, platforms::NodeIndex to) const override {
    cache_.prepare(from, to);
  }
  void expect(platforms::NodeIndex from) const override { cache_.prepare(from); }
  std::vector<std::string> cables_used() const override { return cache_.used().names(); }
  platforms::InterfacesMet interfaces_used() const override { return cache_.used().interfaces(); }
  std::uint64_t crowds() const override { return crowd_.met(); }
  bool observe(FlowObserver& observer) override {
    observer_ = &observer;
    return true;
  }
  std::vector<std::size_t> unmet_changes() const override { return conditions_.unmet(); }
  Seconds now() const override { return Seconds{now_}; }
  void run(NetworkListener& listener) override {
    listener_ = &listener;
    for (;;) {
      const double next = next_time();
      if (next == kNever) return;
      if (next >= conditions_.next_turn()) {
        turn();
        continue;
      }
      now_ = std::max(now_, next);
      const double instant = now_ * (1 + kInstant);
      while (happen_until(instant)) {
      }
      if (!stopped_) settle();
    }
  }

  void stop() override {
    stopped_ = true;
    events_.clear();
    ends_.clear();
    if (crowd_) crowd_.forget();
  }

 private:
  // Kinds of events: with the caller's number; with the flow's (alone: the end of an analytic one).
  static constexpr std::uint8_t kDelay = 0, kHead = 1, kBody = 2, kAlone = 3, kEnd = 4;
  struct alignas(kCacheLine) Flow {  // one cache line
    EventId id = 0;                  // of the transfer
    double left = 0;                 // bytes, at `since`
    double since = 0, rate = 0, bound = 0, own_rate = 0, weight = 1;
    bool is_analytic = false;  // has its bound for itself and takes nothing from others
    bool is_flowing = false;   // between its beginning and its end
  };

  // Each rank's own, behind the links of the machine.
  Link receiver_link(const Transfer& transfer, const platforms::LinkClass& bound) {
    const auto link = routes_->link_count() + static_cast<Link>(transfer.receiver);
    shares_.set_capacity(link, bound.bandwidth.value);
    return link;
  }

  void push(double time, std::uint8_t kind, std::uint64_t id) {
    events_.push(std::max(time, now_), kind, id);
  }

  double next_time() const {
    double next = events_.empty() ? kNever : events_.top().time();
    if (!ends_.empty()) next = std::min(next, ends_.top().time());
    return std::min(next, crowd_.next());
  }

  // The next event, unless it is later. Returns whether there was one.
  bool happen_until(double instant) {
    if (crowd_ && crowd_->next_end() <= instant) {
      now_ = std::max(now_, crowd_->next_end());
      const auto index = crowd_->take(now_, [this](auto n, auto flow) { soon_over(n, flow); });
      finish(index, crowd_->taken_from());
      return true;
    }
    const bool is_end =
        !ends_.empty() && (events_.empty() || ends_.top().key() < events_.top().key());
    if (!is_end && events_.empty()) return false;
    const TimedEvent event = is_end ? ends_.top() : events_.top();
    if (event.time() > instant) return false;
    now_ = std::max(now_, event.time());
    is_end ? pop(ends_) : pop(events_);
    happen(event);
    return true;
  }

  template <class Heap>
  void pop(Heap& heap) {
    if (heap.size() < least_crowd_) return heap.pop();
    heap.pop([this](unsigned steps, const TimedEvent& risen) { forecast(steps, risen); });
  }

  void happen(const TimedEvent& event) {
    if (event.kind() == kDelay) return listener_->on_delay_end(event.id);
    const auto index = static_cast<std::uint32_t>(event.id);
    switch (event.kind()) {
      case kHead:
        listener_->on_head(flows_[index].id);
        if (!stopped_) begin(index);
        return;
      case kBody:
        return begin(index);
      case kAlone:
        return finish(index);
      default:
        shares_.leave(index);
        return finish(index, shares_.bottleneck(index));
    }
  }

  void forecast(unsigned steps, const TimedEvent& event) {
    if (event.kind() == kDelay) return;
    const auto index = static_cast<std::uint32_t>(event.id);
    if (steps > 4) return fetch(flows_[index]);
    if (steps == 4) links_.prepare(index);
    crowd_ ? crowd_->prepare(index, links_[index], steps)
           : shares_.prepare(index, links_[index], steps);
    listener_->prepare(flows_[index].id, steps);
  }

  // A flow of the crowd will soon end.
  void soon_over(unsigned steps, std::uint32_t index) const {
    steps == 2 ? fetch(flows_[index]) : listener_->prepare(flows_[index].id, 3 + steps);
  }

  void begin(std::uint32_t index) {
    Flow& flow = flows_[index];
    if (flow.left <= 0) return finish(index);
    if (flow.is_analytic) return push(now_ + on_grid(time_alone(index)), kAlone, index);
    flow.since = now_;
    flow.rate = 0;
    flow.is_flowing = true;
    if (observer_ != nullptr) [[unlikely]]
      observer_->on_flow_begin(flow.id, now_, links_[index]);
    if (!conditions_.empty()) set_limits(index);
    if (crowd_)
      crowd_->enter(index, links_[index], flow.bound, flow.left, now_, flow.weight);
    else
      shares_.enter(index, links_[index], flow.bound, flow.weight);
  }

  void settle() {
    if (crowd_) {
      crowd_->settle(now_);
      return crowd_.is_few() ? disperse() : void();
    }
    shares_.settle([this](std::uint32_t index, double rate) {
      Flow& flow = flows_[index];
      served(flow);
      if (observer_ != nullptr) [[unlikely]]
        observer_->on_rate(flow.id, now_, flow.rate, rate, flow.left, links_[index],
                           link_of_machine(*routes_, shares_.bottleneck(index), kOwnBound));
      flow.rate = rate;
      const auto end = events_.made_now(now_ + on_grid(flow.left / rate), kEnd, index);
      ends_.set_among(shares_.solved(), end);
    });
    ends_.order();
    if (crowd_.may_be() && shares_.are_crowd()) gather();
  }

  void served(Flow& flow) const {
    flow.left = std::max(0.0, flow.left - flow.rate * (now_ - flow.since));
    flow.since = now_;
  }

  // From here on all flows are solved together, within the tolerance.
  void gather() {
    if (observer_ != nullptr) observer_->on_crowd(now_, false);
    ends_.clear();
    shares_.clear();
    crowd_.begin(now_, [this] {
      for (std::uint32_t index = 0; index < flows_.size(); ++index) {
        Flow& flow = flows_[index];
        if (!flow.is_flowing) continue;
        served(flow);
        flow.rate = 0;
        crowd_->enter(index, links_[index], flow.bound, flow.left, now_, flow.weight);
      }
    });
  }

  void take_lefts() {
    crowd_.end(now_, [this](std::uint32_t index, double left) {
      flows_[index].left = left;
      flows_[index].since = now_;
    });
    if (observer_ != nullptr) observer_->on_crowd(now_, true);
  }

  void disperse() {
    take_lefts();
    for (std::uint32_t index = 0; index < flows_.size(); ++index)
      if (const Flow& flow = flows_[index]; flow.is_flowing)
        shares_.enter(index, links_[index], flow.bound, flow.weight);
    settle();
  }

  double bandwidth(Link link, double time) const {
    return routes_->link(link).bandwidth.value * conditions_.bandwidth_at(link, time);
  }

  double time_alone(std::uint32_t index) {
    const Flow& flow = flows_[index];
    if (conditions_.empty()) return flow.left / flow.bound;
    const auto links = ways_.links(index);
    const double most = std::min(flow.own_rate, weights_.bound(conditions_.latency(links, now_)));
    return conditions_.end(links, now_, flow.left, most) - now_;
  }

  // Bound: the message's own, of the links that nobody contends for, and of the TCP window.
  void set_limits(std::uint32_t index) {
    Flow& flow = flows_[index];
    const auto route = ways_.links(index);
    flow.bound = flow.own_rate;
    for (const auto link : route)
      if (!routes_->link(link).is_contended)
        flow.bound = std::min(flow.bound, bandwidth(link, now_));
    if (weights_.are_equal()) return;
    const double latency = conditions_.latency(route, now_);
    flow.weight = weights_.weight(route, latency, now_);
    flow.bound = std::min(flow.bound, weights_.bound(latency));
  }

  // The next change of links' bandwidths, with all that happen at that time.
  void turn() {
    now_ = std::max(now_, conditions_.next_turn());
    const bool is_crowded{crowd_};
    if (is_crowded) take_lefts();
    bool are_limits_changed = !weights_.are_equal();
    conditions_.turn(now_, [&](Link link) {
      if (routes_->link(link).is_contended)
        shares_.change_capacity(link, bandwidth(link, now_));
      else
        are_limits_changed = true;
    });
    for (std::uint32_t index = 0; are_limits_changed && index < flows_.size(); ++index) {
      const Flow& flow = flows_[index];
      if (flow.is_flowing) set_limits(index);
      if (flow.is_flowing && !is_crowded) shares_.change_limits(index, flow.bound, flow.weight);
    }
    return is_crowded ? gather() : settle();
  }

  void finish(std::uint32_t index, Link held_by = kOwnBound) {
    Flow& flow = flows_[index];
    if (observer_ != nullptr && flow.is_flowing) [[unlikely]]
      observer_->on_flow_end(flow.id, now_, links_[index],
                             link_of_machine(*routes_, held_by, kOwnBound));
    flow.is_flowing = false;
    ways_.end(index, now_);
    const EventId id = flow.id;
    flows_.give_back(index);
    listener_->on_tail(id);
  }

  const platforms::Platform platform_;
  const Bytes analytic_below_;
  std::unique_ptr<platforms::RouteTable> routes_;
  const std::size_t least_crowd_ = least_crowd(routes_->end_count());
  LinkConditions conditions_;
  MessageWeights weights_;
  MaxMinShares shares_;
  Crowd crowd_;
  NetworkListener* listener_ = nullptr;
  FlowObserver* observer_ = nullptr;  // null: nobody asks
  EventLanes events_;                 // a lane for each end: what it sends
  IndexedEventHeap ends_;  // of flows, by their numbers; its events are made by the heap above
  Pool<Flow> flows_;
  ShortLists<Link> links_;  // by flow: contended ones
  RouteCache cache_;
  TransferRoutes ways_;
  double now_ = 0;
  bool stopped_ = false;
};

}  // namespace

const NetworkModel kFlowNetwork{
    .summary = "max-min fair",
    .make = [](const platforms::Platform& platform, const NetworkSettings& settings)
        -> std::unique_ptr<Network> { return std::make_unique<FlowNetwork>(platform, settings); },
    .times_small_messages_alone = true,
    .is_max_min = true};

}  // namespace reprise::sim
