// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>

#include "sim/validation/leaf_volumes.hpp"
#include "sim/validation/program_name.hpp"
#include "sim/validation/run_record.hpp"
#include "trace-io/check/completions.hpp"
#include "trace-io/model/trace.hpp"
#include "trace-io/timing_tree/computing_of_ranks.hpp"

namespace reprise::sim::validation {
namespace {

using trace_io::DeltaClass;
using trace_io::NodeExecutions;

bool is_mpi_library(const trace_io::Module& module) {
  const std::string name = base_name(module.path);
  return name.starts_with("libmpi.") || name.starts_with("libmpich.");
}

// Whether MPI called the caller: a callback of an attribute, an error handler, a reduction. Call paths kept flat do not tell.
bool is_nested(const trace_io::Trace& trace, const trace_io::Site& site) {
  const auto& frames = trace.call_paths[site.call_path].frames;
  return std::any_of(
      frames.begin() + std::min<std::ptrdiff_t>(1, std::ssize(frames)), frames.end(),
      [&](const trace_io::Frame& frame) { return is_mpi_library(trace.modules[frame.module]); });
}

CallPlace place_of(const trace_io::Trace& trace, const trace_io::Site& site) {
  CallPlace place;
  place.operation = trace_io::procedure_named(trace.procedures[site.procedure]).name.substr(4);
  const auto& frames = trace.call_paths[site.call_path].frames;
  if (frames.empty()) return place;
  const auto found =
      std::lower_bound(trace.frame_names.begin(), trace.frame_names.end(), frames.front(),
                       [](const auto& name, const auto& wanted) { return name.frame < wanted; });
  if (found == trace.frame_names.end() || found->frame != frames.front() || found->file.empty())
    return place;
  place.file = base_name(found->file);
  place.line = found->line;
  place.function = found->function;
  return place;
}

// Of a class in which each rank has one call: the shortest and the longest are known by rank, the others share what is left. MEAN: the rank's, by
// its pace.
double only_call(const DeltaClass& one, Rank rank, double mean) {
  const auto& all = one.durations;
  const double least = all.min().value.seconds().value, most = all.max().value.seconds().value;
  if (least == most) return least;
  mean = std::clamp(mean, least, most);
  if (all.min().rank == all.max().rank) return mean;  // some have two calls, others none
  if (rank == all.min().rank) return least;
  if (rank == all.max().rank) return most;
  if (one.is_scaled() || one.ranks.size() == 2) return mean;
  const double left = all.sum().seconds().value - least - most;
  return std::clamp(left / static_cast<double>(one.ranks.size() - 2), least, most);
}

// A rank's part of the durations of its class, inside calls: in proportion to its pace, where the class has scale factors, and to how often it called.
OverCalls part_of(const DeltaClass& one, Rank rank, std::uint64_t calls) {
  const auto& all = one.durations;
  if (all.count() == 0) return {};
  const double pace = one.is_scaled() ? relative_mean(one, rank) : 1;
  const double least = all.min().value.seconds().value, most = all.max().value.seconds().value;
  OverCalls part;
  part.total = all.sum().seconds().value / static_cast<double>(one.ranks.size()) * pace;
  const double mean = all.mean_ns() * 1e-9 * pace;
  if (calls * static_cast<std::uint64_t>(one.ranks.size()) != all.count())
    part.total = mean * static_cast<double>(calls);
  const auto bin_mean = [&](const trace_io::Distribution::Bin& bin) {
    return std::clamp(static_cast<double>(bin.sum) / static_cast<double>(bin.count) * 1e-9 * pace,
                      least, most);
  };
  const auto bins = all.bins();
  part.least =
      rank == all.min().rank ? least : std::min(mean, bins.empty() ? mean : bin_mean(bins.front()));
  part.most =
      rank == all.max().rank ? most : std::max(mean, bins.empty() ? mean : bin_mean(bins.back()));
  if (all.count() == static_cast<std::uint64_t>(one.ranks.size()) && calls == 1)
    part.total = part.least = part.most = only_call(one, rank, mean);
  return part;
}

// Whether the trace has nothing but the mean of the class's ranks.
bool is_levelled(const DeltaClass& one) {
  const auto& all = one.durations;
  if (one.ranks.size() < 2 || one.is_scaled() || all.count() == 0) return false;
  if (one.ranks.size() == 2 && all.count() == 2 && all.min().rank != all.max().rank) return false;
  return all.min().value != all.max().value;
}

std::string oversubscription(const trace_io::Header& header) {
  for (const auto& host : header.hosts)
    if (host.cores > 0 && static_cast<std::uint32_t>(host.ranks.size()) > host.cores)
      return std::to_string(host.ranks.size()) + " ranks on " +
             (host.cores == 1 ? "the only core" : std::to_string(host.cores) + " cores") + " of " +
             host.name;
  return "";
}

// Seconds over all ranks, all of which take part in merging.
double recorder_time(const trace_io::Trace& trace) {
  double sum = trace.header.merge_elapsed.seconds().value * trace.header.ranks;
  for (const auto& apart : trace.times_apart)
    if (apart.what != trace_io::TimeApart::compensation &&
        apart.what != trace_io::TimeApart::preemption)
      sum += apart.time.seconds().value;
  return sum;
}

// Of times inside a call.
template <class Add>
void for_each_rank_time(const std::vector<DeltaClass>& classes, const NodeExecutions& executed,
                        Add add) {
  for (const auto& one : classes)
    for (const Rank rank : one.ranks.ranks()) {
      const auto at = std::ranges::lower_bound(executed.ranks, rank);
      const auto calls = executed.executions[static_cast<std::size_t>(at - executed.ranks.begin())];
      add(rank, part_of(one, rank, calls));
    }
}

// The node's sites, with their calls and bytes; times are those of the recording, or none where a replay will tell them.
class Recording {
 public:
  Recording(const trace_io::Trace& trace, bool with_times)
      : trace_(trace), with_times_(with_times) {
    record_.command = trace.header.program;
    record_.ranks = trace.header.ranks;
    if (with_times) {
      record_.hosts.resize(static_cast<std::size_t>(record_.ranks));
      for (const auto& host : trace.header.hosts)
        for (const Rank rank : host.ranks.ranks())
          record_.hosts[static_cast<std::size_t>(rank.value)] = host.name;
    }
    record_.app_s.resize(static_cast<std::size_t>(record_.ranks));
    record_.preempted_s.resize(record_.app_s.size());
    computing_.resize(record_.app_s.size());
    record_.oversubscribed = oversubscription(trace.header);
    record_.recorder_s = recorder_time(trace);
  }

  RunRecord run() {
    for (std::size_t thread = 0; thread < trace_.threads.size(); ++thread) {
      const auto& program = trace_.threads[thread];
      std::optional<trace_io::ComputingOfRanks> computing;
      if (with_times_) computing.emplace(trace_, thread);
      const trace_io::VisitNode visit = [&](const NodeExecutions& executed) {
        const auto* leaf = std::get_if<trace_io::Leaf>(&executed.node.content);
        if (leaf == nullptr) return;
        if (computing) add_computing(*leaf, *computing, thread == 0);
        add(*leaf, executed, thread == 0);
      };
      walk_executions(program, trace_.header.recorded, visit,
                      [](const trace_io::Node&, const std::string&) {});
    }
    if (with_times_) add_preempted();
    return std::move(record_);
  }

 private:
  // Of a rank, seconds: of all threads, and of the one that called MPI_Init.
  struct Computing {
    double all = 0, first = 0;
  };

  void add_preempted() {
    if (!trace_.preemptions) return;
    for (const auto& row : trace_.preemptions->ranks) {
      const auto rank = static_cast<std::size_t>(row.rank.value);
      const Computing& its = computing_[rank];
      record_.preempted_s[rank] =
          row.time.seconds().value * (its.all > its.first ? its.first / its.all : 1);
    }
  }

  // The first thread is the one that called MPI_Init: its time is the rank's.
  void add_computing(const trace_io::Leaf& leaf, trace_io::ComputingOfRanks& computing,
                     bool is_first_thread) {
    if (trace_io::procedure_of(trace_, leaf.site).kind == trace_io::Kind::init) return;
    for (const auto& path : leaf.compute)
      for (const auto& one : path.classes) {
        const auto times = computing.of(leaf, path, one);
        const auto ranks = one.ranks.ranks();
        for (std::size_t i = 0; i < ranks.size(); ++i) {
          const auto rank = static_cast<std::size_t>(ranks[i].value);
          computing_[rank].all += times[i];
          if (!is_first_thread) continue;
          computing_[rank].first += times[i];
          record_.app_s[rank] += times[i];
        }
      }
  }

  void add(const trace_io::Leaf& leaf, const NodeExecutions& executed, bool is_first_thread) {
    const auto& site = trace_.sites[leaf.site];
    const auto procedure = trace_io::procedure_of(trace_, leaf.site);
    if (procedure.kind == trace_io::Kind::init || procedure.kind == trace_io::Kind::finalize)
      return;
    if (with_times_ && is_first_thread)
      for_each_rank_time(leaf.communicate, executed, [&](Rank rank, const OverCalls& time) {
        record_.app_s[static_cast<std::size_t>(rank.value)] += time.total;
      });

    if (is_nested(trace_, site)) {
      record_.nested.insert(std::string(procedure.name.substr(4)));
      return;
    }
    std::map<std::int32_t, SiteRecord> here;
    const auto operation = mpip_operation(procedure.name.substr(4));
    LeafVolumes volumes(leaf, procedure, executed);
    for (std::size_t i = 0; i < executed.ranks.size(); ++i) {
      SiteRecord& one = here[executed.ranks[i].value];
      one.calls = calls_of(leaf, executed, i);
      if (operation && one.calls > 0) volumes.book(operation->bytes, i, one);
    }
    if (with_times_) {
      for_each_rank_time(leaf.communicate, executed,
                         [&](Rank rank, const OverCalls& time) { here[rank.value].time_s = time; });
      for (const DeltaClass& one : leaf.communicate)
        if (is_levelled(one)) record_.levelled_s += one.durations.sum().seconds().value;
    }
    auto& ranks = record_.sites[place_of(trace_, site)];
    for (const auto& [rank, one] : here) ranks[rank] += one;
  }

  const trace_io::Trace& trace_;
  bool with_times_;
  std::vector<Computing> computing_;
  RunRecord record_;
};

void unite(OverCalls& a, const OverCalls& b, bool a_is_empty) {
  a.total += b.total;
  a.least = a_is_empty ? b.least : std::min(a.least, b.least);
  a.most = a_is_empty ? b.most : std::max(a.most, b.most);
}

}  // namespace

SiteRecord& SiteRecord::operator+=(const SiteRecord& other) {
  if (other.calls == 0) return *this;
  unite(time_s, other.time_s, calls == 0);
  unite(bytes, other.bytes, calls == 0);
  calls += other.calls;
  bytes_known = bytes_known && other.bytes_known;
  return *this;
}

RunRecord record_of(const trace_io::Trace& trace) {
  auto record = Recording(trace, true).run();
  if (trace.header.clock == trace_io::Clock::cpu)
    record.times_mean_nothing =
        "the trace was recorded with the CPU clock, which stops while a rank waits";
  record.clock = trace.header.clock == trace_io::Clock::cpu ? "the recording's CPU clock"
                                                            : "the recording's wall clock";
  return record;
}

RunRecord record_of(const trace_io::Trace& trace, const std::vector<double>& finish_s,
                    const std::vector<ReplayedSite>& times, const std::string& platform) {
  auto record = Recording(trace, false).run();
  record.app_s = finish_s;
  record.preempted_s.assign(finish_s.size(), 0);
  std::map<std::pair<CallPlace, std::int32_t>, OverCalls> united;
  for (const auto& one : times) {
    const auto [place, is_new] =
        united.try_emplace({place_of(trace, trace.sites[one.site]), one.rank.value});
    unite(place->second, one.inside_mpi_s, is_new);
  }
  for (const auto& [key, time] : united) {
    const auto site = record.sites.find(key.first);
    if (site == record.sites.end()) continue;  // MPI_Init and MPI_Finalize
    const auto rank = site->second.find(key.second);
    if (rank != site->second.end()) rank->second.time_s = time;
  }
  record.clock = "replay on " + platform;
  record.is_replay = true;
  return record;
}

}  // namespace reprise::sim::validation
