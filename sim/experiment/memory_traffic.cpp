// SPDX-License-Identifier: MIT
#include "sim/experiment/memory_traffic.hpp"

#include <algorithm>
#include <utility>

#include "sim/text/numbers.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {

RecordedComputing computing_of(const trace_io::Trace& trace, const std::string& path) {
  const auto& hosts = trace.header.hosts;
  const char* hint = "record it with equally many ranks on each node";
  if (hosts.empty()) throw InputError(path, "the number of ranks per node is unknown", hint);
  RecordedComputing of{path,
                       static_cast<std::uint32_t>(hosts.size()),
                       static_cast<std::uint32_t>(hosts.front().ranks.size()),
                       {}};
  for (const auto& host : hosts) {
    const auto ranks = static_cast<std::uint32_t>(host.ranks.size());
    if (ranks != of.ranks_a_node)
      throw InputError(path,
                       counted(ranks, "rank") + " on " + host.name + ", " +
                           std::to_string(of.ranks_a_node) + " on " + hosts.front().name,
                       hint);
    if (host.cores > 0 && ranks > host.cores)
      throw InputError(path,
                       counted(ranks, "rank") + " on " + host.name + ", which has " +
                           counted(host.cores, "core"),
                       "record it with one core per rank: a rank that waits for a core does not "
                       "wait for memory");
  }
  Nanoseconds sum{};
  for (const auto& thread : trace.threads)
    trace_io::for_each_leaf(thread, [&](const trace_io::Leaf& leaf) {
      for (const auto& way : leaf.compute)
        for (const auto& one : way.classes) sum += one.durations.sum();
    });
  of.seconds = sum.seconds();
  if (of.seconds.value <= 0) throw InputError(path, "it computes nothing", "");
  return of;
}

MemoryTraffic memory_traffic(const RecordedComputing& first, const RecordedComputing& second,
                             BytesPerSecond bandwidth) {
  MemoryTraffic traffic;
  traffic.few = first;
  traffic.many = second;
  if (first.ranks_a_node == second.ranks_a_node)
    throw InputError(second.path,
                     counted(second.ranks_a_node, "rank") + " a node, as in " + first.path,
                     "record one with few ranks per node and one with many");
  if (first.ranks_a_node > second.ranks_a_node) std::swap(traffic.few, traffic.many);
  const RecordedComputing &few = traffic.few, &many = traffic.many;
  using Bound = MemoryTraffic::Bound;
  if (many.seconds.value <= (1 + kLonger) * few.seconds.value) {
    traffic.bound = Bound::at_most;
    traffic.rate = {bandwidth.value / many.ranks_a_node};
    return traffic;
  }
  const double bytes = bandwidth.value * many.seconds.value / many.ranks_a_node;
  const double full = bandwidth.value / few.ranks_a_node;
  traffic.rate = {bytes / few.seconds.value};
  if (many.seconds.value < (1 + kByMemory) * few.seconds.value) traffic.bound = Bound::at_most;
  if (traffic.rate.value >= full / (1 + kLonger)) {
    traffic.bound = Bound::at_least;
    traffic.rate = {std::min(traffic.rate.value, full)};
  }
  return traffic;
}

}  // namespace reprise::sim
