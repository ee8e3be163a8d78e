// SPDX-License-Identifier: MIT
#include <array>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "platforms/catalogue.hpp"
#include "platforms/export/simgrid_file.hpp"
#include "platforms/interfaces.hpp"
#include "platforms/left_out.hpp"
#include "platforms/link_name.hpp"
#include "platforms/load.hpp"
#include "platforms/path.hpp"
#include "platforms/picture/picture.hpp"
#include "platforms/routes.hpp"
#include "platforms/topologies/taper.hpp"
#include "sim/cli/messages.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/platform_actions.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;
using platforms::Path;
using platforms::Platform;
using platforms::RouteTable;
using platforms::Spot;

// Message sizes of which the times are told.
constexpr std::array<std::uint64_t, 5> kSizes{0, 1024, 65536, 1 << 20, 16 << 20};

struct Endpoints {
  std::string what;
  Spot from, to;
};

// Node 0 to itself, to its neighbour and to the far end of the machine.
std::vector<Endpoints> usual_endpoints(const Platform& platform) {
  std::vector<Endpoints> list = {{"inside a node", {0, 0}, {0, 0}}};
  const auto last = platform.nodes.count - 1;
  if (platform.nodes.sockets > 1)
    list.push_back({"socket to socket", {0, 0}, {0, platform.nodes.cores - 1}});
  if (last > 0) list.push_back({"node 0 to node 1", {0, 0}, {1, 0}});
  if (last > 1) list.push_back({"node 0 to node " + std::to_string(last), {0, 0}, {last, 0}});
  return list;
}

std::string nodes_text(const Platform& platform) {
  std::string text;
  platforms::NodeIndex first = 0;
  for (const auto& group : platform.nodes.groups) {
    text += "  nodes " + std::to_string(first) + " to " + std::to_string(first + group.count - 1) +
            ": " + counted(group.cores, "core");
    if (group.core_speed) text += " of " + to_text(*group.core_speed);
    if (group.memory_bandwidth) text += ", memory " + to_text(*group.memory_bandwidth);
    text += formatted(", recorded compute times × %g\n", 1 / group.relative_speed);
    first += group.count;
  }
  if (platform.nodes.groups.empty() && platform.nodes.relative_speed != 1)
    text += formatted("  recorded compute times × %g\n", 1 / platform.nodes.relative_speed);
  if (platform.nodes.memory_bandwidth)
    text += "  memory of a node " + to_text(*platform.nodes.memory_bandwidth) + "\n";
  bool differ = false, is_said = false;
  for (const auto& group : platform.nodes.groups) {
    differ = differ || group.core_speed != platform.nodes.groups.front().core_speed;
    is_said = is_said || group.relative_speed != 1;
  }
  if (differ && !is_said)
    text +=
        "  core speeds differ, but do not rescale compute times: give each group that runs the "
        "program faster or slower a relative_speed\n";
  return text;
}

// Sums of a route's links, without what adding leaves behind: 440 ns, not 439.99999999999997 ns.
template <class Quantity>
std::string summed(Quantity quantity) {
  return to_text(Quantity{std::stod(formatted("%.12g", quantity.value))});
}

// To four digits: what is computed here has more than it means.
template <class Quantity>
std::string rounded(Quantity quantity) {
  return to_text(Quantity{std::stod(formatted("%.4g", quantity.value))});
}

struct ProgressText {
  const char *between_nodes, *inside_nodes;
  bool is_stated;  // by the file
};

ProgressText progress_of(const Platform& platform, const platforms::Document& document) {
  const auto name = [](platforms::Progress progress) {
    return progress == platforms::Progress::kInCalls ? "in_calls" : "asynchronous";
  };
  return {name(platform.mpi.progress), name(platform.intra_node_mpi.progress),
          document.value.contains("/mpi/progress"_json_pointer)};
}

std::string progress_text(const ProgressText& progress) {
  const std::string between = progress.between_nodes, inside = progress.inside_nodes;
  return "progress " + between + (progress.is_stated ? "" : " (the default)") +
         (inside == between ? "" : ", inside a node " + inside);
}

// Network interfaces; cables per node and oversubscription, where the nodes are joined by levels of switches.
std::string network_text(const Platform& platform) {
  std::string text = platforms::interfaces_text(platform);
  if (!text.empty()) text = "  " + text + "\n";
  if (!platform.network) return text;
  if (const auto taper = platforms::taper_of(platform.network->topology))
    for (const std::string& line : platforms::taper_lines(*taper)) text += "  " + line + "\n";
  return text;
}

std::string show_text(const Platform& platform, const ProgressText& progress,
                      const RouteTable& routes) {
  std::string text = platform.name + "  (" + platform.file + ")\n" + size_of(platform) + ", " +
                     topology_of(platform) + ", " + counted(routes.link_count(), "link") + "\n" +
                     network_text(platform) + nodes_text(platform) + "MPI: eager up to " +
                     to_text(platform.mpi.eager_limit) + ", overhead " +
                     to_text(platform.mpi.send_overhead) + " to send and " +
                     to_text(platform.mpi.recv_overhead) + " to receive, " +
                     progress_text(progress) + "\n\n" +
                     "route                      links     latency       bandwidth\n";
  for (const auto& ends : usual_endpoints(platform)) {
    const Path path(platform, routes, ends.from, ends.to);
    text += formatted("%-26s %5zu  %10s  %14s\n", ends.what.c_str(), path.route().links.size(),
                      summed(path.route().latency).c_str(), summed(path.route().bandwidth).c_str());
  }
  text += cold_text(platform);
  const auto left_out = platforms::left_out_of(platform);
  if (!left_out.empty()) text += "\nleft out\n";
  for (const std::string& what : left_out) text += "  " + what + "\n";
  if (!platform.remarks.empty()) text += "\nremarks\n";
  for (const std::string& remark : platform.remarks) text += "  " + remark + "\n";
  text += "\nsources\n";
  for (const auto& note : platform.sources)
    text += "  " + (note.pointer.empty() ? "(all)" : note.pointer) + ": " + note.text + "\n";
  return text;
}

nlohmann::ordered_json show_json(const Platform& platform, const ProgressText& progress,
                                 const RouteTable& routes) {
  nlohmann::ordered_json answer = {{"format", 1},
                                   {"name", platform.name},
                                   {"file", platform.file},
                                   {"nodes", platform.nodes.count},
                                   {"cores_per_node", platform.nodes.cores},
                                   {"topology", topology_of(platform)},
                                   {"links", routes.link_count()}};
  if (const auto taper =
          platform.network ? platforms::taper_of(platform.network->topology) : std::nullopt) {
    answer["cables_per_node"] = taper->cables_per_node;
    answer["levels"] = nlohmann::ordered_json::array();
    for (const auto& level : taper->levels)
      answer["levels"].push_back({{"cables_down", level.down},
                                  {"cables_up", level.up},
                                  {"oversubscription", level.oversubscription()}});
  }
  if (platform.network && platform.network->interface)
    answer["network_interfaces"] = {{"per_node", platform.network->interface->count},
                                    {"use", platforms::name_of(platform.network->interface->use)}};
  for (const auto& group : platform.nodes.groups)
    answer["node_groups"].push_back(
        {{"nodes", group.count}, {"cores", group.cores}, {"relative_speed", group.relative_speed}});
  answer["progress"] = {{"between_nodes", progress.between_nodes},
                        {"inside_nodes", progress.inside_nodes},
                        {"is_stated", progress.is_stated}};
  for (const std::string& what : platforms::left_out_of(platform))
    answer["left_out"].push_back(what);
  for (const std::string& remark : platform.remarks) answer["remarks"].push_back(remark);
  for (const auto& ends : usual_endpoints(platform)) {
    const Path path(platform, routes, ends.from, ends.to);
    answer["routes"].push_back({{"from", ends.from.node},
                                {"to", ends.to.node},
                                {"links", path.route().links.size()},
                                {"latency_s", path.route().latency.value},
                                {"bandwidth_bytes_per_s", path.route().bandwidth.value}});
  }
  if (auto cold = cold_json(platform); !cold.empty()) answer["cold_caches"] = std::move(cold);
  return answer;
}

std::string between_text(const Platform& platform, const RouteTable& routes,
                         const Endpoints& ends) {
  const Path path(platform, routes, ends.from, ends.to);
  std::string text = ends.what + " on " + platform.name + "\n" +
                     formatted("%-16s  %14s  %10s\n", "link", "bandwidth", "latency");
  for (const auto link : path.route().links) {
    const auto& what = routes.link(link);
    text += formatted("%-16s  %14s  %10s\n", platforms::name_on_route(routes, link).c_str(),
                      to_text(what.bandwidth).c_str(), summed(what.latency).c_str());
  }
  text += formatted("%-16s  %14s  %10s\n", counted(path.route().links.size(), "link").c_str(),
                    summed(path.route().bandwidth).c_str(), summed(path.route().latency).c_str());
  text += "\nlatency with MPI's overheads  " + rounded(path.least_latency()) +
          "\nbandwidth of large messages   " + rounded(path.bandwidth()) + "\n\n";
  text += formatted("%10s  %-10s  %10s  %14s\n", "message", "protocol", "one way", "bandwidth");
  for (const std::uint64_t size : kSizes) {
    const Seconds time = path.message_time(Bytes{size});
    text +=
        formatted("%10s  %-10s  %10s", to_text(Bytes{size}).c_str(),
                  path.is_rendezvous(Bytes{size}) ? "rendezvous" : "eager", rounded(time).c_str());
    if (size > 0)
      text += formatted("  %14s",
                        rounded(BytesPerSecond{static_cast<double>(size) / time.value}).c_str());
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json between_json(const Platform& platform, const RouteTable& routes,
                                    const Endpoints& ends) {
  const Path path(platform, routes, ends.from, ends.to);
  auto links = nlohmann::ordered_json::array(), messages = nlohmann::ordered_json::array();
  for (const auto link : path.route().links) {
    const auto& what = routes.link(link);
    links.push_back({{"name", what.name},
                     {"bandwidth_bytes_per_s", what.bandwidth.value},
                     {"latency_s", what.latency.value}});
    if (const auto interface = routes.interface_of(link);
        interface && routes.interfaces_per_node() > 1)
      links.back()["interface"] = interface->number;
  }
  for (const std::uint64_t size : kSizes)
    messages.push_back({{"bytes", size},
                        {"eager", !path.is_rendezvous(Bytes{size})},
                        {"time_s", path.message_time(Bytes{size}).value}});
  return {{"from", {{"node", ends.from.node}, {"core", ends.from.core}}},
          {"to", {{"node", ends.to.node}, {"core", ends.to.core}}},
          {"links", links},
          {"route_latency_s", path.route().latency.value},
          {"route_bandwidth_bytes_per_s", path.route().bandwidth.value},
          {"latency_s", path.least_latency().value},
          {"bandwidth_bytes_per_s", path.bandwidth().value},
          {"messages", messages}};
}

Endpoints endpoints_between(const std::string& text, const Platform& platform) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos)
    throw InputError("--between", "\"" + text + "\" is not two nodes",
                     "write them as 0,17, with names as n001,n018, or with cores as 0:0,0:31");
  const std::string from = text.substr(0, comma), to = text.substr(comma + 1);
  return {from + " to " + to, platforms::parse_spot(from, platform, "--between"),
          platforms::parse_spot(to, platform, "--between")};
}

Syntax show_syntax() {
  Syntax s{"platform show",
           "reprise platform show PLATFORM [OPTIONS]",
           "Shows a platform with the effective latency and bandwidth between its nodes.",
           po::options_description("options"),
           {"PLATFORM"}};
  s.options.add_options()("between", po::value<std::string>()->value_name("A,B"),
                          "show the route between two nodes (number, name, or NODE:CORE): its "
                          "links and the time of messages")(
      "svg", po::value<std::string>()->value_name("FILE"), "draw the machine as an SVG picture");
  s.options.add_options()("nodes", po::value<std::uint32_t>()->value_name("N"),
                          "write only the first N nodes (--format simgrid)");
  add_output_options(s.options, "text|json|simgrid");
  return s;
}

// A picture under another name would be opened by programs that cannot read it.
void refuse_other_picture(const std::string& path) {
  const auto extension = std::filesystem::path(path).extension();
  if (!extension.empty() && extension != ".svg")
    throw InputError("--svg", "\"" + path + "\" does not end in .svg",
                     "name it " + std::filesystem::path(path).replace_extension(".svg").string() +
                         "; other programs convert that to a " + extension.string().substr(1));
  refuse_unwritable(path);
}

}  // namespace

std::string topology_of(const Platform& platform) {
  if (!platform.network) return "one node";
  return std::visit([](const auto& topology) { return topology.description(); },
                    platform.network->topology);
}

std::string size_of(const Platform& platform) {
  const auto& nodes = platform.nodes;
  return counted(nodes.count, "node") + " of " + (nodes.groups.size() > 1 ? "up to " : "") +
         counted(nodes.cores, "core") +
         (nodes.sockets > 1 ? " on " + counted(nodes.sockets, "socket") : "");
}

int platform_show(const Arguments& arguments) {
  const auto values = parse(show_syntax(), arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, "platform show", "text|json|simgrid");
  if (values->count("nodes") && format != "simgrid")
    throw InputError("--nodes", "applies to a SimGrid file", "add --format simgrid");
  if (values->count("svg")) refuse_other_picture((*values)["svg"].as<std::string>());
  const auto document = platforms::load_document(
      platforms::find_platform(required(*values, "platform show", "PLATFORM"),
                               platforms::platform_folders(), "reprise platform show"));
  const auto platform = platforms::parse_platform(document);
  const auto progress = progress_of(platform, document);
  const auto routes = platforms::make_route_table(platform);
  std::optional<Endpoints> ends;
  if (values->count("between"))
    ends = endpoints_between((*values)["between"].as<std::string>(), platform);
  if (values->count("svg"))
    write_file((*values)["svg"].as<std::string>(), platforms::picture_of(platform));
  if (format == "simgrid") {
    if (ends)
      throw InputError("--between", "a SimGrid file describes the whole platform",
                       "leave out --between or --format simgrid");
    const auto file = platforms::simgrid_file(
        platform, values->count("nodes") ? (*values)["nodes"].as<std::uint32_t>() : 0);
    for (const std::string& what : file.left_out)
      note("note: " + platform.file + ": left out: " + what);
    write_output(*values, file.text);
  } else if (format == "json") {
    auto answer = show_json(platform, progress, *routes);
    if (ends) answer["between"] = between_json(platform, *routes, *ends);
    write_output(*values, json_text(answer));
  } else {
    write_output(*values, ends ? between_text(platform, *routes, *ends)
                               : show_text(platform, progress, *routes));
  }
  return kDone;
}

}  // namespace reprise::cli
