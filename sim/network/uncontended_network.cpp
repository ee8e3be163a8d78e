// SPDX-License-Identifier: MIT
// Every message as if it were alone: latency plus size over the narrowest bandwidth of its route, whatever else is going on.
//
// Model  the LogGP time of one message: L + (n − 1)·G with G the inverse of the bandwidth (Alexandrov, Ionescu, Schauser and
//        Scheiman, SPAA 1995); here n·G, as in every network of ours.
// Cost   two heap events a message; no SimGrid, any number per process.
#include <algorithm>

#include "sim/network/event_lanes.hpp"
#include "sim/network/link_conditions.hpp"
#include "sim/network/network_model.hpp"
#include "sim/network/pool.hpp"
#include "sim/network/route_cache.hpp"
#include "sim/time_grid.hpp"

namespace reprise::sim {
namespace {

class UncontendedNetwork final : public Network {
 public:
  UncontendedNetwork(const platforms::Platform& platform, std::span<const LinkChange> changes)
      : platform_(platform),
        routes_(platforms::make_route_table(platform_)),
        route_costs_(*routes_),
        conditions_(*routes_, changes) {}

  void start_transfer(const Transfer& transfer) override {
    const RouteCostCache::RouteCost& cost = route_costs_.find(transfer.from, transfer.to);
    const platforms::Mpi& mpi = platform_.mpi_between_ends(transfer.from, transfer.to);
    const std::uint32_t index = bodies_.take();
    const bool travels = transfer.head == Head::kTravels;
    const auto passage =
        mpi.passage(transfer.bytes, Seconds{cost.latency}, BytesPerSecond{cost.bandwidth});
    bodies_[index] = {transfer.id,
                      on_grid(passage.wire_bytes / std::min(cost.bandwidth, passage.own_rate))};
    double latency = travels ? on_grid(cost.latency * passage.latency_factor) : 0;
    if (!conditions_.empty()) {
      routes_->find_route(transfer.from, transfer.to, route_);
      if (travels)
        latency = on_grid(conditions_.latency(route_.links, transfer.start.value) *
                          passage.latency_factor);
      const double start = transfer.start.value + latency;
      bodies_[index].duration = on_grid(
          conditions_.end(route_.links, start, passage.wire_bytes, passage.own_rate) - start);
      conditions_.note(route_.links, transfer.start.value, start + bodies_[index].duration);
    }
    if (travels)
      events_.push(transfer.from, transfer.start.value + latency, kHead, index);
    else
      events_.push(transfer.start.value + bodies_[index].duration, kTail, index);
  }

  void start_delay(Seconds end, EventId id) override {
    events_.push(std::max(end.value, now_), kDelay, id);
  }

  Seconds latency(platforms::NodeIndex from, platforms::NodeIndex to, Seconds at) override {
    const double usual = route_costs_.find(from, to).latency;
    if (conditions_.empty()) return Seconds{on_grid(usual)};
    routes_->find_route(from, to, route_);
    const double latency = on_grid(conditions_.latency(route_.links, at.value));
    conditions_.note(route_.links, at.value, at.value + latency);
    return Seconds{latency};
  }

  void expect(platforms::NodeIndex from, platforms::NodeIndex to) const override {
    route_costs_.prepare(from, to);
  }
  std::vector<std::string> cables_used() const override { return route_costs_.used().names(); }
  platforms::InterfacesMet interfaces_used() const override {
    return route_costs_.used().interfaces();
  }
  std::vector<std::size_t> unmet_changes() const override { return conditions_.unmet(); }

  Seconds now() const override { return Seconds{now_}; }

  void run(NetworkListener& listener) override {
    while (!events_.empty()) {
      const TimedEvent event = events_.top();
      now_ = std::max(now_, event.time());
      if (events_.size() < least_crowd_)
        events_.pop();
      else
        events_.pop(
            [&](unsigned steps, const TimedEvent& risen) { forecast(listener, steps, risen); });
      deliver(listener, event);
    }
  }

  void stop() override { events_.clear(); }

 private:
  static constexpr std::uint8_t kDelay = 0, kHead = 1,
                                kTail = 2;  // with the caller's number; with the body's
  struct Body {
    EventId id = 0;
    double duration = 0;
  };

  void deliver(NetworkListener& listener, const TimedEvent& event) {
    if (event.kind() == kDelay) return listener.on_delay_end(event.id);
    const auto index = static_cast<std::uint32_t>(event.id);
    const Body body = bodies_[index];
    if (event.kind() == kHead) {
      events_.push(now_ + body.duration, kTail, index);
      return listener.on_head(body.id);
    }
    bodies_.give_back(index);
    listener.on_tail(body.id);
  }

  void forecast(NetworkListener& listener, unsigned steps, const TimedEvent& event) {
    if (event.kind() == kDelay) return;
    const Body& body = bodies_[static_cast<std::uint32_t>(event.id)];
    if (steps > 4) return fetch(body);
    listener.prepare(body.id, steps);
  }

  const platforms::Platform platform_;
  std::unique_ptr<platforms::RouteTable> routes_;
  const std::size_t least_crowd_ = least_crowd(routes_->end_count());
  RouteCostCache route_costs_;
  LinkConditions conditions_;
  platforms::Route route_;  // scratch
  EventLanes events_;       // a lane for each end: what it sends
  Pool<Body> bodies_;
  double now_ = 0;
};

}  // namespace

const NetworkModel kUncontendedNetwork{
    .summary = "not at all, each message as if alone",
    .make = [](const platforms::Platform& platform,
               const NetworkSettings& settings) -> std::unique_ptr<Network> {
      return std::make_unique<UncontendedNetwork>(platform, settings.links);
    }};

}  // namespace reprise::sim
