// SPDX-License-Identifier: MIT
// Messages as flows that share links max-min fairly: SimGrid's CM02 model, driven from its kernel's own context. The reference of
// flow_network.cpp, which is the same model at a fraction of the cost.
//
// Model   a flow's rate is its max-min fair share of the links it crosses, at most the narrowest of them. Latency is waited out
//         here, before the flow exists, so that shares do not depend on it (platforms/zones/zone.hpp, LatencyPaidBy); on a platform with
//         LatencyWeights links have theirs in SimGrid, too, which weigh and take no time.
// Changes of links are made in SimGrid when they are due, and then all flows are SimGrid's.
// Alone   max-min shares of flows that have no link in common, not even through others, are independent. A flow whose links
//         carry nobody else runs at its narrowest link's rate without SimGrid, and is handed over with its remaining bytes
//         when a second flow comes upon one of its links. The times are the same, the solver is called for contention only.
// SimGrid (3.32, read in its source and tried)
//         - No actor is needed: Engine::run() goes on while a timer or an activity is pending, and returns after the last.
//         - A Comm started by maestro (from a kernel timer or a completion callback) must not be detached and its CommPtr
//           must be held: then Activity::on_completion fires for it, inside the kernel's loop. The pointer may be dropped only
//           after the callback has returned. A Comm of 0 bytes never starts.
//         - Every Comm of this kind stands in a list of maestro's that is searched from end to end when it completes: the cost
//           of a completion grows with the number of flows in flight.
//         - A flow is never faster than its narrowest link was when it began, whatever that becomes. So it begins on links as fast as
//           they will ever be.
//         - On a FATPIPE link flows that weigh differently hold one another back where the bound of the heaviest is not below the link's
//           bandwidth, which rounding decides. So it begins on such links a little narrower than they are.
//         - Comm::set_rate() has no effect on a Comm between hosts.
//         - kernel_timers() fire at their date before the completions of that date.
// Cost    0.1 to 0.2 µs a message that stays alone. With contention SimGrid solves the connected component again at every start
//         and end: a halo exchange on 64 nodes takes 1 µs a message in lockstep, 4 µs with jitter, 13 µs where it saturates
//         all links; in lockstep on 4096 nodes 35 µs, of which the list above is nearly all.
// Once    one per process: SimGrid keeps its clock in globals. Create it in a process that has simulated nothing yet.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u/Comm.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <utility>
#include <vector>

#include "platforms/zones/zone.hpp"
#include "sim/network/event_heap.hpp"
#include "sim/network/link_conditions.hpp"
#include "sim/network/pool.hpp"
#include "sim/network/route_cache.hpp"
#include "sim/network/simgrid_module.hpp"
#include "sim/network/solo_flows.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

namespace s4u = simgrid::s4u;
using simgrid::kernel::timer::Timer;

constexpr double kNoDate = std::numeric_limits<double>::infinity();

// Of a flow's bandwidth, below it: SimGrid's own rounding is far less.
constexpr double kBelow = 1e-12;

// SimGrid takes sizes in whole units; a unit of 1/1024 byte keeps rounding below 0.001 byte, whatever was left of a flow.
constexpr double kUnitsPerByte = 1024;

platforms::Platform in_units(platforms::Platform platform) {
  for (const auto& links : {node_links(platform), network_links(platform)})
    for (const auto& cable : links) cable.link->bandwidth.value *= kUnitsPerByte;
  if (platform.intra_node_per_receiver) platform.intra_node_per_receiver->value *= kUnitsPerByte;
  if (platform.network && platform.network->latency_weights) {
    platforms::LatencyWeights& weights = *platform.network->latency_weights;
    weights.weight_s.value *= static_cast<std::uint64_t>(kUnitsPerByte);
    if (weights.tcp_gamma) weights.tcp_gamma->value *= static_cast<std::uint64_t>(kUnitsPerByte);
  }
  return platform;
}

class SimgridNetwork final : public Network {
 public:
  SimgridNetwork(const platforms::Platform& platform, std::span<const LinkChange> changes)
      : platform_(platform),
        scaled_(in_units(platform)),
        routes_(platforms::make_route_table(platform_)),
        scaled_routes_(platforms::make_route_table(scaled_)),
        conditions_(*routes_, changes),
        solo_(*routes_),
        used_(*routes_) {
    if (!conditions_.empty() && platform_.latency_weights() != nullptr) refuse_uncontended(changes);
    for (const platforms::Mpi* mpi : {&platform_.mpi, &platform_.intra_node_mpi})
      if (mpi->factors_apply_to == platforms::FactorsApplyTo::kMessages)
        throw InputError(platform_.file,
                         "its factors by size apply to messages (factors_apply_to), and SimGrid's "
                         "solver cannot bound one message's rate",
                         "the flow network is the same model with that (--network flow)");
    REPRISE_ASSERT(!s4u::Engine::has_instance(), "a process simulates once");
    static int argument_count = 1;
    static char name[] = "reprise";
    static char* arguments[] = {name, nullptr};
    engine_ = std::make_unique<s4u::Engine>(&argument_count, arguments);
    platforms::configure_simgrid(scaled_.latency_weights());
    zone_ = platforms::build_zone(scaled_, *scaled_routes_, platforms::LatencyPaidBy::kCaller);
    s4u::Activity::on_completion_cb(
        [this](const s4u::Activity& activity) { on_comm_end(activity); });
    set_changes();
  }

  void start_transfer(const Transfer& transfer) override {
    const std::uint32_t index = flows_.take();
    Flow& flow = flows_[index];
    flow.transfer = transfer;
    routes_->find_route(transfer.from, transfer.to, route_);
    used_.note(route_);
    flow.bandwidth = route_.bandwidth.value;
    flow.links.assign(route_.links.begin(), route_.links.end());
    const platforms::Mpi& mpi = platform_.mpi_between_ends(transfer.from, transfer.to);
    const auto passage = mpi.passage(transfer.bytes, route_.latency, route_.bandwidth);
    flow.wire_bytes = passage.wire_bytes;
    if (transfer.head == Head::kTravels)
      push(transfer.start.value + latency_at(transfer.start.value) * passage.latency_factor, kHead,
           index);
    else
      push(transfer.start.value, kBody, index);
  }

  void start_delay(Seconds end, EventId id) override { push(end.value, kDelay, id); }

  Seconds latency(platforms::NodeIndex from, platforms::NodeIndex to, Seconds at) override {
    routes_->find_route(from, to, route_);
    used_.note(route_);
    const double latency = latency_at(at.value);
    if (!conditions_.empty()) conditions_.note(route_.links, at.value, at.value + latency);
    return Seconds{latency};
  }

  std::vector<std::string> cables_used() const override { return used_.names(); }
  platforms::InterfacesMet interfaces_used() const override { return used_.interfaces(); }
  std::vector<std::size_t> unmet_changes() const override { return conditions_.unmet(); }

  Seconds now() const override { return Seconds{now_}; }

  void run(NetworkListener& listener) override {
    listener_ = &listener;
    if (events_.empty()) return;
    arm(events_.top().time());
    engine_->run();
  }

  void stop() override {
    stopped_ = true;
    events_.clear();
  }

 private:
  // Kinds of events: with the caller's number; with generation << 32 | the flow's.
  static constexpr std::uint8_t kDelay = 0, kHead = 1, kBody = 2, kSoloEnd = 3;
  struct Flow {
    Transfer transfer;
    double wire_bytes = 0, bandwidth = 0;
    double solo_end = 0;
    std::uint32_t generation =
        0;  // tells a pending solo_end that the flow is no longer the one it was
    std::vector<platforms::LinkIndex> links;
    s4u::CommPtr comm;
  };

  // Of route_.
  double latency_at(double time) const {
    return conditions_.empty() ? route_.latency.value : conditions_.latency(route_.links, time);
  }

  void refuse_uncontended(std::span<const LinkChange> changes) const {
    for (platforms::LinkIndex link = 0; link < routes_->link_count(); ++link)
      if (conditions_.bandwidth(link) != nullptr && !routes_->link(link).is_contended)
        throw InputError(changes.front().where,
                         "in SimGrid's solver messages of unequal latency hold one another back on "
                         "uncontended links that change, and \"" +
                             routes_->link(link).name + "\" is one",
                         "the flow network is the same model without that (--network flow)");
  }

  // What links are at the beginning, and when they change.
  void set_changes() {
    const bool is_weighted = scaled_.latency_weights() != nullptr;
    if (conditions_.empty() && !is_weighted) return;
    if (is_weighted) conditions_.turn_with_latency();
    found_.assign(routes_->link_count(), 0);
    for (platforms::LinkIndex link = 0; link < routes_->link_count(); ++link) {
      if (is_weighted && !routes_->link(link).is_contended)
        found_[link] = bandwidth(link, 0) * (1 - kBelow);
      if (conditions_.bandwidth(link) == nullptr) continue;
      set_link(link, 0);
      found_[link] = bandwidth(link, 0);
    }
    for (const LinkConditions::Turn& turn : conditions_.turns()) {
      found_[turn.link] = std::max(found_[turn.link], bandwidth(turn.link, turn.time));
      Timer::set(turn.time, [this, turn] { set_link(turn.link, turn.time); });
    }
  }

  double bandwidth(platforms::LinkIndex link, double time) const {
    return scaled_routes_->link(link).bandwidth.value * conditions_.bandwidth_at(link, time);
  }

  void set_link(platforms::LinkIndex link, double time) {
    const double now = bandwidth(link, time);
    if (zone_.links[link]->get_bandwidth() != now) zone_.links[link]->set_bandwidth(now);
    if (scaled_.latency_weights() != nullptr)
      zone_.links[link]->set_latency(routes_->link(link).latency.value *
                                     conditions_.latency_at(link, time));
  }

  void push(double time, std::uint8_t kind, std::uint64_t id) {
    events_.push(std::max(time, now_), kind, id);
  }

  void arm(double date) {
    if (date >= armed_date_) return;
    if (armed_ != nullptr) armed_->remove();
    armed_date_ = date;
    armed_ = Timer::set(date, [this] {
      armed_ = nullptr;
      armed_date_ = kNoDate;
      drain();
    });
  }

  // Delivers what is due. While SimGrid has flows in flight only it knows when the next one ends, so events of the future wait
  // for its clock; without flows they need not.
  void drain() {
    const double clock = s4u::Engine::get_clock();
    while (!events_.empty()) {
      const EventHeap::Event next = events_.top();
      if (next.time() > clock && comms_in_flight_ > 0) return arm(next.time());
      events_.pop();
      now_ = std::max(now_, next.time());
      deliver(next, clock);
      if (wake_simgrid_at_ < kNoDate) {  // a flow must enter SimGrid later than its clock stands
        arm(std::exchange(wake_simgrid_at_, kNoDate));
        return;
      }
    }
  }

  void deliver(const EventHeap::Event& event, double clock) {
    if (event.kind() == kDelay) return listener_->on_delay_end(event.id);
    const auto index = static_cast<std::uint32_t>(event.id);
    switch (event.kind()) {
      case kHead:
        listener_->on_head(flows_[index].transfer.id);
        if (stopped_) return;
        begin_body(index, clock);
        return;
      case kBody:
        begin_body(index, clock);
        return;
      default:
        if (flows_[index].generation == static_cast<std::uint32_t>(event.id >> 32)) end_flow(index);
        return;
    }
  }

  void begin_body(std::uint32_t index, double clock) {
    Flow& flow = flows_[index];
    if (flow.wire_bytes <= 0) {
      finish(index);
      return;
    }
    // Both this flow and those it disturbs must enter SimGrid at its clock; if it stands earlier, come back then.
    if (clock < now_ && (!conditions_.empty() || !solo_.is_free(flow.links))) {
      events_.push(now_, kBody, index);
      wake_simgrid_at_ = now_;
      return;
    }
    if (!conditions_.empty()) return start_comm(flow, index, flow.wire_bytes);
    const bool alone =
        solo_.enter(index, flow.links, [this](std::uint32_t other) { escalate(other); });
    if (alone) {
      flow.solo_end = now_ + flow.wire_bytes / flow.bandwidth;
      push(flow.solo_end, kSoloEnd, index | static_cast<std::uint64_t>(flow.generation) << 32);
    } else {
      start_comm(flow, index, flow.wire_bytes);
    }
  }

  // A solo flow gets company: what is left of it goes on in SimGrid.
  void escalate(std::uint32_t index) {
    Flow& flow = flows_[index];
    solo_.give_up_solitude(flow.links);
    const double left = (flow.solo_end - now_) * flow.bandwidth;
    if (left * kUnitsPerByte < 1) return;  // as good as ended; its end is already on the way
    ++flow.generation;
    start_comm(flow, index, left);
  }

  void start_comm(Flow& flow, std::uint32_t index, double bytes) {
    const auto units = static_cast<std::uint64_t>(std::max(1.0, std::round(bytes * kUnitsPerByte)));
    flow.comm = s4u::Comm::sendto_init();
    flow.comm->set_payload_size(units);
    flow.comm->set_data(reinterpret_cast<void*>(static_cast<std::uintptr_t>(index) + 1));
    change_links(flow, true);
    flow.comm->set_source(zone_.hosts[flow.transfer.from]);
    flow.comm->set_destination(zone_.hosts[flow.transfer.to]);  // with which it starts
    change_links(flow, false);
    ++comms_in_flight_;
  }

  // To what a flow is to find them at when it begins, and back.
  void change_links(const Flow& flow, bool is_beginning) {
    if (found_.empty()) return;
    for (const platforms::LinkIndex link : flow.links)
      if (found_[link] > 0)
        zone_.links[link]->set_bandwidth(is_beginning ? found_[link] : bandwidth(link, now_));
  }

  void on_comm_end(const s4u::Activity& activity) {
    const auto tagged = reinterpret_cast<std::uintptr_t>(activity.get_data<void>());
    if (tagged == 0) return;
    const auto index = static_cast<std::uint32_t>(tagged - 1);
    --comms_in_flight_;
    // SimGrid goes on using it after this callback: dropped at the next one.
    ended_comm_ = std::move(flows_[index].comm);
    if (stopped_) return;
    now_ = std::max(now_, s4u::Engine::get_clock());
    end_flow(index);
    drain();
  }

  void end_flow(std::uint32_t index) {
    if (conditions_.empty())
      solo_.leave(flows_[index].links);
    else
      conditions_.note(flows_[index].links, flows_[index].transfer.start.value, now_);
    finish(index);
  }

  void finish(std::uint32_t index) {
    Flow& flow = flows_[index];
    ++flow.generation;
    const EventId id = flow.transfer.id;
    flows_.give_back(index);
    listener_->on_tail(id);
  }

  const platforms::Platform platform_, scaled_;
  std::unique_ptr<platforms::RouteTable> routes_,
      scaled_routes_;  // the zone may ask the latter while it simulates
  LinkConditions conditions_;
  // By link, in units: the bandwidth at which a flow is to find it when it begins; 0: that which it has.
  std::vector<double> found_;
  SoloFlows solo_;
  std::unique_ptr<s4u::Engine> engine_;
  platforms::Zone zone_;
  NetworkListener* listener_ = nullptr;
  EventHeap events_;
  Pool<Flow> flows_;
  UsedCables used_;
  platforms::Route route_;  // scratch
  s4u::CommPtr ended_comm_;
  Timer* armed_ = nullptr;
  double armed_date_ = kNoDate, wake_simgrid_at_ = kNoDate;
  double now_ = 0;
  std::uint64_t comms_in_flight_ = 0;
  bool stopped_ = false;
};

}  // namespace

}  // namespace reprise::sim

extern "C" __attribute__((visibility("default"))) reprise::sim::Network* reprise_simgrid_network(
    const reprise::platforms::Platform& platform,
    std::span<const reprise::sim::LinkChange> changes) {
  return std::make_unique<reprise::sim::SimgridNetwork>(platform, changes).release();
}
