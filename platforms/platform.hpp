// SPDX-License-Identifier: MIT
// A machine as the replay sees it: nodes, the path inside a node, the network between nodes, and MPI's own costs.
//
// A plain value. It is read from a platform file (load.hpp; the file format is platform.schema.json), placed ranks on
// (placement.hpp), routed over (routes.hpp) and built in SimGrid (zones/zone.hpp).
// Every number has a source: `sources` holds what the file says about where its numbers come from.
//
// Time of one message of n bytes, alone on its route:
//   send_overhead + route latency · latency_factor(n) + n / (narrowest bandwidth · bandwidth_factor(n)) + recv_overhead;
// above the eager limit with the handshake on, two more route latencies come before the payload (request and clearance). Of that time the
// links on its way carry n / bandwidth_factor(n) bytes or, where factors apply to messages, n (Mpi::passage).
#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "platforms/cold_caches.hpp"
#include "platforms/topologies/registry.hpp"
#include "trace-io/base/quantity.hpp"

namespace reprise::platforms {

// Nodes that are alike; of a machine whose nodes are not all so.
struct NodeGroup {
  std::uint32_t count = 1, cores = 1;
  std::optional<FlopPerSecond> core_speed;
  double relative_speed = 1;
  std::optional<BytesPerSecond> memory_bandwidth;
};

struct Nodes {
  std::uint32_t count = 1;
  std::uint32_t cores =
      1;  // per node (the most of any where there are groups); more ranks share the cores
  std::uint32_t sockets =
      1;  // per node, each with its own path and as many cores; divides the cores
  std::vector<NodeGroup>
      groups;  // empty where all nodes are alike; else their counts add up to `count`, in order of nodes
  std::vector<std::string> names;  // of the nodes, in their order; empty where they have none
  // Describes the machine; absent where unknown. It never rescales recorded compute times on its own: how fast this
  // machine runs the recorded program is a statement about program *and* machines, made by the user (--compute 1.3x), or for
  // the nodes by relative_speed.
  std::optional<FlopPerSecond> core_speed;
  // How fast a core runs the recorded program against one of the recording's: 0.5 takes twice the recorded compute times.
  double relative_speed = 1;
  // What a node's memory moves in all for the ranks that compute there; absent: it bounds nothing. How much a program moves is for the user to
  // say (--memory-traffic).
  std::optional<BytesPerSecond> memory_bandwidth;

  std::uint32_t cores_of(std::uint32_t node) const;
  std::optional<FlopPerSecond> core_speed_of(std::uint32_t node) const;
  double relative_speed_of(std::uint32_t node) const;
  std::optional<BytesPerSecond> memory_bandwidth_of(std::uint32_t node) const;
  std::uint64_t core_count() const;  // of the whole machine
};

// Which of a node's network interfaces a message takes.
enum class InterfaceUse {
  kByCore,   // that of the rank's core: the cores are divided among them in blocks
  kStriped,  // all: they act as one of so many times the bandwidth
};

// What each message between nodes crosses first and last.
struct NetworkInterface {
  std::uint32_t count = 1;  // per node
  LinkSpec link;            // of each; a full-duplex one is an "out" and an "in"
  InterfaceUse use = InterfaceUse::kByCore;

  // How many of them messages tell apart.
  std::uint32_t separate() const { return use == InterfaceUse::kStriped ? 1 : count; }
  // All that one message takes together.
  BytesPerSecond bandwidth() const {
    return use == InterfaceUse::kStriped ? BytesPerSecond{link.bandwidth.value * count}
                                         : link.bandwidth;
  }
};

// Messages share links in inverse proportion to their routes' latency, as in SimGrid's models of TCP (docs/MODEL.md).
struct LatencyWeights {
  Bytes weight_s;  // SimGrid's weight-S: each link of the route counts weight_s / bandwidth more
  std::optional<Bytes>
      tcp_gamma;  // the largest TCP window: a message moves at most so much in two latencies
  bool operator==(const LatencyWeights&) const = default;
};

struct Network {
  Topology topology;
  LinkSpec link;
  std::optional<NetworkInterface> interface =
      {};  // absent: nothing but the topology's links bounds what a node injects
  std::optional<LatencyWeights> latency_weights = {};  // absent: all messages weigh the same
};

// From this message size on, until the next one's size, a quantity is multiplied by `factor`.
struct SizeFactor {
  Bytes from;
  double factor = 1;
  bool operator==(const SizeFactor&) const = default;
};

// From this message size on, until the next one's size, something takes this long.
struct SizeTime {
  Bytes from;
  Seconds time;
};

// How far the numbers of a path are from the measurements that they were fitted to (platforms/calibration).
struct Residual {
  Bytes bytes;
  double relative = 0;  // fitted / measured − 1
};
struct Uncertainty {
  double typical = 0, largest = 0;  // root mean square and largest of the residuals
  std::vector<Residual> residuals;  // ascending sizes
};

// Whether the MPI library moves a rank's handshakes on while the rank computes.
enum class Progress {
  kAsynchronous,  // always: a progress thread, or an interface that does it on its own
  kInCalls,       // only while the rank is inside an MPI call
};

// When the latency of a rendezvous without handshake passes.
enum class RendezvousHead {
  kAhead,        // at once: the message's head waits for the receive at the receiver
  kWithPayload,  // when the receive is there: nothing goes before, as in SMPI
};

// What the factors by size change.
enum class FactorsApplyTo {
  kLinks,  // what a message takes of each link, as in SMPI: at half the bandwidth it loads a link twice as long
  kMessages,  // the message's own rate: links carry its bytes, and others' in what it leaves
};

// What a message of some size is on a route of some latency and bandwidth.
struct Passage {
  double latency_factor = 1;  // of the head
  double wire_bytes = 0;      // that each link carries
  double own_rate = 0;        // bytes a second at most, whatever the links have; infinite: no bound
};

struct Mpi {
  Bytes eager_limit{
      65536};  // messages of this size and below are sent eagerly; larger ones by rendezvous
  Seconds send_overhead, recv_overhead;  // CPU time per message, on the sender and on the receiver
  bool rendezvous_handshake = true;  // request and clearance cross the network before the payload
  RendezvousHead rendezvous_head = RendezvousHead::kAhead;  // without the handshake
  std::optional<BytesPerSecond>
      copy_bandwidth;  // of copies into and out of MPI's own buffers; absent: they cost nothing
  Progress progress = Progress::kAsynchronous;
  std::vector<SizeFactor> latency_factors, bandwidth_factors;  // ascending sizes; 1 below the first
  FactorsApplyTo factors_apply_to = FactorsApplyTo::kLinks;    // these two
  std::vector<SizeFactor> copy_factors;                        // of the copy bandwidth
  // How long after its message's tail a send is complete; ascending sizes. Below the first an eager send is complete when called, a
  // rendezvous with the tail.
  std::vector<SizeTime> acknowledgements;
  std::vector<ColdCosts>
      cold_caches;  // ascending times of computing; empty: calls cost the same behind it
  std::optional<Uncertainty> uncertainty;

  // Whether a rendezvous is met where both ranks are ready, without anything having crossed the network.
  bool meets_at_once() const {
    return !rendezvous_handshake && rendezvous_head == RendezvousHead::kWithPayload;
  }
  double latency_factor(Bytes size) const;    // λ: of a message's time alone
  double bandwidth_factor(Bytes size) const;  // β: likewise
  // Of the head. Where factors apply to messages, what larger ones have beyond that of an empty one belongs to their body.
  double head_latency_factor(Bytes size) const;
  // With h the head's factor, L and B of the route: n/β bytes at any rate; where factors apply to messages, n bytes, or n/β where β is above 1,
  // that take L·(λ − h) + n/(β·B) at least. Alone a message takes L·λ + n/(β·B) either way.
  Passage passage(Bytes size, Seconds latency, BytesPerSecond bandwidth) const;
  Seconds copy_time(Bytes size) const;  // 0 where copies cost nothing
  Seconds acknowledgement(Bytes size) const;
};

// How collectives are carried out. What names there are is for the replay to say.
struct CollectiveRule {
  std::string operation;  // "allreduce"
  std::optional<Bytes> up_to;
  std::string algorithm;
  Bytes segment;             // 0: the data as a whole
  std::uint32_t fanout = 0;  // 0: the algorithm's own
  std::string pointer;       // where the algorithm is named
};
struct Collectives {
  std::string selection = "recorded";
  std::vector<CollectiveRule> rules;  // of an operation in ascending order of size
};

// Where files live. Its data does not cross the network between the nodes: a way of its own, whose end is per_client_bandwidth.
struct Storage {
  enum class Kind {
    kShared,
    kPerNode
  };  // one for all nodes (a parallel file system), or one in each node (its disk)
  Kind kind = Kind::kShared;
  BytesPerSecond read_bandwidth,
      write_bandwidth;  // of the one storage; its concurrent reads share one, its writes the other
  Seconds latency;      // of an access, before its bytes flow
  Seconds
      metadata_latency;  // of opening, closing, deleting, resizing, flushing; the latency unless given
  Seconds operation_cost;  // that the storage is busy with each access besides its bytes: 1 / IOPS
  std::optional<BytesPerSecond> per_client_bandwidth;  // the most that one access can have
  bool operator==(const Storage&) const = default;
};

struct Platform {
  std::string file;  // where it was read from, for messages
  std::string name;
  SourceNotes sources;  // in the order of the file's sections; the first is the whole file's
                        // (pointer "")
  std::vector<std::string> remarks;  // what to know of its numbers; every answer repeats them
  Nodes nodes;
  LinkSpec intra_node;  // one per socket, used by every message between ranks of that socket
  std::optional<BytesPerSecond> intra_node_per_receiver;  // what one rank can take in from its node
  LinkSpec inter_socket;  // one per node with several sockets, between the two sockets' own paths
  std::optional<Network> network;  // absent only where there is one node
  std::optional<Storage> storage;  // absent where unknown: MPI-IO then takes the time that it took
  Mpi mpi;                         // of messages over the network
  Collectives collectives;
  std::optional<BytesPerSecond>
      reduction_bandwidth;  // bytes that a rank combines per second; absent: combining takes no time
  std::vector<SizeFactor> reduction_factors;  // of it, by the size of what is combined at once
  Mpi intra_node_mpi;  // of messages inside a node: the same but for what the file says of that path

  Seconds reduction_time(Bytes size) const;
  // Among how many network interfaces a node's cores are divided.
  std::uint32_t interfaces_by_core() const {
    return network && network->interface ? network->interface->separate() : 1;
  }
  // What routes run between (routes.hpp): cores of one socket and one network interface are one end. Where sockets and
  // interfaces begin at the same core they have their first end in common.
  std::uint32_t ends_per_node() const;
  std::uint32_t end_of(std::uint32_t node, std::uint32_t core) const;
  const Mpi& mpi_between(std::uint32_t from_node, std::uint32_t to_node) const {
    return from_node == to_node ? intra_node_mpi : mpi;
  }
  // Null where messages share links evenly.
  const LatencyWeights* latency_weights() const {
    return network && network->latency_weights ? &*network->latency_weights : nullptr;
  }
  const Mpi& mpi_between_ends(std::uint32_t from, std::uint32_t to) const {
    const std::uint32_t ends = ends_per_node();
    const bool inside = from == to || (ends > 1 && from / ends == to / ends);
    return inside ? intra_node_mpi : mpi;
  }
};

inline std::uint32_t Platform::ends_per_node() const {
  const std::uint32_t interfaces = interfaces_by_core();
  return interfaces == 1 ? nodes.sockets
                         : nodes.sockets + interfaces - std::gcd(nodes.sockets, interfaces);
}

// All links of a machine, each listed once, for code that scales, names or compares links. The pointers are into the platform.
// Those inside its nodes, "intra-node" and "inter-socket":
std::vector<Cable> node_links(Platform&);
// Those between nodes: the interfaces, every kind of cable of the topology, and the network's link, which gives the cables their defaults.
// The latter has no name unless it describes a cable itself, as in a star.
std::vector<Cable> network_links(Platform&);

}  // namespace reprise::platforms
