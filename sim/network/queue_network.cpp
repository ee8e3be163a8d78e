// SPDX-License-Identifier: MIT
// Messages that wait for one another: each link serves whole messages in the order in which their heads reach it.
//
// Model   cut-through. With a_i the time at which a message's head reaches link i of its route, L_i and B_i the link's latency and
//         bandwidth, f_i the time from which the link is free, n the bytes (λ and β: the platform's factors by size):
//           served from   s_i = max(a_i, f_i)              head at the next link  a_{i+1} = s_i + λ·L_i
//           link busy till f_i := s_i + n/(β·B_i)          tail off the link      e_i = max(e_{i-1}, s_i + n/(β·B_i)) + λ·L_i
//         Where factors apply to messages, β is 1 here and e_i at least s_i + n/(the message's own rate) + λ·L_i (Mpi::passage).
//         Alone: head at Σ λL_i, tail at Σ λL_i + n/(β·min B_i), as in the other networks. A link is busy for its own service time
//         only: behind a narrower link it could carry others in between, and does. Switches have room for all that waits; a
//         message that waits holds no link. Links that nobody contends for (RouteTable, is_contended) serve all at once.
// Family  store-and-forward queueing at message granularity with cut-through timing: P. Kermani, L. Kleinrock, "Virtual
//         Cut-Through: A New Computer Communication Switching Technique", Computer Networks 3(4), 1979.
// Differs from flow: two messages that share a link both take twice as long there; here the first is not delayed at all and the
//         second waits for it. The last of them ends at the same time.
// Cost    an event per link, one for the head and one for the tail; no solver: a message costs the same whatever else is on the
//         way. Memory: 8 bytes a link, and what is in flight. No SimGrid, any number per process.
#include <algorithm>
#include <vector>

#include "sim/network/event_lanes.hpp"
#include "sim/network/link_conditions.hpp"
#include "sim/network/network_model.hpp"
#include "sim/network/pool.hpp"
#include "sim/network/route_cache.hpp"
#include "sim/network/short_lists.hpp"
#include "sim/time_grid.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

class QueueNetwork final : public Network {
 public:
  QueueNetwork(const platforms::Platform& platform, std::span<const LinkChange> changes)
      : platform_(platform),
        routes_(platforms::make_route_table(platform_)),
        cache_(*routes_),
        conditions_(*routes_, changes),
        free_from_(routes_->link_count()) {
    if (routes_->adds_latency())
      throw InputError(platform_.file,
                       "its latencies come from host coordinates and belong to no link; the queue "
                       "network needs links",
                       "take --network flow");
    for (const auto& one : routes_->link_classes())
      classes_.push_back({on_grid(one.latency.value), 1 / one.bandwidth.value, one.is_contended});
  }

  bool heads_wait() const override { return true; }
  bool observe(FlowObserver& observer) override {
    observer_ = &observer;
    return false;  // there are no rates
  }

  void start_transfer(const Transfer& transfer) override {
    const platforms::Mpi& mpi = platform_.mpi_between_ends(transfer.from, transfer.to);
    const std::uint32_t index = flights_.take();
    Flight& flight = flights_[index];
    flight.id = transfer.id;
    flight.receiver = transfer.receiver;
    links_.clear(index);
    const RouteCache::Route route = cache_.find(transfer.from, transfer.to);
    for (const auto link : route.links) links_.add(index, link);
    const auto passage = mpi.passage(transfer.bytes, route.latency, route.bandwidth);
    flight.next = 0;
    flight.wire_bytes = passage.wire_bytes;
    flight.own_time = on_grid(passage.wire_bytes / passage.own_rate);
    flight.has_head = transfer.head == Head::kIsThere;
    flight.latency_factor = flight.has_head ? 0 : passage.latency_factor;
    flight.tail = 0;
    if (transfer.start.value <= now_)
      reach_link(index, now_);
    else
      events_.push(routes_->link_count() + links_[index].front(), transfer.start.value, kLink,
                   index);
  }

  void start_delay(Seconds end, EventId id) override {
    events_.push(std::max(end.value, now_), kDelay, id);
  }

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
  // Kinds of events: with the caller's number; with the flight's.
  static constexpr std::uint8_t kDelay = 0, kLink = 1, kHead = 2, kTail = 3;
  struct Flight {
    EventId id = 0;
    double wire_bytes = 0, latency_factor = 1;
    double own_time = 0;  // that its body takes at least
    double tail = 0;      // when the last byte has left the links behind it
    std::int32_t receiver = kNobody;
    std::uint32_t next : 31 = 0;  // into links: the one that the head reaches next
    bool has_head : 1 = false;    // on_head() was called, or is not wanted
  };
  struct LinkCost {
    double latency, seconds_per_byte;
    bool is_contended;
  };

  // The head of a flight has come to its next link: passes it and all that follow at the same instant.
  void reach_link(std::uint32_t index, double time) {
    Flight& flight = flights_[index];
    const auto links = links_[index];
    for (;;) {
      const auto link = links[flight.next];
      const LinkCost& cost = classes_[routes_->link_class_index(link)];
      const double service = on_grid(flight.wire_bytes * cost.seconds_per_byte);
      double* free_from = nullptr;
      if (cost.is_contended)
        free_from = &free_from_[link];
      else if (link == routes_->receiver_bound() && flight.receiver != kNobody)
        free_from = &free_from_of_receiver(flight.receiver);
      if (free_from != nullptr && *free_from > time) {
        if (observer_ != nullptr) [[unlikely]]
          observer_->on_wait(flight.id, link, *free_from - time);
        time = *free_from;
      }
      double end = time + service, factor = flight.latency_factor;
      if (!conditions_.empty()) {
        if (const VaryingRate* rate = conditions_.bandwidth(link))
          end = time + on_grid(rate->end(time, service) - time);
        factor *= conditions_.latency_at(link, time);
        conditions_.note({&link, 1}, time, end);
      }
      if (free_from != nullptr) *free_from = end;
      const double latency = factor == 1 ? cost.latency : on_grid(cost.latency * factor);
      flight.tail = std::max({flight.tail, end, time + flight.own_time}) + latency;
      time += latency;
      if (++flight.next == links.size()) break;
      if (time > now_) return events_.push(link, time, kLink, index);
    }
    if (flight.has_head)
      events_.push(flight.tail, kTail, index);
    else
      events_.push(links.back(), time, kHead, index);
  }

  double& free_from_of_receiver(std::int32_t rank) {
    const auto at = static_cast<std::size_t>(rank);
    if (receivers_free_from_.size() <= at) receivers_free_from_.resize(at + 1, 0);
    return receivers_free_from_[at];
  }

  void deliver(NetworkListener& listener, const TimedEvent& event) {
    if (event.kind() == kDelay) return listener.on_delay_end(event.id);
    const auto index = static_cast<std::uint32_t>(event.id);
    Flight& flight = flights_[index];
    const EventId id = flight.id;
    switch (event.kind()) {
      case kLink:
        return reach_link(index, now_);
      case kHead:
        flight.has_head = true;
        events_.push(flight.tail, kTail, index);
        return listener.on_head(id);
      default:
        flights_.give_back(index);
        return listener.on_tail(id);
    }
  }

  void forecast(NetworkListener& listener, unsigned steps, const TimedEvent& event) {
    if (event.kind() == kDelay) return;
    const auto index = static_cast<std::uint32_t>(event.id);
    const Flight& flight = flights_[index];
    if (steps > 4)
      fetch(flight);
    else if (event.kind() != kLink)
      listener.prepare(flight.id, steps);
    else if (steps == 2)
      links_.prepare(index);
    else if (steps == 1)
      fetch(free_from_[links_[index][flight.next]]);
  }

  const platforms::Platform platform_;
  std::unique_ptr<platforms::RouteTable> routes_;
  const std::size_t least_crowd_ = least_crowd(routes_->end_count());
  RouteCache cache_;
  LinkConditions conditions_;
  std::vector<LinkCost> classes_;
  std::vector<double> free_from_;            // by link
  std::vector<double> receivers_free_from_;  // by rank, where the platform bounds what one takes in
  EventLanes
      events_;  // lanes: for each link what comes off it, then for each what is to enter it first
  FlowObserver* observer_ = nullptr;  // null: nobody asks
  Pool<Flight> flights_;
  ShortLists<platforms::LinkIndex> links_;  // by flight: its route
  double now_ = 0;
};

}  // namespace

const NetworkModel kQueueNetwork{
    .summary = "each link serves whole messages one after the other",
    .make = [](const platforms::Platform& platform,
               const NetworkSettings& settings) -> std::unique_ptr<Network> {
      return std::make_unique<QueueNetwork>(platform, settings.links);
    },
    .leaves_latency_weights_out = true,
    .doubtful_from_busy = 0.2};  // measured: docs/RESULTS.md, "Fast models of shared links"

}  // namespace reprise::sim
