// SPDX-License-Identifier: MIT
// The one narrow door between the replay and a network: start a transfer, start a delay, now, run.
//
// Behind it stand network models with one meaning and different costs (network_model.hpp): max-min sharing (flow, the default),
// the same solved by SimGrid, links that serve messages one after the other (queue), every message alone (uncontended). Nodes are
// the platform's; which ranks live on them is the caller's affair.
//
// Transfer  the head of a message arrives one route latency after its start, its tail when all bytes have come through:
//             head = start + latency · latency_factor(bytes)
//             tail = head + bytes / (share of the narrowest link · bandwidth_factor(bytes))
//           or, where the platform's factors apply to messages, bytes / share at a rate of its own at most (Mpi::passage).
//           (where messages wait for one another, both come later: queue_network.cpp).
//           A transfer of no bytes has its tail right after its head.
// Order     completions come by (time, order of starting); a network may order flows that end at one instant by its own fixed
//           rule. Runs are repeatable: nothing depends on addresses or hashes.
// Time      starts may lie in the future (a rank that never waits runs ahead of the clock), never in the past.
// Cost      see the implementations; per event one virtual call, no allocation in the steady state on our side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "platforms/routes.hpp"
#include "platforms/settings_use.hpp"
#include "sim/network/flow_observer.hpp"
#include "trace-io/base/quantity.hpp"

namespace reprise::sim {

// Chosen by the caller, handed back when the thing has happened.
using EventId = std::uint64_t;

// Who hears what happened. Must not throw: the calls may come from inside SimGrid's loop, where an exception would abort.
class NetworkListener {
 public:
  virtual ~NetworkListener() = default;
  virtual void on_head(EventId transfer) = 0;
  virtual void on_tail(EventId transfer) = 0;
  virtual void on_delay_end(EventId delay) = 0;
  // The transfer's head or tail comes soon: it is so many steps, 3 to 0, from being next (event_heap.hpp). What it will ask for
  // may be fetched from memory. Must change nothing; may be left out.
  virtual void prepare(EventId transfer, unsigned steps) {
    static_cast<void>(transfer);
    static_cast<void>(steps);
  }
};

class Network {
 public:
  enum class Head : std::uint8_t {
    kTravels,  // the latency is paid first, on_head() is called
    kIsThere,  // it came with an earlier message: the bytes flow at once, only on_tail() is called
  };
  static constexpr std::int32_t kNobody = -1;
  struct Transfer {
    platforms::NodeIndex from = 0, to = 0;
    Bytes bytes;
    Seconds start;  // at or after now()
    Head head = Head::kTravels;
    EventId id = 0;
    std::int32_t receiver =
        kNobody;  // the rank whose share of the node's path it takes, where the platform bounds that
  };

  virtual ~Network() = default;
  Network() = default;
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  virtual void start_transfer(const Transfer&) = 0;
  virtual void start_delay(Seconds end, EventId) = 0;  // end at or after now()
  // Of a message without payload between two nodes, sent at that time, as the rendezvous' request and clearance are.
  virtual Seconds latency(platforms::NodeIndex from, platforms::NodeIndex to, Seconds at) = 0;
  virtual Seconds now() const = 0;
  // Returns when nothing is left to happen, or after stop(). Call once.
  virtual void run(NetworkListener&) = 0;
  // What any message had on its route: platforms::LinkClass::cable, sorted, each once.
  virtual std::vector<std::string> cables_used() const = 0;
  virtual platforms::InterfacesMet interfaces_used() const = 0;
  // Nothing is delivered any more. For a listener that has met an error.
  virtual void stop() = 0;
  // Which of the changes of links no message has met, by their places in the list that the network was made with.
  virtual std::vector<std::size_t> unmet_changes() const { return {}; }
  // Whether a head may come later than its latency, as it queues behind other messages, which requests and clearances do not.
  virtual bool heads_wait() const { return false; }
  // OBSERVER hears how flows share links. False where messages share them in another way: OBSERVER then hears of waits alone, or of nothing. Call
  // before run().
  virtual bool observe(FlowObserver& observer) {
    static_cast<void>(observer);
    return false;
  }
  // How often it went over to solving flows within a tolerance.
  virtual std::uint64_t crowds() const { return 0; }
  // A message may soon be sent from here to there: what is known of the route may be fetched from memory. Must change nothing.
  virtual void expect(platforms::NodeIndex from, platforms::NodeIndex to) const {
    static_cast<void>(from);
    static_cast<void>(to);
  }
  // Likewise, to whom its last message but so many suggests.
  virtual void expect(platforms::NodeIndex from) const { static_cast<void>(from); }

 protected:
  // From so many events under way on their data is not in the processor's caches, and prepare() pays. On machines of thousands of nodes that is so
  // with few: a wave through all ranks has some dozens at a time, each of a rank that was last heard of a million cache lines ago.
  static constexpr std::size_t least_crowd(std::size_t ends) { return ends < 2048 ? 512 : 16; }
};

}  // namespace reprise::sim
