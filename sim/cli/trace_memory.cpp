// SPDX-License-Identifier: MIT
// reprise trace memory: how many bytes a rank moves to and from memory, from a recording with few ranks a node and one with many.
#include <cmath>
#include <filesystem>
#include <utility>
#include <vector>

#include "sim/cli/messages.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/trace_actions.hpp"
#include "sim/experiment/memory_traffic.hpp"
#include "sim/text/disturbance.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"
#include "trace-io/file/trace_file.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;
using nlohmann::ordered_json;
using Bound = sim::MemoryTraffic::Bound;

constexpr const char* kMemoryFormats = "text|json";
constexpr const char* kBounds[] = {"exact", "at most", "at least"};

// Four digits: recordings of the same program differ by more.
std::string rate_text(BytesPerSecond rate) {
  return to_text(BytesPerSecond{std::stod(formatted("%.4g", rate.value))});
}

std::string recorded_text(const sim::RecordedComputing& one) {
  return counted(one.ranks_a_node, "rank") + " on each of " + counted(one.nodes, "node") + ", " +
         seconds_text(one.seconds) + " of computing over all ranks (" + one.path + ")\n";
}

std::string as_text(const sim::MemoryTraffic& traffic) {
  std::string text = "few ranks per node  " + recorded_text(traffic.few) + "many ranks per node " +
                     recorded_text(traffic.many) + "many take           " +
                     formatted("%.3f times as long", traffic.many.seconds / traffic.few.seconds) +
                     "\nmemory traffic      " +
                     (traffic.bound == Bound::exact
                          ? ""
                          : kBounds[static_cast<std::size_t>(traffic.bound)] + std::string(" ")) +
                     rate_text(traffic.rate) + " of a rank while it computes\n";
  if (traffic.bound == Bound::at_most) {
    if (traffic.many.seconds.value <= (1 + sim::kLonger) * traffic.few.seconds.value)
      return text + "\nMemory bandwidth limits neither run: computing does not take longer.\n";
    return text +
           "\nShared caches, a lower clock rate or the scatter of runs may make computing that "
           "much longer, too.\nRecord with more ranks per node, until computing takes " +
           formatted("%.1f", 1 + sim::kByMemory) + " times as long.\n";
  }
  if (traffic.bound == Bound::at_least)
    return text +
           "\nThe few ranks saturate the memory, too: record the program with fewer ranks per "
           "node.\n";
  text +=
      "\nThis holds if memory bandwidth is what slows the many ranks down, and the only thing.\n";
  return text + "\nreprise replay " + traffic.few.path + " --memory-traffic \"" +
         rate_text(traffic.rate) + "\" on a platform with /nodes/memory_bandwidth\n";
}

// What makes the two recordings no comparison of the same computing, as far as they show it.
std::vector<std::string> doubts_on(const sim::MemoryTraffic& traffic, const trace_io::Trace& few,
                                   const trace_io::Trace& many) {
  std::vector<std::string> doubts;
  constexpr double kAlike = 0.05, kMore = 1.5;
  const auto ranks = [](const sim::RecordedComputing& one) {
    return static_cast<double>(one.nodes) * one.ranks_a_node;
  };
  const double more = ranks(traffic.many) / ranks(traffic.few),
               longer = traffic.many.seconds / traffic.few.seconds;
  if (more >= kMore && std::abs(longer / more - 1) < kAlike)
    doubts.emplace_back(
        "each rank computes as long in both recordings: if the problem grows with the ranks (weak "
        "scaling), this says nothing of memory; record the same problem");
  for (const auto& [trace, one] : {std::pair{&few, &traffic.few}, std::pair{&many, &traffic.many}})
    if (const auto found = disturbance_of(*trace))
      doubts.push_back("the recording " + one->path + " was disturbed: " + describe(*found) +
                       "; ranks that wait for a core do not wait for memory" +
                       remedy_of_disturbance(*trace));
  return doubts;
}

ordered_json recorded_json(const sim::RecordedComputing& one) {
  return {{"file", one.path},
          {"nodes", one.nodes},
          {"ranks_a_node", one.ranks_a_node},
          {"compute_s", one.seconds.value}};
}

}  // namespace

int trace_memory(const Arguments& arguments) {
  Syntax syntax{"trace memory",
                "reprise trace memory FEW MANY --memory-bandwidth RATE",
                "Estimates the bytes that a rank moves to and from memory while it computes, from "
                "two recordings of the same problem:\none with few ranks per node, and one with so "
                "many that the node's memory bandwidth was saturated and computing took\nlonger.",
                po::options_description("options"),
                {"FEW", "MANY"}};
  syntax.options.add_options()("memory-bandwidth", po::value<std::string>()->value_name("RATE"),
                               "memory bandwidth of a node of the recordings, such as \"80 GB/s\" "
                               "(STREAM triad with all cores)");
  add_output_options(syntax.options, kMemoryFormats);
  const auto values = parse(syntax, arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, syntax.verb, kMemoryFormats);
  const auto few = required(*values, syntax.verb, "FEW"),
             many = required(*values, syntax.verb, "MANY");
  if (!values->count("memory-bandwidth"))
    throw InputError("reprise trace memory", "--memory-bandwidth is missing",
                     "give the memory bandwidth of a node, such as \"80 GB/s\"");
  const auto bandwidth = rate(*values, "memory-bandwidth");
  const auto first = trace_io::load(few), second = trace_io::load(many);
  const auto name = [](const trace_io::Trace& trace) {
    return std::filesystem::path(trace.header.program).filename().string();
  };
  if (name(first) != name(second))
    throw InputError(many,
                     "a recording of " + name(second) + ", but " + few + " is of " + name(first),
                     "record the same program twice");
  const auto traffic = sim::memory_traffic(sim::computing_of(first, few),
                                           sim::computing_of(second, many), bandwidth);
  const bool is_first_few = traffic.few.path == few;
  const auto doubts =
      doubts_on(traffic, is_first_few ? first : second, is_first_few ? second : first);
  std::string notes;
  for (const std::string& doubt : doubts) notes += "note: " + doubt + "\n";
  if (format == "json")
    write_output(*values, json_text({{"format", 1},
                                     {"bound", kBounds[static_cast<std::size_t>(traffic.bound)]},
                                     {"bytes_per_s", traffic.rate.value},
                                     {"few", recorded_json(traffic.few)},
                                     {"many", recorded_json(traffic.many)},
                                     {"remarks", doubts}}));
  else
    write_output(*values, as_text(traffic) + (notes.empty() ? "" : "\n" + notes));
  return kDone;
}

}  // namespace reprise::cli
