// SPDX-License-Identifier: MIT
#include <cstdio>
#include <limits>

#include "platforms/catalogue.hpp"
#include "platforms/load.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/platform_actions.hpp"
#include "sim/experiment/placement_search.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;

Syntax place_syntax() {
  Syntax s{"platform place",
           "reprise platform place TRACE -p PLATFORM [-o FILE] [OPTIONS]",
           "Searches for a placement of the trace's ranks with few hop-bytes: bytes sent × links "
           "crossed, over all messages.\nWrites it as a file for --placement: the node of each "
           "rank, one line per run of consecutive ranks on a node.",
           po::options_description("options"),
           {"TRACE"}};
  s.options.add_options()("platform,p", po::value<std::string>()->value_name("PLATFORM"),
                          "a ready machine (reprise platform list) or a platform file")(
      "seed", po::value<std::string>()->value_name("N")->default_value("1"), "seed of the search")(
      "nodes", po::value<std::string>()->value_name("ORDER")->default_value("first"),
      "which nodes the ranks get: the first ones, spread (those of each leaf switch, router or row "
      "in turn), or random:SEED");
  add_output_options(s.options, "text|json");
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

}  // namespace

int platform_place(const Arguments& arguments) {
  const auto values = parse(place_syntax(), arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, "platform place", "text|json");
  const auto path = required(*values, "platform place", "TRACE");
  if (!values->count("platform"))
    throw InputError("reprise platform place", "no platform to place the ranks on",
                     "name one with --platform");
  platforms::Placement wanted = platforms::PlacementOrder::kSearched;
  wanted.seed = whole_number(*values, "seed", 0, std::numeric_limits<std::uint64_t>::max());
  wanted.node_order = platforms::parse_node_order((*values)["nodes"].as<std::string>(), "--nodes");
  const auto platform = platforms::load_platform(platforms::find_platform(
      (*values)["platform"].as<std::string>(), platforms::platform_folders(), "--platform"));
  const auto found = sim::search_placement(trace_io::load(path), platform, wanted);
  if (format == "json") {
    nlohmann::ordered_json answer = {
        {"format", 1},
        {"trace", path},
        {"platform", platform.name},
        {"seed", wanted.seed},
        {"hop_bytes", {{"found", found.found}, {"block", found.block}, {"cyclic", found.cyclic}}},
        {"nodes", found.placement.nodes}};
    if (wanted.node_order != platforms::NodeOrder{})
      answer["node_order"] = platforms::name_of(wanted.node_order);
    write_output(*values, json_text(answer));
  } else {
    write_output(*values, placement_text(platform, found, path));
  }
  return kDone;
}

}  // namespace reprise::cli
