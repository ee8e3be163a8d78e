// SPDX-License-Identifier: MIT
// reprise platform: list, show, check, collectives; calibrate is in calibrate_action.cpp.
#include <algorithm>
#include <cstdio>
#include <sstream>

#include "platforms/catalogue.hpp"
#include "platforms/load.hpp"
#include "platforms/override.hpp"
#include "platforms/routes.hpp"
#include "sim/cli/calibrate_action.hpp"
#include "sim/cli/collectives_text.hpp"
#include "sim/cli/json_text.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/platform_place.hpp"
#include "sim/cli/words.hpp"
#include "sim/collectives/selection.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;
using platforms::Platform;
using platforms::RouteTable;

Syntax syntax(const std::string& action, std::vector<std::string> operands, const std::string& explanation) {
  std::string usage = "reprise platform " + action;
  for (const auto& operand : operands) usage += " " + operand;
  Syntax s{"platform " + action, usage + " [OPTIONS]", explanation, po::options_description("options"), std::move(operands)};
  add_output_options(s.options, action == "check" ? "text" : "text|json");
  return s;
}

std::string topology_of(const Platform& platform) {
  if (!platform.network) return "one node";
  if (const auto* tree = std::get_if<platforms::FatTree>(&platform.network->topology))
    return "fat tree of " + std::to_string(tree->levels.size()) + (tree->levels.size() == 1 ? " level" : " levels");
  if (const auto* torus = std::get_if<platforms::Torus>(&platform.network->topology)) {
    std::string sizes;
    for (const auto& dimension : torus->dimensions) sizes += (sizes.empty() ? "" : "×") + std::to_string(dimension.size);
    return "torus " + sizes;
  }
  if (const auto* dragonfly = std::get_if<platforms::Dragonfly>(&platform.network->topology))
    return "dragonfly of " + counted(dragonfly->groups, "group");
  return "star";
}

std::string size_of(const Platform& platform) {
  return counted(platform.nodes.count, "node") + " of " + counted(platform.nodes.cores, "core");
}

int list(const Arguments& arguments) {
  const auto values = parse(syntax("list", {}, "The platforms that --platform knows by name."), arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, "platform list", "text|json");
  auto rows = nlohmann::ordered_json::array();
  std::ostringstream text;
  text << formatted("%-20s  %8s  %10s  %s\n", "name", "nodes", "cores each", "topology");
  for (const auto& entry : platforms::list_platforms(platforms::platform_folders())) {
    try {
      const auto platform = platforms::load_platform(entry.path);
      rows.push_back({{"name", entry.name}, {"nodes", platform.nodes.count}, {"cores_per_node", platform.nodes.cores},
                      {"topology", topology_of(platform)}, {"file", entry.path}});
      text << formatted("%-20s  %8u  %10u  %s\n", entry.name.c_str(), platform.nodes.count, platform.nodes.cores,
                        topology_of(platform).c_str());
    } catch (const InputError& error) {
      std::fprintf(stderr, "reprise: warning: left out: %s\n", error.what());
    }
  }
  write_output(*values, format == OutputFormat::json ? json_text(rows) : text.str());
  return kDone;
}

struct Distance {
  std::string what;
  platforms::NodeIndex to;
};

// Node 0 to itself, to its neighbour and to the far end of the machine.
std::vector<Distance> distances(const Platform& platform) {
  std::vector<Distance> list = {{"inside a node", 0}};
  if (platform.nodes.count > 1) list.push_back({"node 0 to node 1", 1});
  if (platform.nodes.count > 2)
    list.push_back({"node 0 to node " + std::to_string(platform.nodes.count - 1), platform.nodes.count - 1});
  return list;
}

std::string show_text(const Platform& platform, const RouteTable& routes) {
  std::ostringstream text;
  text << platform.name << "  (" << platform.file << ")\n"
       << size_of(platform) << ", " << topology_of(platform) << ", " << counted(routes.link_count(), "link") << "\n"
       << "MPI: eager up to " << to_text(platform.mpi.eager_limit) << ", overhead " << to_text(platform.mpi.send_overhead)
       << " to send and " << to_text(platform.mpi.recv_overhead) << " to receive\n\n"
       << "route                      links     latency       bandwidth\n";
  platforms::Route route;
  for (const auto& [what, to] : distances(platform)) {
    routes.find_route(0, to * platform.nodes.sockets, route);
    text << formatted("%-26s %5zu  %10s  %14s\n", what.c_str(), route.links.size(), to_text(route.latency).c_str(),
                      to_text(route.bandwidth).c_str());
  }
  text << "\nsources\n";
  for (const auto& note : platform.sources)
    text << "  " << (note.pointer.empty() ? "(all)" : note.pointer) << ": " << note.text << "\n";
  return text.str();
}

std::string show_json(const Platform& platform, const RouteTable& routes) {
  nlohmann::ordered_json answer = {{"format", 1}, {"name", platform.name}, {"file", platform.file},
                                   {"nodes", platform.nodes.count}, {"cores_per_node", platform.nodes.cores},
                                   {"topology", topology_of(platform)}, {"links", routes.link_count()}};
  platforms::Route route;
  for (const auto& [what, to] : distances(platform)) {
    routes.find_route(0, to * platform.nodes.sockets, route);
    answer["routes"].push_back({{"from", 0}, {"to", to}, {"links", route.links.size()},
                                {"latency_s", route.latency.value}, {"bandwidth_bytes_per_s", route.bandwidth.value}});
  }
  return json_text(answer);
}

Platform named_platform(const po::variables_map& values, const std::string& verb) {
  return platforms::load_platform(
      platforms::find_platform(required(values, verb, "PLATFORM"), platforms::platform_folders(), "reprise " + verb));
}

int show(const Arguments& arguments) {
  const auto values = parse(syntax("show", {"PLATFORM"},
                                   "A platform with the effective latency and bandwidth between its nodes."), arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, "platform show", "text|json");
  const auto platform = named_platform(*values, "platform show");
  const auto routes = platforms::make_route_table(platform);
  write_output(*values, format == OutputFormat::json ? show_json(platform, *routes) : show_text(platform, *routes));
  return kDone;
}

int check(const Arguments& arguments) {
  const auto values = parse(syntax("check", {"PLATFORM"}, "Reads a platform file and says what is wrong with it."), arguments);
  if (!values) return kDone;
  output_format(*values, "platform check", "text");
  const auto platform = named_platform(*values, "platform check");
  static_cast<void>(sim::Selection(platform, ""));  // throws for algorithms that there are not
  write_output(*values, platform.file + ": fine: " + size_of(platform) + ", " + topology_of(platform) + "\n");
  return kDone;
}

int collectives(const Arguments& arguments) {
  auto described = syntax("collectives", {"PLATFORM"},
                          "Which algorithm carries out each collective, by size: the vector of bcast, reductions, scans and\n"
                          "reduce_scatter, one block of the others. Reductions with operators that do not commute may differ.");
  described.options.add_options()
      ("ranks,n", po::value<std::string>()->value_name("N")->default_value("64"), "members of the communicator")
      ("library", po::value<std::string>()->value_name("NAME")->default_value("Open MPI 4.1"),
       "what the trace was recorded with, where the platform asks for that")
      ("set", po::value<std::vector<std::string>>()->value_name("POINTER=VALUE")->composing(),
       "change a setting first, such as /mpi/collectives/allreduce=ring");
  const auto values = parse(described, arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, "platform collectives", "text|json");
  auto document = platforms::load_document(platforms::find_platform(required(*values, "platform collectives", "PLATFORM"),
                                                                    platforms::platform_folders(), "reprise platform collectives"));
  if (values->count("set"))
    for (const auto& setting : (*values)["set"].as<std::vector<std::string>>()) platforms::apply_set(document, setting, "--set");
  const auto platform = platforms::parse_platform(document);
  CollectivesQuestion question;
  question.ranks = static_cast<std::int32_t>(whole_number(*values, "ranks", 1, 1'000'000));
  question.ranks_per_node = static_cast<std::int32_t>(platform.nodes.cores);
  question.mpi_library = (*values)["library"].as<std::string>();
  write_output(*values, format == OutputFormat::json ? collectives_json(platform, question) : collectives_text(platform, question));
  return kDone;
}

int run(const Arguments& arguments) {
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h") {
    std::fputs("usage: reprise platform list | show PLATFORM | check PLATFORM | collectives PLATFORM | place TRACE | calibrate MEASUREMENT\n\n"
               "  list         the ready machines\n"
               "  show         one of them, or a file, with the latency and bandwidth between nodes\n"
               "  check        what is wrong with a platform file\n"
               "  collectives  which algorithms carry out collectives\n"
               "  place        a placement of a trace's ranks that takes few hops\n"
               "  calibrate    a platform file of measurements\n",
               arguments.empty() ? stderr : stdout);
    return arguments.empty() ? kBadUsage : kDone;
  }
  const Arguments rest(arguments.begin() + 1, arguments.end());
  if (arguments[0] == "list") return list(rest);
  if (arguments[0] == "show") return show(rest);
  if (arguments[0] == "check") return check(rest);
  if (arguments[0] == "collectives") return collectives(rest);
  if (arguments[0] == "place") return platform_place(rest);
  if (arguments[0] == "calibrate") return calibrate_platform(rest);
  const auto nearest = nearest_word(arguments[0], {"list", "show", "check", "collectives", "place", "calibrate"});
  throw InputError("reprise platform", "no action \"" + arguments[0] + "\"",
                   nearest ? "did you mean \"" + *nearest + "\"?" : "one of list, show, check, collectives, place, calibrate");
}

}  // namespace

const Verb kPlatformVerb = {"platform", "the machines to replay on: list, show, check, collectives, place, calibrate", run};

}  // namespace reprise::cli
