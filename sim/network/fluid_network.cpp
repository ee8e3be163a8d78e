// SPDX-License-Identifier: MIT
// Messages as flows that share links nearly max-min fairly: the fast model for loaded networks.
//
// Model   as flow_network.cpp: the head arrives after the route's latency, then the bytes flow at a share of the links. Shares are max-min
//         fair but for what a link is told late of the others (local_shares.hpp).
// How     a start or an end moves the levels of the message's own links, and of further ones only as far as that matters; one event a link
//         stands for the ends of all messages that it holds back.
// Crowds  where messages go over from link to link again and again, as in an all-to-all that everyone sends at once, or where links would for a
//         hundredth of the clock not look at their many messages, all are solved within a tolerance (crowd.hpp), as flow's are, until few are left.
// Bounds  of links that nobody contends for: where such a one is the narrowest, the message has a link of its own with that capacity.
// Cost    between queue's and flow's (docs/RESULTS.md), bounded in crowds; no allocation in the steady state. Any number per process.
#include <algorithm>
#include <limits>
#include <vector>

#include "sim/network/crowd.hpp"
#include "sim/network/event_lanes.hpp"
#include "sim/network/link_conditions.hpp"
#include "sim/network/local_shares.hpp"
#include "sim/network/network_model.hpp"
#include "sim/network/own_links.hpp"
#include "sim/network/pool.hpp"
#include "sim/network/route_cache.hpp"
#include "sim/network/short_lists.hpp"
#include "sim/network/transfer_routes.hpp"
#include "sim/time_grid.hpp"

namespace reprise::sim {
namespace {

constexpr double kFluidInstant = 1e-15;   // as flow_network.cpp
constexpr double kCrowdTolerance = 1e-3;  // where none is asked for
constexpr double kNoEvent = std::numeric_limits<double>::infinity();

class FluidNetwork final : public Network {
  using Link = platforms::LinkIndex;

 public:
  FluidNetwork(const platforms::Platform& platform, const NetworkSettings& settings)
      : platform_(platform),
        routes_(platforms::make_route_table(platform_)),
        conditions_(*routes_, settings.links),
        shares_(routes_->link_count()),
        crowd_(settings.flow_tolerance > 0 ? settings.flow_tolerance : kCrowdTolerance,
               [this](Link link) { return shares_.capacity(link); }),
        cache_(*routes_),
        ways_(cache_, conditions_),
        own_links_(routes_->link_count()) {
    for (Link link = 0; link < routes_->link_count(); ++link)
      shares_.set_capacity(link, bandwidth(link, 0));
  }

  void start_transfer(const Transfer& transfer) override {
    const std::uint32_t index = flows_.take();
    Flow& flow = flows_[index];
    flow.id = transfer.id;
    flow.receiver = transfer.receiver;
    ways_.begin(index, transfer);
    const RouteCache::Route route = cache_.find(transfer.from, transfer.to);
    const auto& mpi = platform_.mpi_between_ends(transfer.from, transfer.to);
    const auto passage = mpi.passage(transfer.bytes, route.latency, route.bandwidth);
    flow.bytes = passage.wire_bytes;
    links_.clear(index);
    double own = passage.own_rate, narrowest = kNoEvent;
    if (const auto* weights = platform_.latency_weights(); weights != nullptr && weights->tcp_gamma)
      own = std::min(own, route.bandwidth.value);  // the TCP window's
    double bound = own;
    for (const Link link : route.links) {
      const platforms::LinkClass& kind = classes_[routes_->link_class_index(link)];
      if (kind.is_contended) {
        links_.add(index, link);
        narrowest = std::min(narrowest, kind.bandwidth.value);
      } else if (link == routes_->receiver_bound() && transfer.receiver != kNobody) {
        const Link receiver = own_links_.of_receiver(transfer.receiver);
        shares_.set_capacity(receiver, kind.bandwidth.value);
        links_.add(index, receiver);
        narrowest = std::min(narrowest, kind.bandwidth.value);
      } else {
        bound = std::min(bound, kind.bandwidth.value);
      }
    }
    flow.own = kNoLink;
    if (!conditions_.empty()) {
      if (own_rates_.size() <= index) own_rates_.resize(index + std::size_t{1});
      own_rates_[index] = own;
    }
    if (bound < (conditions_.empty() ? narrowest : kNoEvent)) {
      flow.own = own_links_.take();
      shares_.set_capacity(flow.own, bound);
    }
    const double latency = conditions_.empty()
                               ? route.latency.value
                               : conditions_.latency(route.links, transfer.start.value);
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
  std::vector<std::size_t> unmet_changes() const override { return conditions_.unmet(); }
  bool observe(FlowObserver& observer) override {
    observer_ = &observer;
    return true;
  }
  Seconds now() const override { return Seconds{now_}; }

  void run(NetworkListener& listener) override {
    listener_ = &listener;
    for (;;) {
      const double next = next_time();
      if (next == kNoEvent) return;
      if (next >= conditions_.next_turn()) {
        turn();
      } else {
        now_ = std::max(now_, next);
        const double instant = now_ * (1 + kFluidInstant);
        while (happen_until(instant)) {
        }
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
  // Kinds of events: with the caller's number; with the flow's; with the link's.
  static constexpr std::uint8_t kDelay = 0, kHead = 1, kBody = 2, kEnds = 3;
  static constexpr Link kNoLink = OwnLinks::kNoLink;
  struct alignas(kCacheLine / 2) Flow {
    EventId id = 0;      // of the transfer
    double bytes = 0;    // on the wire; in a crowd, and where one ends, those that were left
    Link own = kNoLink;  // its bound's, which it shares with nobody
    std::int32_t receiver = kNobody;
    bool is_flowing = false;
  };

  double next_time() const {
    double next = events_.empty() ? kNoEvent : events_.top().time();
    if (!ends_.empty()) next = std::min(next, ends_.top().time());
    return std::min(next, crowd_.next());
  }

  void push(double time, std::uint8_t kind, std::uint64_t id) {
    events_.push(std::max(time, now_), kind, id);
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
    if (is_end) {
      pop(ends_, flows_.size(), [this](unsigned n, const auto& risen) { forecast_end(n, risen); });
      end_of(static_cast<Link>(event.id));
      return true;
    }
    pop(events_, events_.size(), [this](unsigned n, const auto& risen) { forecast(n, risen); });
    happen(event);
    return true;
  }

  void pop(auto& heap, std::size_t under_way, auto risen) {
    under_way < least_crowd_ ? heap.pop() : heap.pop(risen);
  }

  void happen(const TimedEvent& event) {
    if (event.kind() == kDelay) return listener_->on_delay_end(event.id);
    const auto index = static_cast<std::uint32_t>(event.id);
    if (event.kind() == kHead) listener_->on_head(flows_[index].id);
    if (!stopped_) begin(index);
  }

  void forecast(unsigned steps, const TimedEvent& event) {
    if (event.kind() == kDelay) return;
    const auto index = static_cast<std::uint32_t>(event.id);
    if (steps > 4) return fetch(flows_[index]);
    if (steps == 4) links_.prepare(index);
    if (crowd_)
      crowd_->prepare(index, links_[index], steps);
    else if (steps == 2)
      shares_.prepare(links_[index]);
    listener_->prepare(flows_[index].id, steps);
  }

  // The first of those that a link holds back will end soon.
  void forecast_end(unsigned steps, const TimedEvent& event) {
    const auto link = static_cast<Link>(event.id);
    if (!shares_.holds_any(link)) return;
    const std::uint32_t index = shares_.next(link);
    if (steps > 4) return fetch(flows_[index]);
    if (steps == 4) links_.prepare(index);
    listener_->prepare(flows_[index].id, steps);
  }

  // A flow of the crowd will soon end.
  void soon_over(unsigned steps, std::uint32_t index) const {
    steps == 2 ? fetch(flows_[index]) : listener_->prepare(flows_[index].id, 3 + steps);
  }

  void begin(std::uint32_t index) {
    Flow& flow = flows_[index];
    if (flow.bytes <= 0) return finish(index);
    flow.is_flowing = true;
    if (observer_ != nullptr) [[unlikely]] {
      if (rates_told_.size() <= index) rates_told_.resize(index + std::size_t{1});
      rates_told_[index] = 0;
      observer_->on_flow_begin(flow.id, now_, links_[index]);
    }
    if (flow.own != kNoLink && !conditions_.empty()) shares_.set_capacity(flow.own, bound(index));
    crowd_ ? enter_crowd(index) : enter(index);
  }

  void enter(std::uint32_t index) {
    const Flow& flow = flows_[index];
    if (flow.own != kNoLink) links_.add(index, flow.own);
    shares_.enter(index, links_[index], flow.bytes, now_);
    if (flow.own != kNoLink) links_.remove_last(index);
  }

  void enter_crowd(std::uint32_t index) {
    const Flow& flow = flows_[index];
    const double bound = flow.own == kNoLink ? kNoEvent : shares_.capacity(flow.own);
    crowd_->enter(index, links_[index], bound, flow.bytes, now_);
  }

  void settle() {
    if (crowd_) {
      crowd_->settle(now_);
      if (!crowd_.is_few()) return;
      end_crowd();
      for (std::uint32_t index = 0; index < flows_.size(); ++index)
        if (flows_[index].is_flowing) enter(index);
    }
    shares_.settle(now_, [this](Link link, double end) {
      ends_.set(events_.made_now(end, kEnds, link));
      if (observer_ != nullptr) [[unlikely]]
        shares_.each_held(link, [this](std::uint32_t index) { tell(index); });
    });
    if (shares_.are_crowd() || shares_.is_behind(next_time())) gather();
  }

  // From here on all are solved together, within the tolerance.
  void gather() {
    for (std::uint32_t index = 0; index < flows_.size(); ++index)
      if (Flow& flow = flows_[index]; flow.is_flowing) flow.bytes = shares_.left(index, now_);
    ends_.clear();
    shares_.clear();
    begin_crowd();
  }

  void begin_crowd() {
    if (observer_ != nullptr) observer_->on_crowd(now_, false);
    std::fill(rates_told_.begin(), rates_told_.end(), 0);
    crowd_.begin(now_, [this] {
      for (std::uint32_t index = 0; index < flows_.size(); ++index)
        if (flows_[index].is_flowing) enter_crowd(index);
    });
  }

  void end_crowd() {
    crowd_.end(now_, [this](std::uint32_t index, double left) { flows_[index].bytes = left; });
    if (observer_ != nullptr) observer_->on_crowd(now_, true);
  }

  Link of_machine(Link held_by, std::uint32_t index) const {
    const Link own = flows_[index].own;
    return link_of_machine(*routes_, held_by == own ? kNoLink : held_by, kNoLink);
  }

  void tell(std::uint32_t index) {
    const double rate = shares_.rate(index);
    double& told = rates_told_[index];
    if (rate == told) return;
    observer_->on_rate(flows_[index].id, now_, told, rate, shares_.left(index, now_), links_[index],
                       of_machine(shares_.holder(index), index));
    told = rate;
  }

  // Those that the link holds back and that have come through: all of them leave before anybody hears of it.
  void end_of(Link link) {
    ended_.clear();
    shares_.end(link, now_, [this](std::uint32_t index) { ended_.push_back(index); });
    if (shares_.holds_any(link))
      ends_.set(events_.made_now(shares_.next_end(link, now_), kEnds, link));
    for (const std::uint32_t index : ended_) {
      if (stopped_) return;
      finish(index, shares_.holder(index));
    }
  }

  void finish(std::uint32_t index, Link held_by = kNoLink) {
    Flow& flow = flows_[index];
    if (observer_ != nullptr && flow.is_flowing) [[unlikely]]
      observer_->on_flow_end(flow.id, now_, links_[index], of_machine(held_by, index));
    flow.is_flowing = false;
    if (flow.own != kNoLink) own_links_.give_back(flow.own);
    ways_.end(index, now_);
    const EventId id = flow.id;
    flows_.give_back(index);
    listener_->on_tail(id);
  }

  double bandwidth(Link link, double time) const {
    return routes_->link(link).bandwidth.value * conditions_.bandwidth_at(link, time);
  }

  // The message's own and that of the links that nobody contends for, now.
  double bound(std::uint32_t index) {
    double bound = own_rates_[index];
    for (const Link link : ways_.links(index))
      if (!routes_->link(link).is_contended &&
          (link != routes_->receiver_bound() || flows_[index].receiver == kNobody))
        bound = std::min(bound, bandwidth(link, now_));
    return bound;
  }

  // The next change of links' bandwidths, with all that happen at that time.
  void turn() {
    now_ = std::max(now_, conditions_.next_turn());
    const bool is_crowded{crowd_};
    bool is_any_uncontended = false;
    if (is_crowded) end_crowd();
    conditions_.turn(now_, [&](Link link) {
      if (routes_->link(link).is_contended)
        shares_.set_capacity(link, bandwidth(link, now_));
      else
        is_any_uncontended = true;
    });
    for (std::uint32_t index = 0; is_any_uncontended && index < flows_.size(); ++index)
      if (flows_[index].is_flowing && flows_[index].own != kNoLink)
        shares_.set_capacity(flows_[index].own, bound(index));
    if (is_crowded) begin_crowd();
  }

  const platforms::Platform platform_;
  std::unique_ptr<platforms::RouteTable> routes_;
  const std::size_t least_crowd_ = least_crowd(routes_->end_count());
  LinkConditions conditions_;
  LocalShares shares_;
  Crowd crowd_;
  const std::span<const platforms::LinkClass> classes_ = routes_->link_classes();
  NetworkListener* listener_ = nullptr;
  FlowObserver* observer_ = nullptr;  // null: nobody asks
  EventLanes events_;                 // a lane for each end: what it sends
  IndexedEventHeap ends_;             // by link; its events are made by the heap above
  std::vector<std::uint32_t> ended_;
  Pool<Flow, LastNumbers> flows_;   // flows that end at one time do so by their numbers
  ShortLists<Link> links_;          // by flow: contended ones
  std::vector<double> own_rates_;   // by flow, where links change
  std::vector<double> rates_told_;  // to the observer, by flow
  RouteCache cache_;
  TransferRoutes ways_;
  OwnLinks own_links_;
  double now_ = 0;
  bool stopped_ = false;
};

}  // namespace

const NetworkModel kFluidNetwork{
    .summary = "nearly max-min fair, solved link by link",
    .make = [](const platforms::Platform& platform, const NetworkSettings& settings)
        -> std::unique_ptr<Network> { return std::make_unique<FluidNetwork>(platform, settings); },
    .is_max_min = true,
    .leaves_latency_weights_out = true};

}  // namespace reprise::sim
