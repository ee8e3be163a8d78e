// SPDX-License-Identifier: MIT
#include "sim/network/uncontended_network.hpp"

#include <algorithm>

#include "sim/network/event_heap.hpp"
#include "sim/network/pool.hpp"
#include "sim/network/route_cache.hpp"
#include "sim/time_grid.hpp"

namespace reprise::sim {
namespace {

class UncontendedNetwork final : public Network {
 public:
  explicit UncontendedNetwork(const platforms::Platform& platform)
      : platform_(platform), routes_(platforms::make_route_table(platform_)), cache_(*routes_) {}

  void start_transfer(const Transfer& transfer) override {
    const auto& route = cache_.find(transfer.from, transfer.to);
    const platforms::Mpi& mpi = platform_.mpi_between_ends(transfer.from, transfer.to);
    const std::uint32_t index = bodies_.take();
    const double bytes = static_cast<double>(transfer.bytes.value);
    bodies_[index] = {transfer.id, on_grid(bytes / (route.bandwidth.value * mpi.bandwidth_factor(transfer.bytes)))};
    if (transfer.head == Head::kTravels)
      events_.push(transfer.start.value + on_grid(route.latency.value * mpi.latency_factor(transfer.bytes)), {What::head, index});
    else
      events_.push(transfer.start.value + bodies_[index].duration, {What::tail, index});
  }

  void start_delay(Seconds end, EventId id) override { events_.push(std::max(end.value, now_), {What::delay, id}); }

  Seconds latency(platforms::NodeIndex from, platforms::NodeIndex to) override {
    return Seconds{on_grid(cache_.find(from, to).latency.value)};
  }

  std::vector<std::string> cables_used() const override { return cache_.used().names(); }

  Seconds now() const override { return Seconds{now_}; }

  void run(NetworkListener& listener) override {
    while (!events_.empty()) {
      const Pending pending = events_.top().payload;
      now_ = std::max(now_, events_.top().time);
      events_.pop();
      deliver(listener, pending);
    }
  }

  void stop() override { events_.clear(); }

 private:
  enum class What : std::uint64_t { delay, head, tail };
  struct Pending {
    What what;
    std::uint64_t id;  // delay: the caller's; else: the body
  };
  struct Body {
    EventId id = 0;
    double duration = 0;
  };

  void deliver(NetworkListener& listener, const Pending& pending) {
    if (pending.what == What::delay) return listener.on_delay_end(pending.id);
    const auto index = static_cast<std::uint32_t>(pending.id);
    const Body body = bodies_[index];
    if (pending.what == What::head) {
      events_.push(now_ + body.duration, {What::tail, index});
      return listener.on_head(body.id);
    }
    bodies_.give_back(index);
    listener.on_tail(body.id);
  }

  const platforms::Platform platform_;
  std::unique_ptr<platforms::RouteTable> routes_;
  RouteCache cache_;
  EventHeap<Pending> events_;
  Pool<Body> bodies_;
  double now_ = 0;
};

}  // namespace

std::unique_ptr<Network> make_uncontended_network(const platforms::Platform& platform) {
  return std::make_unique<UncontendedNetwork>(platform);
}

}  // namespace reprise::sim
