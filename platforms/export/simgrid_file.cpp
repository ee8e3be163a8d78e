// SPDX-License-Identifier: MIT
#include "platforms/export/simgrid_file.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "platforms/markup/markup.hpp"
#include "platforms/routes.hpp"
#include "platforms/topologies/fat_tree.hpp"
#include "platforms/topologies/star.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

constexpr NodeIndex kMostEnds = 512;
// Of a TCP window: none bounds. With 0 SimGrid drops the bounds of all links on a flow.
constexpr const char* kNoWindow = "1e18";
constexpr FlopPerSecond kUnknownSpeed{1e9};  // compute times are replayed, not computed

// All digits, so that it is read back as it is.
std::string digits(double value) {
  char text[32];
  const auto end = std::to_chars(std::begin(text), std::end(text), value).ptr;
  return {std::begin(text), end};
}
std::string text_of(Seconds time) { return digits(time.value) + "s"; }
std::string text_of(BytesPerSecond rate) { return digits(rate.value) + "Bps"; }
std::string text_of(FlopPerSecond speed) { return digits(speed.value) + "f"; }

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + markup::escaped(value) + '"';
}
std::string prop(const char* name, const std::string& value) {
  return "    <prop" + attribute("id", name) + attribute("value", value) + "/>\n";
}

const char* policy_of(Sharing sharing) {
  switch (sharing) {
    case Sharing::kShared:
      return "SHARED";
    case Sharing::kFullDuplex:
      return "SPLITDUPLEX";
    case Sharing::kUncontended:
      return "FATPIPE";
  }
  REPRISE_ASSERT(false, "a kind of sharing");
  return "";
}

// SimGrid's sections hold for sizes above the one given, the first one for all below, too.
std::string sections(const std::vector<SizeFactor>& factors) {
  if (factors.empty()) return "0:1";
  std::string text = factors.front().from.value > 0 ? "0:1;" : "";
  for (const SizeFactor& factor : factors)
    text += std::to_string(factor.from.value == 0 ? 0 : factor.from.value - 1) + ":" +
            digits(factor.factor) + ";";
  text.pop_back();
  return text;
}

std::string config(const Platform& platform) {
  const Mpi& mpi = platform.mpi;
  const std::string limit = std::to_string(mpi.eager_limit.value + 1);  // messages below are eager
  const auto flat = [](Seconds time) { return "0:" + digits(time.value) + ":0"; };
  std::string text = "  <config>\n";
  // smpirun asks for the SMPI model, whatever the file says; that takes factors of its own, which are corrections for TCP unless given.
  text += prop("network/model", "SMPI") + prop("smpi/lat-factor", sections(mpi.latency_factors)) +
          prop("smpi/bw-factor", sections(mpi.bandwidth_factors));
  const LatencyWeights* weights = platform.latency_weights();
  const bool has_window = weights != nullptr && weights->tcp_gamma;
  const std::string window = has_window           ? std::to_string(weights->tcp_gamma->value)
                             : weights == nullptr ? "0"
                                                  : kNoWindow;
  text +=
      prop("network/weight-S", weights == nullptr ? "0" : std::to_string(weights->weight_s.value)) +
      prop("network/TCP-gamma", window) + prop("network/crosstraffic", "no") +
      prop("surf/precision", "1e-12") + prop("smpi/async-small-thresh", limit) +
      prop("smpi/send-is-detached-thresh", limit) + prop("smpi/os", flat(mpi.send_overhead)) +
      prop("smpi/ois", flat(mpi.send_overhead)) + prop("smpi/or", flat(mpi.recv_overhead));
  return text + "  </config>\n";
}

std::vector<std::string> left_out(const Platform& platform) {
  std::vector<std::string> list;
  const auto note = [&](bool is_there, const char* what) {
    if (is_there) list.emplace_back(what);
  };
  const Mpi &mpi = platform.mpi, &inside = platform.intra_node_mpi;
  note(mpi.rendezvous_handshake, "the handshake of messages above the eager limit");
  note(!mpi.rendezvous_handshake && !mpi.meets_at_once(),
       "heads that go ahead of messages above the eager limit");
  note(mpi.progress == Progress::kInCalls, "progress in MPI calls only");
  note(mpi.factors_apply_to == FactorsApplyTo::kMessages,
       "factors by size that apply to messages: in SMPI they apply to links");
  note(!mpi.acknowledgements.empty(), "acknowledgements");
  note(mpi.copy_bandwidth.has_value(), "the copy bandwidth");
  note(!mpi.cold_caches.empty(), "cold caches");
  note(platform.reduction_bandwidth.has_value(), "the reduction bandwidth");
  note(inside.eager_limit != mpi.eager_limit || inside.send_overhead != mpi.send_overhead ||
           inside.recv_overhead != mpi.recv_overhead,
       "MPI's own costs inside a node");
  note(platform.intra_node_per_receiver.has_value(), "what one rank can take in inside a node");
  note(platform.nodes.memory_bandwidth_of(0).has_value(), "memory bandwidth");
  note(platform.storage.has_value(), "storage");
  note(platform.collectives.selection != "recorded" || !platform.collectives.rules.empty(),
       "the choice of collective algorithms");
  return list;
}

FlopPerSecond speed_of(const Platform& platform, std::uint32_t node) {
  const FlopPerSecond speed = platform.nodes.core_speed_of(node).value_or(kUnknownSpeed);
  return {speed.value * platform.nodes.relative_speed_of(node)};
}

// "2;16,4;1,8;1,1"; empty where the tree's links differ.
std::string tree_parameters(const FatTree& tree, const LinkSpec& link) {
  std::string down, up, parallel;
  for (const FatTree::Level& level : tree.levels) {
    if (level.link != link) return "";
    down += std::to_string(level.down) + ",";
    up += std::to_string(level.up) + ",";
    parallel += std::to_string(level.parallel) + ",";
  }
  for (std::string* part : {&down, &up, &parallel}) part->pop_back();
  return std::to_string(tree.levels.size()) + ";" + down + ";" + up + ";" + parallel;
}

// Empty where the machine is none that a <cluster> describes.
std::string cluster(const Platform& platform) {
  const Nodes& nodes = platform.nodes;
  if (!platform.network || platform.network->interface || nodes.sockets > 1 ||
      !nodes.groups.empty() || !nodes.names.empty())
    return "";
  const LinkSpec& link = platform.network->link;
  // A cluster's FATPIPE does not give every flow the whole bandwidth in SimGrid 3.32: both directions share it.
  if (link.sharing == Sharing::kUncontended) return "";
  std::string topology;
  if (const auto* star = std::get_if<Star>(&platform.network->topology)) {
    if (star->backbone)
      topology = attribute("bb_bw", text_of(star->backbone->bandwidth)) +
                 attribute("bb_lat", text_of(star->backbone->latency)) +
                 attribute("bb_sharing_policy", policy_of(star->backbone->sharing));
  } else if (const auto* tree = std::get_if<FatTree>(&platform.network->topology)) {
    const std::string parameters = tree_parameters(*tree, link);
    if (parameters.empty() || tree->room() != nodes.count) return "";
    topology = attribute("topology", "FAT_TREE") + attribute("topo_parameters", parameters);
  } else {
    return "";
  }
  return "  <cluster" + attribute("id", platform.name) + attribute("prefix", "node-") +
         attribute("suffix", "") + attribute("radical", "0-" + std::to_string(nodes.count - 1)) +
         attribute("speed", text_of(speed_of(platform, 0))) +
         attribute("core", std::to_string(nodes.cores)) + attribute("bw", text_of(link.bandwidth)) +
         attribute("lat", text_of(link.latency)) +
         attribute("sharing_policy", policy_of(link.sharing)) + topology +
         attribute("loopback_bw", text_of(platform.intra_node.bandwidth)) +
         attribute("loopback_lat", text_of(platform.intra_node.latency)) + "/>\n";
}

// Whether some of these hosts are further from each other than others.
bool has_uneven_routes(const Platform& platform, NodeIndex nodes) {
  if (!platform.network || std::holds_alternative<Star>(platform.network->topology)) return false;
  if (nodes > kMostEnds) return true;
  const auto table = make_route_table(platform);
  Route first, other;
  const std::uint32_t ends = table->ends_per_node();
  for (NodeIndex from = 0; from < nodes; ++from)
    for (NodeIndex to = 0; to < nodes; ++to) {
      if (from == to) continue;
      table->find_route(from * ends, to * ends, first.links.empty() ? first : other);
      if (!other.links.empty() && other.latency != first.latency) return true;
    }
  return false;
}

struct ExportedHost {
  NodeIndex end = 0, node = 0;  // END: of the route table
  std::uint32_t cores = 0;
  std::string name;
};

// One for each end that has cores. Sockets and interfaces divide a node's cores in blocks (Platform::end_of).
std::vector<ExportedHost> hosts_of(const Platform& platform, const RouteTable& table,
                                   NodeIndex nodes) {
  const std::uint32_t sockets = table.sockets_per_node(),
                      interfaces = std::max(1U, table.interfaces_per_node());
  std::vector<ExportedHost> hosts;
  for (NodeIndex node = 0; node < nodes; ++node) {
    const std::uint32_t cores = platform.nodes.cores_of(node);
    const auto first = [cores](std::uint32_t part, std::uint32_t parts) {
      return (part * cores + parts - 1) / parts;
    };
    const std::string name =
        platform.nodes.names.empty() ? "node-" + std::to_string(node) : platform.nodes.names[node];
    for (std::uint32_t number = 0; number < table.ends_per_node(); ++number) {
      const auto [socket, interface] = table.end_in_node(number);
      const std::uint32_t begin = std::max(first(socket, sockets), first(interface, interfaces)),
                          end = std::min(first(socket + 1, sockets),
                                         first(interface + 1, interfaces));
      if (begin >= end) continue;
      hosts.push_back({node * table.ends_per_node() + number, node, end - begin, name});
      if (sockets > 1) hosts.back().name += "-socket-" + std::to_string(socket);
      if (interfaces > 1 && cores > 1)
        hosts.back().name += "-interface-" + std::to_string(interface);
    }
  }
  return hosts;
}

std::string full_zone(const Platform& platform, NodeIndex nodes) {
  const auto table = make_route_table(platform);
  const std::vector<ExportedHost> ends = hosts_of(platform, *table, nodes);
  if (ends.size() > kMostEnds)
    throw InputError(platform.file,
                     "a SimGrid file of this machine would have the routes of " +
                         std::to_string(ends.size()) + " hosts to each other, more than the " +
                         std::to_string(kMostEnds) + " that are written",
                     "--nodes 64 writes the first 64 nodes; stars, and fat trees whose links are "
                     "all alike, have any size");
  std::string hosts, links, routes;
  for (const ExportedHost& host : ends)
    hosts += "    <host" + attribute("id", host.name) +
             attribute("speed", text_of(speed_of(platform, host.node))) +
             attribute("core", std::to_string(host.cores)) + "/>\n";
  std::set<LinkIndex> used;
  Route route;
  for (const ExportedHost& from : ends)
    for (const ExportedHost& to : ends) {
      table->find_route(from.end, to.end, route);
      routes += "    <route" + attribute("src", from.name) + attribute("dst", to.name) +
                " symmetrical=\"NO\">";
      for (const LinkIndex link : route.links) {
        if (link == table->receiver_bound()) continue;
        used.insert(link);
        routes += "<link_ctn" + attribute("id", "link-" + std::to_string(link)) + "/>";
      }
      routes += "</route>\n";
    }
  for (const LinkIndex link : used) {
    const LinkClass& of = table->link(link);
    links += "    <link" + attribute("id", "link-" + std::to_string(link)) +
             attribute("bandwidth", text_of(of.bandwidth)) +
             attribute("latency", text_of(of.latency)) +
             attribute("sharing_policy", of.is_contended ? "SHARED" : "FATPIPE") + "/>\n";
  }
  return "  <zone" + attribute("id", platform.name) + " routing=\"Full\">\n" + hosts + links +
         routes + "  </zone>\n";
}

}  // namespace

SimgridFile simgrid_file(const Platform& platform, NodeIndex first_nodes) {
  SimgridFile made;
  made.left_out = left_out(platform);
  const bool is_all = first_nodes == 0 || first_nodes >= platform.nodes.count;
  std::string body = is_all ? cluster(platform) : "";
  const NodeIndex nodes = is_all ? platform.nodes.count : first_nodes;
  if (body.empty()) body = full_zone(platform, nodes);
  if (platform.latency_weights() == nullptr && has_uneven_routes(platform, nodes))
    made.left_out.emplace_back(
        "even shares of links: SimGrid gives messages on routes of less latency more");
  made.text =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n" +
      config(platform) + body + "</platform>\n";
  return made;
}

}  // namespace reprise::platforms
