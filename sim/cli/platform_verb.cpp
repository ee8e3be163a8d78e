// SPDX-License-Identifier: MIT
// reprise platform: its actions; list, check and collectives.
#include <algorithm>
#include <cstdio>
#include <sstream>

#include "platforms/catalogue.hpp"
#include "platforms/interfaces.hpp"
#include "platforms/load.hpp"
#include "platforms/override.hpp"
#include "platforms/remarks.hpp"
#include "platforms/topologies/taper.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/platform_actions.hpp"
#include "sim/collectives/selection.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/printable.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;
using platforms::Platform;

Syntax syntax(const std::string& action, std::vector<std::string> operands,
              const std::string& explanation) {
  std::string usage = "reprise platform " + action;
  for (const auto& operand : operands) usage += " " + operand;
  Syntax s{"platform " + action, usage + " [OPTIONS]", explanation,
           po::options_description("options"), std::move(operands)};
  add_output_options(s.options, action == "check" ? "text" : "text|json");
  return s;
}

int list(const Arguments& arguments) {
  const auto values =
      parse(syntax("list", {}, "Lists the platforms that --platform knows by name."), arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, "platform list", "text|json");
  auto rows = nlohmann::ordered_json::array();
  std::ostringstream text;
  text << formatted("%-20s  %8s  %10s  %s\n", "name", "nodes", "cores each", "topology");
  for (const auto& entry : platforms::list_platforms(platforms::platform_folders())) {
    try {
      const auto platform = platforms::load_platform(entry.path);
      rows.push_back({{"name", entry.name},
                      {"nodes", platform.nodes.count},
                      {"cores_per_node", platform.nodes.cores},
                      {"topology", topology_of(platform)},
                      {"file", entry.path}});
      text << formatted("%-20s  %8u  %10u  %s\n", entry.name.c_str(), platform.nodes.count,
                        platform.nodes.cores, topology_of(platform).c_str());
    } catch (const InputError& error) {
      std::fprintf(stderr, "reprise: warning: left out: %s\n", printable(error.what()).c_str());
    }
  }
  write_output(*values, format == "json" ? json_text(rows) : text.str());
  return kDone;
}

Platform named_platform(const po::variables_map& values, const std::string& verb) {
  return platforms::load_platform(platforms::find_platform(
      required(values, verb, "PLATFORM"), platforms::platform_folders(), "reprise " + verb));
}

int check(const Arguments& arguments) {
  const auto values = parse(
      syntax("check", {"PLATFORM"},
             "Checks a platform file: reports errors and what is unusual, and prints nodes, cores, "
             "sockets\nand network interfaces, and of a fat tree the cables and the "
             "oversubscription of each level."),
      arguments);
  if (!values) return kDone;
  output_format(*values, "platform check", "text");
  const auto platform = named_platform(*values, "platform check");
  static_cast<void>(sim::Selection(platform, ""));  // throws for algorithms that there are not
  std::string text =
      platform.file + ": fine: " + size_of(platform) + ", " + topology_of(platform) + "\n";
  if (const auto interfaces = platforms::interfaces_text(platform); !interfaces.empty())
    text += "  " + interfaces + "\n";
  if (const auto taper =
          platform.network ? platforms::taper_of(platform.network->topology) : std::nullopt) {
    for (const std::string& line : platforms::taper_lines(*taper)) text += "  " + line + "\n";
    for (const std::string& remark : platforms::taper_remarks(*taper))
      text += "remark: " + remark + "\n";
  }
  for (const std::string& remark : platforms::remarks_on(platform))
    text += "remark: " + remark + "\n";
  write_output(*values, text);
  return kDone;
}

int collectives(const Arguments& arguments) {
  auto described = syntax("collectives", {"PLATFORM"},
                          "Lists the algorithm of each collective by message size: the whole "
                          "vector for bcast, reductions, scans and\nreduce_scatter, one block for "
                          "the others. Reductions with non-commutative operators may differ.");
  described.options.add_options()("ranks,n",
                                  po::value<std::string>()->value_name("N")->default_value("64"),
                                  "members of the communicator")(
      "library", po::value<std::string>()->value_name("NAME")->default_value("Open MPI 4.1"),
      "the trace's MPI library, for platforms that follow it")(
      "placement", po::value<std::string>()->value_name("HOW")->default_value("block"),
      "which ranks share a node, as in reprise replay: some algorithms depend on it")(
      "set", po::value<std::vector<std::string>>()->value_name("POINTER=VALUE")->composing(),
      "change a setting of the platform first, such as /mpi/collectives/allreduce=ring");
  const auto values = parse(described, arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, "platform collectives", "text|json");
  auto document = platforms::load_document(
      platforms::find_platform(required(*values, "platform collectives", "PLATFORM"),
                               platforms::platform_folders(), "reprise platform collectives"));
  if (values->count("set"))
    for (const auto& setting : (*values)["set"].as<std::vector<std::string>>())
      platforms::apply_set(document, setting, "--set");
  const auto platform = platforms::parse_platform(document);
  CollectivesQuestion question;
  question.ranks = static_cast<std::int32_t>(whole_number(*values, "ranks", 1, 1'000'000));
  question.placement_name = (*values)["placement"].as<std::string>();
  question.placement = platforms::load_placement(question.placement_name, platform, "--placement");
  if (question.placement.order == platforms::PlacementOrder::kSearched)
    throw InputError("--placement", "a search needs the messages of a trace",
                     "let `reprise platform place` write its placement as a file, and name that");
  question.mpi_library = (*values)["library"].as<std::string>();
  write_output(*values, format == "json" ? collectives_json(platform, question)
                                         : collectives_text(platform, question));
  return kDone;
}

struct PlatformAction {
  std::string_view name, one_line;
  int (*run)(const Arguments&);
};
constexpr PlatformAction kPlatformActions[] = {
    {"list", "list the machines that come with reprise", list},
    {"show", "show one of them, or a file: latency and bandwidth between nodes", platform_show},
    {"check", "check a platform file", check},
    {"collectives", "list the algorithms of collectives", collectives},
    {"place", "search for a placement of a trace's ranks with few hops", platform_place},
    {"calibrate", "make a platform file from measurements", calibrate_platform}};

int run_platform(const Arguments& arguments) {
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h") {
    std::FILE* out = arguments.empty() ? stderr : stdout;
    std::fputs(
        "usage: reprise platform list | show PLATFORM | check PLATFORM | collectives PLATFORM | "
        "place TRACE | calibrate MEASUREMENT\n\n",
        out);
    for (const auto& action : kPlatformActions)
      std::fprintf(out, "  %-12s %s\n", action.name.data(), action.one_line.data());
    return arguments.empty() ? kBadUsage : kDone;
  }
  if (arguments[0] == kPrintOptions) {
    for (const auto& action : kPlatformActions) {
      std::printf("action\tplatform\t%s\t%s\n", action.name.data(), action.one_line.data());
      action.run(arguments);
    }
    return kDone;
  }
  for (const auto& action : kPlatformActions)
    if (action.name == arguments[0]) return action.run({arguments.begin() + 1, arguments.end()});
  std::vector<std::string> names;
  for (const auto& action : kPlatformActions) names.emplace_back(action.name);
  const auto nearest = nearest_word(arguments[0], names);
  throw InputError("reprise platform", "no action \"" + arguments[0] + "\"",
                   nearest ? "did you mean \"" + *nearest + "\"?"
                           : "one of list, show, check, collectives, place, calibrate");
}

}  // namespace

const Verb kPlatformVerb = {
    "platform", "the machines to replay on: list, show, check, collectives, place, calibrate",
    run_platform};

}  // namespace reprise::cli
