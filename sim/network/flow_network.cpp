// SPDX-License-Identifier: MIT
#include "sim/network/flow_network.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "sim/network/event_heap.hpp"
#include "sim/network/fetch.hpp"
#include "sim/network/max_min_shares.hpp"
#include "sim/network/pool.hpp"
#include "sim/network/route_cache.hpp"
#include "sim/time_grid.hpp"

namespace reprise::sim {
namespace {

// Events this close, relative to the clock, happen at one instant: it is a few roundings of a sum of times.
constexpr double kInstant = 1e-15;

class FlowNetwork final : public Network {
 public:
  FlowNetwork(const platforms::Platform& platform, Bytes analytic_below)
      : platform_(platform), analytic_below_(analytic_below), routes_(platforms::make_route_table(platform_)), shares_(routes_->link_count()), cache_(*routes_) {
    for (platforms::LinkIndex link = 0; link < routes_->link_count(); ++link)
      shares_.set_capacity(link, routes_->link(link).bandwidth.value);
  }

  void start_transfer(const Transfer& transfer) override {
    const std::uint32_t index = flows_.take();
    Flow& flow = flows_[index];
    flow.transfer = transfer;
    const RouteCache::Route route = cache_.find(transfer.from, transfer.to);
    const auto& mpi = platform_.mpi_between_ends(transfer.from, transfer.to);
    flow.left = static_cast<double>(transfer.bytes.value) / mpi.bandwidth_factor(transfer.bytes);
    flow.is_analytic = transfer.bytes < analytic_below_;
    flow.bound = flow.is_analytic ? route.bandwidth.value : std::numeric_limits<double>::infinity();
    flow.links.clear();
    for (const auto link : flow.is_analytic ? std::span<const platforms::LinkIndex>() : route.links) {
      const auto& what = routes_->link(link);
      if (what.is_contended) flow.links.push_back(link);
      else if (link == routes_->receiver_bound() && transfer.receiver != kNobody) flow.links.push_back(receiver_link(transfer, what));
      else flow.bound = std::min(flow.bound, what.bandwidth.value);
    }
    if (transfer.head == Head::kTravels)
      push(transfer.start.value + on_grid(route.latency.value * mpi.latency_factor(transfer.bytes)), kHead, index);
    else
      push(transfer.start.value, kBody, index);
  }

  void start_delay(Seconds end, EventId id) override { push(end.value, kDelay, id); }

  Seconds latency(platforms::NodeIndex from, platforms::NodeIndex to) override {
    return Seconds{on_grid(cache_.find(from, to).latency.value)};
  }

  std::vector<std::string> cables_used() const override { return cache_.used().names(); }

  Seconds now() const override { return Seconds{now_}; }

  void run(NetworkListener& listener) override {
    listener_ = &listener;
    while (!events_.empty()) {
      now_ = std::max(now_, events_.top().time());
      const double instant = now_ * (1 + kInstant);
      while (!events_.empty() && events_.top().time() <= instant) {
        const EventHeap::Event event = events_.top();
        now_ = std::max(now_, event.time());
        if (events_.size() < kCrowd)
          events_.pop();
        else
          events_.pop([this](unsigned steps, const EventHeap::Event& risen) { forecast(steps, risen); });
        happen(event);
      }
      if (!stopped_) settle();
    }
  }

  void stop() override {
    stopped_ = true;
    events_.clear();
  }

 private:
  // Kinds of events: with the caller's number; with the flow's (alone: the end of an analytic one); with generation << 32 | flow.
  static constexpr std::uint8_t kDelay = 0, kHead = 1, kBody = 2, kAlone = 3, kEnd = 4;
  struct Flow {
    Transfer transfer;
    double left = 0;   // bytes, at `since`
    double since = 0, rate = 0, bound = 0;
    bool is_analytic = false;  // has its bound for itself and takes nothing from others
    std::uint32_t generation = 0;  // tells a pending end that the rate it was computed for holds no more
    std::vector<platforms::LinkIndex> links;
  };

  // Each rank's own, behind the links of the machine.
  platforms::LinkIndex receiver_link(const Transfer& transfer, const platforms::LinkClass& bound) {
    const auto link = routes_->link_count() + static_cast<platforms::LinkIndex>(transfer.receiver);
    shares_.set_capacity(link, bound.bandwidth.value);
    return link;
  }

  void push(double time, std::uint8_t kind, std::uint64_t id) { events_.push(std::max(time, now_), kind, id); }

  void happen(const EventHeap::Event& event) {
    if (event.kind() == kDelay) return listener_->on_delay_end(event.id);
    const auto index = static_cast<std::uint32_t>(event.id);
    switch (event.kind()) {
      case kHead:
        listener_->on_head(flows_[index].transfer.id);
        if (!stopped_) begin(index);
        return;
      case kBody: return begin(index);
      case kAlone: return finish(index);
      default:
        if (flows_[index].generation != static_cast<std::uint32_t>(event.id >> 32)) return;
        shares_.leave(index);
        return finish(index);
    }
  }

  void forecast(unsigned steps, const EventHeap::Event& event) {
    if (event.kind() == kDelay) return;
    const Flow& flow = flows_[static_cast<std::uint32_t>(event.id)];
    if (steps > 2) return fetch(flow);
    if (steps == 1) shares_.prepare(flow.links);
    listener_->prepare(flow.transfer.id, steps);
  }

  void begin(std::uint32_t index) {
    Flow& flow = flows_[index];
    if (flow.left <= 0) return finish(index);
    if (flow.is_analytic) return push(now_ + on_grid(flow.left / flow.bound), kAlone, index);
    flow.since = now_;
    flow.rate = 0;
    shares_.enter(index, flow.links, flow.bound);
  }

  void settle() {
    shares_.settle([this](std::uint32_t index, double rate) {
      Flow& flow = flows_[index];
      flow.left = std::max(0.0, flow.left - flow.rate * (now_ - flow.since));
      flow.since = now_;
      flow.rate = rate;
      ++flow.generation;
      push(now_ + on_grid(flow.left / rate), kEnd, index | static_cast<std::uint64_t>(flow.generation) << 32);
    });
  }

  void finish(std::uint32_t index) {
    Flow& flow = flows_[index];
    ++flow.generation;
    const EventId id = flow.transfer.id;
    flows_.give_back(index);
    listener_->on_tail(id);
  }

  const platforms::Platform platform_;
  const Bytes analytic_below_;
  std::unique_ptr<platforms::RouteTable> routes_;
  MaxMinShares shares_;
  NetworkListener* listener_ = nullptr;
  EventHeap events_;
  Pool<Flow> flows_;
  RouteCache cache_;
  double now_ = 0;
  bool stopped_ = false;
};

}  // namespace

std::unique_ptr<Network> make_flow_network(const platforms::Platform& platform, Bytes analytic_below) {
  return std::make_unique<FlowNetwork>(platform, analytic_below);
}

}  // namespace reprise::sim
