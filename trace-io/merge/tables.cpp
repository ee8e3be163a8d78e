// SPDX-License-Identifier: MIT
#include "trace-io/merge/tables.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <unordered_map>

#include "trace-io/base/error.hpp"
#include "trace-io/base/integers.hpp"
#include "trace-io/merge/compute_counters.hpp"
#include "trace-io/merge/function_samples.hpp"

namespace reprise::trace_io {
namespace {

using Numbers = std::vector<std::uint32_t>;  // b's number -> number in the union

// Of rows, which are looked up by it only.
std::uint64_t hash_of(const std::string& text) { return std::hash<std::string>()(text); }
std::uint64_t hash_of(const Module& module) {
  WordHash words;
  words.add(hash_of(module.path));
  words.add(hash_of(module.build_id));
  return words.value();
}
std::uint64_t hash_of(const CallPath& path) {
  WordHash words;
  for (const Frame& frame : path.frames) {
    words.add(frame.module);
    words.add(frame.offset);
  }
  return words.value();
}
std::uint64_t hash_of(const Site& site) {
  return std::uint64_t{site.procedure} << 32U | site.call_path;
}

template <class Row>
Numbers unite_rows(std::vector<Row>& a, const std::vector<Row>& b) {
  if (b.empty() || a == b) {  // as ranks of one program have them
    Numbers same(b.size());
    std::iota(same.begin(), same.end(), 0U);
    return same;
  }
  const auto hash = [](const Row* row) { return static_cast<std::size_t>(hash_of(*row)); };
  const auto is_same = [](const Row* x, const Row* y) { return *x == *y; };
  a.reserve(a.size() + b.size());  // rows stay where they are
  std::unordered_map<const Row*, std::uint32_t, decltype(hash), decltype(is_same)> known(
      a.size() + b.size(), hash, is_same);
  for (std::uint32_t i = 0; i < a.size(); ++i) known.emplace(&a[i], i);
  Numbers numbers;
  numbers.reserve(b.size());
  for (const Row& row : b) {
    const auto [place, is_new] = known.emplace(&row, static_cast<std::uint32_t>(a.size()));
    if (is_new) a.push_back(row);
    numbers.push_back(place->second);
  }
  return numbers;
}

// `modules`: which number each of b's has in the union.
Numbers unite_call_paths(std::vector<CallPath>& a, const std::vector<CallPath>& b,
                         const Numbers& modules) {
  std::uint32_t next = 0;
  if (std::ranges::all_of(modules, [&](std::uint32_t module) { return module == next++; }))
    return unite_rows(a, b);
  std::vector<CallPath> renumbered = b;
  for (CallPath& path : renumbered)
    for (Frame& frame : path.frames) frame.module = modules.at(frame.module);
  return unite_rows(a, renumbered);
}

std::uint64_t hash_of(const Communicator& communicator) {
  std::uint64_t hash = communicator.copy;
  for (const ValueSequence& group : communicator.groups)
    hash = hash * 0x9e3779b97f4a7c15U + group.hash();
  return hash;
}

Numbers unite_communicators(std::vector<Communicator>& a, const std::vector<Communicator>& b) {
  std::multimap<std::uint64_t, std::uint32_t> known;
  for (std::uint32_t i = 0; i < a.size(); ++i) known.emplace(hash_of(a[i]), i);
  Numbers numbers;
  for (const Communicator& communicator : b) {
    const std::uint64_t hash = hash_of(communicator);
    const auto [first, last] = known.equal_range(hash);
    const auto same = std::find_if(first, last, [&](const auto& row) {
      return a[row.second].copy == communicator.copy && a[row.second].groups == communicator.groups;
    });
    if (same != last) {
      numbers.push_back(same->second);
      continue;
    }
    numbers.push_back(static_cast<std::uint32_t>(a.size()));
    known.emplace(hash, numbers.back());
    a.push_back(communicator);
  }
  return numbers;
}

void unite_uses(std::vector<CommunicatorUse>& a, const std::vector<CommunicatorUse>& b,
                const Numbers& communicators, RankUnions& unions) {
  std::map<std::uint32_t, std::size_t> place_of;
  for (std::size_t i = 0; i < a.size(); ++i) place_of.emplace(a[i].communicator, i);
  for (const CommunicatorUse& use : b) {
    const std::uint32_t communicator = communicators.at(use.communicator);
    const auto [place, is_new] = place_of.emplace(communicator, a.size());
    if (is_new)
      a.push_back({use.ranks, communicator});
    else
      a[place->second].ranks = unions.united(a[place->second].ranks, use.ranks);
  }
  sort_by_lowest_rank(a);
}

void unite_hosts(std::vector<Host>& a, const std::vector<Host>& b, RankUnions& unions) {
  std::map<std::string, std::size_t> place_of;
  for (std::size_t i = 0; i < a.size(); ++i) place_of.emplace(a[i].name, i);
  for (const Host& host : b) {
    const auto [place, is_new] = place_of.emplace(host.name, a.size());
    if (is_new) {
      a.push_back(host);
      continue;
    }
    Host& known = a[place->second];
    known.ranks = unions.united(known.ranks, host.ranks);
    known.cores = std::max(known.cores, host.cores);
  }
  sort_by_lowest_rank(a);
}

// Counts and times add up; the rank with the most stays the one.
void unite_times_apart(std::vector<ApartTime>& a, const std::vector<ApartTime>& b) {
  for (const ApartTime& other : b) {
    const auto at = std::ranges::lower_bound(a, other.what, {}, &ApartTime::what);
    if (at == a.end() || at->what != other.what) {
      a.insert(at, other);
      continue;
    }
    at->count += other.count;
    at->time += other.time;
    if (other.most.is_above(at->most)) at->most = other.most;
  }
}

// The curves have the same periods; at each, ranks may have found more than others, and the largest covers all. What was clamped adds up.
void unite_compensations(std::optional<Compensation>& a, const std::optional<Compensation>& b) {
  if (!a) {
    a = b;
  } else if (b) {
    a->clamped_count += b->clamped_count;
    a->clamped_time += b->clamped_time;
    for (std::size_t kind = 0; kind < kOverheadKinds; ++kind)
      for (std::size_t i = 0; i < a->curves[kind].size(); ++i) {
        OverheadPoint& point = a->curves[kind][i];
        const OverheadPoint& other = b->curves[kind][i];
        point.overhead = std::max(point.overhead, other.overhead);
        point.error = std::max(point.error, other.error);
      }
  }
}

bool have_same_periods(const Compensation& a, const Compensation& b) {
  return std::ranges::equal(
      a.curves, b.curves, [](const OverheadCurve& one, const OverheadCurve& other) {
        return std::ranges::equal(one, other, {}, &OverheadPoint::period, &OverheadPoint::period);
      });
}

// Known of both, or of neither.
void unite_preemptions(std::optional<PreemptionRecord>& a,
                       const std::optional<PreemptionRecord>& b) {
  if (!a || !b) return a.reset();
  const auto middle = static_cast<std::ptrdiff_t>(a->ranks.size());
  a->ranks.insert(a->ranks.end(), b->ranks.begin(), b->ranks.end());
  std::ranges::inplace_merge(a->ranks, a->ranks.begin() + middle, {}, &RankPreemptions::rank);
  for (const PreemptionOctave& other : b->durations) {
    const auto at =
        std::ranges::lower_bound(a->durations, other.octave, {}, &PreemptionOctave::octave);
    if (at == a->durations.end() || at->octave != other.octave) {
      a->durations.insert(at, other);
      continue;
    }
    at->count += other.count;
    at->time += other.time;
  }
}

void unite_completions(std::optional<CompletionRecord>& a,
                       const std::optional<CompletionRecord>& b) {
  if (!b) return;
  if (!a) a.emplace();
  a->phases += b->phases;
  a->represented += b->represented;
}

void unite_ends(std::vector<RecordingEnd>& a, const std::vector<RecordingEnd>& b,
                const std::vector<SiteId>& sites) {
  for (RecordingEnd end : b) {
    if (end.site != kNoSite) end.site = sites.at(end.site);
    a.push_back(end);
  }
  std::ranges::sort(a, [](const RecordingEnd& x, const RecordingEnd& y) {
    return std::tie(x.rank, x.thread) < std::tie(y.rank, y.thread);
  });
}

void unite_losses(std::vector<Loss>& a, const std::vector<Loss>& b) {
  std::map<std::string, Loss> by_name;
  for (Loss& loss : a) by_name.emplace(loss.name, std::move(loss));
  for (const Loss& loss : b) {
    const auto [place, is_new] = by_name.emplace(loss.name, loss);
    if (is_new) continue;
    Loss& known = place->second;
    known.severity = std::max(known.severity, loss.severity);
    known.count += loss.count;
    known.time += loss.time;
  }
  a.clear();
  for (auto& [name, loss] : by_name) a.push_back(std::move(loss));
}

void unite_headers(Header& a, const Header& b, RankUnions& unions) {
  a.complete = a.complete && b.complete;
  a.recorded = unions.united(a.recorded, b.recorded);
  a.elapsed = std::max(a.elapsed, b.elapsed);
  a.merge_elapsed = std::max(a.merge_elapsed, b.merge_elapsed);
  a.merge_cpu += b.merge_cpu;
  unite_hosts(a.hosts, b.hosts, unions);
}

constexpr const char* kOneJob = "merge the traces of one run of one job only";

std::string name_of(Timing timing) {
  switch (timing) {
    case Timing::stat:
      return "\"stat\"";
    case Timing::histogram:
      return "\"histogram\"";
    case Timing::path:
      return "\"path\"";
  }
  return "";
}
std::string name_of(Clock clock) { return clock == Clock::wall ? "\"wall\"" : "\"cpu\""; }

std::string place(const Header& a, const Header& b) {
  return "merging rank " + a.recorded.text() + " with rank " + b.recorded.text();
}

SiteId renumbered(SiteId site, const std::vector<SiteId>& sites) {
  if (site == kNoSite) return site;
  REPRISE_ASSERT(site < sites.size(), "every site of a program is in the trace's table");
  return sites[site];
}

void renumber_leaf(Leaf& leaf, const std::vector<SiteId>& sites) {
  leaf.site = renumbered(leaf.site, sites);
  for (PathDeltas& path : leaf.compute) path.predecessor = renumbered(path.predecessor, sites);
  std::sort(leaf.compute.begin(), leaf.compute.end(),
            [](const PathDeltas& x, const PathDeltas& y) { return x.predecessor < y.predecessor; });
}

}  // namespace

std::vector<SiteId> unite_tables(Trace& a, const Trace& b, RankUnions& unions) {
  unite_headers(a.header, b.header, unions);
  unite_losses(a.losses, b.losses);
  unite_times_apart(a.times_apart, b.times_apart);
  unite_compensations(a.compensation, b.compensation);
  unite_preemptions(a.preemptions, b.preemptions);
  unite_completions(a.completions, b.completions);
  a.messages.reset();  // whoever joins them does so when all ranks are in
  a.header.order_budget = std::max(a.header.order_budget, b.header.order_budget);

  const Numbers procedures = unite_rows(a.procedures, b.procedures);
  const Numbers modules = unite_rows(a.modules, b.modules);
  const auto in_union = [&](Frame frame) {
    frame.module = modules.at(frame.module);
    return frame;
  };
  const Numbers paths = unite_call_paths(a.call_paths, b.call_paths, modules);

  std::map<Frame, FrameName> names;
  for (FrameName& name : a.frame_names) names.emplace(name.frame, std::move(name));
  for (FrameName name : b.frame_names) {
    name.frame = in_union(name.frame);
    names.emplace(name.frame, std::move(name));
  }
  a.frame_names.clear();
  for (auto& [frame, name] : names) a.frame_names.push_back(std::move(name));

  std::vector<Site> sites = b.sites;
  for (Site& site : sites) site = {procedures.at(site.procedure), paths.at(site.call_path)};
  Numbers site_numbers = unite_rows(a.sites, sites);
  unite_function_samples(a, b, paths, site_numbers);
  unite_compute_counters(a, b, site_numbers);
  unite_ends(a.ends, b.ends, site_numbers);

  const Numbers communicators = unite_communicators(a.communicators, b.communicators);
  a.communicator_indices.resize(
      std::max(a.communicator_indices.size(), b.communicator_indices.size()));
  for (std::size_t i = 0; i < b.communicator_indices.size(); ++i)
    unite_uses(a.communicator_indices[i], b.communicator_indices[i], communicators, unions);
  return site_numbers;
}

void check_one_job(const Trace& trace_a, const Trace& trace_b) {
  const Header &a = trace_a.header, &b = trace_b.header;
  const auto require_same = [&](const char* what, const std::string& in_a,
                                const std::string& in_b) {
    if (in_a != in_b)
      throw InputError(place(a, b),
                       std::string("the ") + what + " differs: " + in_a + " and " + in_b, kOneJob);
  };
  require_same("number of ranks", std::to_string(a.ranks), std::to_string(b.ranks));
  require_same("timing", name_of(a.timing), name_of(b.timing));
  require_same("clock", name_of(a.clock), name_of(b.clock));
  require_same("number of histogram bins", std::to_string(a.bins), std::to_string(b.bins));
  require_same("rule of histograms", '"' + std::string(name_of(a.bin_rule)) + '"',
               '"' + std::string(name_of(b.bin_rule)) + '"');
  if (trace_a.compensation && trace_b.compensation &&
      !have_same_periods(*trace_a.compensation, *trace_b.compensation))
    throw InputError(place(a, b), "the overhead curves of the recorder differ", kOneJob);
  if (!a.recorded.intersects(b.recorded)) return;
  const RankList both = a.recorded.minus(a.recorded.minus(b.recorded));
  throw InputError(place(a, b), "both traces hold rank " + both.text(), kOneJob);
}

void renumber_sites(std::vector<Node>& nodes, const std::vector<SiteId>& sites) {
  for (SiteId site = 0; site < sites.size(); ++site)
    if (sites[site] != site)
      return for_each_leaf(nodes, [&](Leaf& leaf) { renumber_leaf(leaf, sites); });
}

}  // namespace reprise::trace_io
