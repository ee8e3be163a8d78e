// SPDX-License-Identifier: MIT
#include "trace-io/import/scalatrace/scala_durations.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "trace-io/base/error.hpp"
#include "trace-io/import/scalatrace/scala_messages.hpp"
#include "trace-io/model/compute_counters.hpp"

namespace reprise::trace_io {
namespace {

constexpr double kMicrosecond = 1000;  // ns
constexpr double kThousand = 1000;     // instructions in one of the file's

const ScalaHistogram* after(const std::vector<ScalaTimes>& all, std::uint32_t predecessor) {
  for (const auto& times : all)
    if (times.predecessor == predecessor) return &times.histogram;
  return nullptr;
}

class Placement {
 public:
  Placement(const ScalaTrace& file, Trace& trace, double instructions_per_second)
      : file_(file), trace_(trace), instruction_ns_(kThousand / instructions_per_second * 1e9) {
    for (const Site& site : trace.sites)
      record_of_.push_back(
          static_cast<std::uint32_t>(trace.call_paths[site.call_path].frames[0].offset));
  }

  void run() {
    for_each_leaf(trace_.threads[0], [&](Leaf& leaf) { count(leaf); });
    make_shares();
    make_sites();
    each_node(trace_.threads[0]);
    finish_counters();
    for (const auto& [name, loss] : losses_) add_loss(trace_, loss);
  }

 private:
  using Way = std::pair<std::uint32_t, std::uint32_t>;  // record, signature of the call before
  struct Shares {
    std::optional<HistogramShares> compute, communicate;
  };

  void each_node(std::vector<Node>& nodes) {
    for (Node& node : nodes) {
      if (auto* loop = std::get_if<Loop>(&node.content))
        each_node(loop->body);
      else
        place(std::get<Leaf>(node.content), node.ranks);
    }
  }

  static std::uint64_t count_of(const PathDeltas& path) {
    std::uint64_t count = 0;
    for (const auto& delta : path.classes) count += delta.durations.count();
    return count;
  }

  void count(const Leaf& leaf) {
    for (const PathDeltas& path : leaf.compute)
      if (path.predecessor != kNoSite)
        calls_[{record_of_[leaf.site], signature_of(path.predecessor)}] += count_of(path);
  }
  std::uint32_t signature_of(SiteId site) const {
    return file_.records[record_of_[site]].signature;
  }

  std::optional<HistogramShares> shares(const ScalaRecord& record, const ScalaHistogram& histogram,
                                        double unit, std::uint64_t calls) {
    if (!HistogramShares::sums_fit(histogram, unit, calls))
      throw InputError(file_.place(record), "its times add up to more than 2^62 ns");
    if (histogram.count != calls)
      lose("histograms of fewer or more elements than there are calls: stretched", Severity::notice,
           histogram.count > calls ? histogram.count - calls : calls - histogram.count);
    return HistogramShares(histogram, unit, calls);
  }

  void make_shares() {
    for (const auto& [way, calls] : calls_) {
      const ScalaRecord& record = file_.records[way.first];
      Shares both;
      if (const auto* measured = after(record.compute, way.second))
        both.compute = shares(record, *measured, kMicrosecond, calls);
      else if (const auto* counted = after(record.instructions, way.second))
        both.compute = shares(record, *counted, instruction_ns_, calls);
      else
        lose("calls before which the file has no time", Severity::partial, calls);
      if (const auto* measured = after(record.communicate, way.second))
        both.communicate = shares(record, *measured, kMicrosecond, calls);
      else if (record.procedure != "MPI_Finalize")
        lose("calls of which the file has no time", Severity::partial, calls);
      shares_.emplace(way, std::move(both));
    }
  }

  // The sites of the file: those of one procedure and stack signature are one.
  void make_sites() {
    std::map<std::string, std::uint32_t> procedures;
    std::map<std::uint32_t, std::uint32_t> paths;
    std::map<std::pair<std::uint32_t, std::uint32_t>, SiteId> sites;
    trace_.procedures.clear();
    trace_.call_paths.clear();
    trace_.frame_names.clear();
    trace_.sites.clear();
    trace_.modules = {{trace_.header.program, ""}};
    for (const std::uint32_t number : record_of_) {
      const ScalaRecord& record = file_.records[number];
      const auto [procedure, new_procedure] =
          procedures.try_emplace(record.imported, static_cast<std::uint32_t>(procedures.size()));
      if (new_procedure) trace_.procedures.push_back(record.imported);
      const auto [path, new_path] =
          paths.try_emplace(record.signature, static_cast<std::uint32_t>(paths.size()));
      if (new_path) {
        CallPath frames;
        for (const std::uint64_t address : file_.signatures[record.signature])
          frames.frames.push_back({0, address});
        trace_.call_paths.push_back(std::move(frames));
      }
      const auto [site, new_site] =
          sites.try_emplace({procedure->second, path->second}, static_cast<SiteId>(sites.size()));
      if (new_site) trace_.sites.push_back({procedure->second, path->second});
      site_of_.push_back(site->second);
    }
  }

  void place(Leaf& leaf, const RankList& ranks) {
    const std::uint32_t record = record_of_[leaf.site];
    std::map<SiteId, DeltaClass> compute;
    DeltaClass communicate{ranks, Distribution(trace_.header.bins)};
    for (const PathDeltas& path : leaf.compute) {
      const std::uint64_t calls = count_of(path);
      if (path.predecessor == kNoSite || calls == 0) continue;
      RankList these;
      for (const auto& delta : path.classes) these = these.united(delta.ranks);
      const SiteId before = site_of_[path.predecessor];
      Shares& shares = shares_.at({record, signature_of(path.predecessor)});
      if (shares.compute) {
        const Distribution taken = shares.compute->taken(calls, trace_.header.bins, these.front());
        const auto [known, is_new] = compute.try_emplace(before, DeltaClass{these, taken});
        if (!is_new) {
          known->second.durations.merge(taken);
          known->second.ranks = known->second.ranks.united(these);
        }
        if (after(file_.records[record].compute, signature_of(path.predecessor)) != nullptr)
          count_instructions(record, path.predecessor, site_of_[leaf.site], before, calls,
                             taken.sum());
      }
      if (shares.communicate)
        communicate.durations.merge(
            shares.communicate->taken(calls, trace_.header.bins, these.front()));
    }
    leaf.site = site_of_[leaf.site];
    leaf.compute.clear();
    for (auto& [before, deltas] : compute) leaf.compute.push_back({before, {std::move(deltas)}});
    leaf.communicate.clear();
    if (communicate.durations.count() > 0) leaf.communicate.push_back(std::move(communicate));
  }

  void count_instructions(std::uint32_t record, SiteId predecessor, SiteId site, SiteId before,
                          std::uint64_t calls, Nanoseconds time) {
    const auto* counted = after(file_.records[record].instructions, signature_of(predecessor));
    if (counted == nullptr) return;
    const double value = counted->mean() * kThousand * static_cast<double>(calls);
    Count& count = instructions_[{site, before}];
    if (value > 1e18 || static_cast<double>(count.value) + value > 1e18)
      throw InputError(file_.place(file_.records[record]), "more than 10^18 instructions");
    count.value += static_cast<std::uint64_t>(std::llround(value));
    count.time += time;
  }

  void finish_counters() {
    if (instructions_.empty()) return;
    auto counters = std::make_shared<ComputeCounters>();
    counters->events = {
        {CounterEvent::instructions, static_cast<std::uint64_t>(trace_.header.ranks)}};
    for (const auto& [way, count] : instructions_)
      counters->ways.push_back({way.second, way.first, {count}});
    trace_.counters = std::move(counters);
  }

  void lose(const std::string& name, Severity severity, std::uint64_t count) {
    losses_.try_emplace(name, Loss{name, severity, 0, {}}).first->second.count += count;
  }

  const ScalaTrace& file_;
  Trace& trace_;
  double instruction_ns_;
  std::vector<std::uint32_t> record_of_;  // by site of the merged trace
  std::vector<SiteId> site_of_;           // the same sites as those of the file
  std::map<Way, std::uint64_t> calls_;
  std::map<Way, Shares> shares_;
  std::map<std::pair<SiteId, SiteId>, Count> instructions_;  // by site, then by predecessor
  std::map<std::string, Loss> losses_;
};

}  // namespace

void place_durations(const ScalaTrace& file, Trace& trace, double instructions_per_second) {
  Placement(file, trace, instructions_per_second).run();
}

}  // namespace reprise::trace_io
