// SPDX-License-Identifier: MIT
#include <cstdio>
#include <limits>

#include "platforms/catalogue.hpp"
#include "platforms/load.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/placement_formats.hpp"
#include "sim/cli/platform_actions.hpp"
#include "sim/experiment/placement_search.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;

constexpr const char* kFormats = "text|json|hostfile|rankfile|slurm";

Syntax place_syntax() {
  Syntax s{"platform place",
           "reprise platform place TRACE -p PLATFORM [-o FILE] [OPTIONS]",
           "Searches for a placement of the trace's ranks with few hop-bytes: bytes sent × links "
           "crossed, over all messages.\nWrites it as a file for --placement: the node of each "
           "rank, one line per run of consecutive ranks on a node;\nor for a launcher: hostfile "
           "and rankfile for Open MPI's mpirun, slurm for SLURM_HOSTFILE and MPICH's mpiexec -f.",
           po::options_description("options"),
           {"TRACE"}};
  s.options.add_options()("platform,p", po::value<std::string>()->value_name("PLATFORM"),
                          "a ready machine (reprise platform list) or a platform file")(
      "seed", po::value<std::string>()->value_name("N")->default_value("1"), "seed of the search")(
      "nodes", po::value<std::string>()->value_name("ORDER")->default_value("first"),
      "which nodes the ranks get: the first ones, spread (those of each leaf switch, router or row "
      "in turn), or random:SEED")(
      "placement", po::value<std::string>()->value_name("HOW")->default_value("search"),
      "which placement to write, as replay --placement takes it: block, cyclic@spread, plane:4, "
      "a file; --seed and --nodes are for the search")(
      "hosts", po::value<std::string>()->value_name("FILE"),
      "hostfile, rankfile, slurm: names of real hosts, one a line, the first for the platform's "
      "node 0 (without it the platform's own names or numbers)");
  add_output_options(s.options, kFormats);
  return s;
}

std::string node_name(const platforms::Platform& platform, platforms::NodeIndex node) {
  return platform.nodes.names.empty() ? std::to_string(node) : platform.nodes.names[node];
}

std::string placement_text(const platforms::Platform& platform, const sim::SearchedPlacement& found,
                           const std::string& trace) {
  std::string text = "# the ranks of " + trace + " on " + platform.name + "\n";
  text += "# hop-bytes: " + found.hop_bytes() + "\n";
  const auto& nodes = found.placement.nodes;
  for (std::size_t rank = 0, next; rank < nodes.size(); rank = next) {
    for (next = rank; next < nodes.size() && nodes[next] == nodes[rank];) ++next;
    text += node_name(platform, nodes[rank]) +
            (next - rank > 1 ? ":" + std::to_string(next - rank) : "") + "\n";
  }
  return text;
}

// What --placement says, or the search that --seed and --nodes describe.
platforms::Placement wanted_placement(const po::variables_map& values,
                                      const platforms::Platform& platform) {
  if (values["placement"].defaulted()) {
    platforms::Placement wanted = platforms::PlacementOrder::kSearched;
    wanted.seed = whole_number(values, "seed", 0, std::numeric_limits<std::uint64_t>::max());
    wanted.node_order = platforms::parse_node_order(values["nodes"].as<std::string>(), "--nodes");
    return wanted;
  }
  const auto how = values["placement"].as<std::string>();
  for (const char* option : {"seed", "nodes"})
    if (!values[option].defaulted())
      throw InputError("--" + std::string(option),
                       "is for the search that is made without --placement",
                       "a placement's name has both: --placement search:7@spread");
  return platforms::load_placement(how, platform, "--placement");
}

std::string placement_json(const po::variables_map& values, const platforms::Platform& platform,
                           const sim::SearchedPlacement& found,
                           const platforms::Placement& wanted) {
  nlohmann::ordered_json answer = {
      {"format", 1}, {"trace", values["TRACE"].as<std::string>()}, {"platform", platform.name}};
  if (!values["placement"].defaulted()) answer["placement"] = values["placement"].as<std::string>();
  if (found.is_searched) answer["seed"] = wanted.seed;
  answer["hop_bytes"] = {{found.is_searched ? "found" : "here", found.found},
                         {"block", found.block},
                         {"cyclic", found.cyclic}};
  answer["nodes"] = found.placement.nodes;
  if (wanted.node_order != platforms::NodeOrder{})
    answer["node_order"] = platforms::name_of(wanted.node_order);
  return json_text(answer);
}

}  // namespace

int platform_place(const Arguments& arguments) {
  const auto values = parse(place_syntax(), arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, "platform place", kFormats);
  const auto path = required(*values, "platform place", "TRACE");
  if (!values->count("platform"))
    throw InputError("reprise platform place", "no platform to place the ranks on",
                     "name one with --platform");
  if (values->count("hosts") && !is_launcher_format(format))
    throw InputError("--hosts", "a placement in " + format + " names the platform's own nodes",
                     "add --format hostfile, rankfile or slurm");
  const auto platform = platforms::load_platform(platforms::find_platform(
      (*values)["platform"].as<std::string>(), platforms::platform_folders(), "--platform"));
  const auto wanted = wanted_placement(*values, platform);
  const auto hosts = values->count("hosts") ? read_host_names((*values)["hosts"].as<std::string>())
                                            : host_names(platform);
  const auto found = sim::search_placement(trace_io::load(path), platform, wanted);
  if (is_launcher_format(format)) {
    const auto ranks = static_cast<std::uint32_t>(found.placement.nodes.size());
    const auto places = platforms::place_ranks(ranks, platform, found.placement);
    const auto where =
        values->count("hosts") ? (*values)["hosts"].as<std::string>() : platform.name;
    write_output(*values, launcher_text(format, places, hosts, where));
  } else if (format == "json") {
    write_output(*values, placement_json(*values, platform, found, wanted));
  } else {
    write_output(*values, placement_text(platform, found, path));
  }
  return kDone;
}

}  // namespace reprise::cli
