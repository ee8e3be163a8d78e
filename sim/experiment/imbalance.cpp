// SPDX-License-Identifier: MIT
#include "sim/experiment/imbalance.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "sim/experiment/levelled.hpp"
#include "sim/experiment/mean_times.hpp"
#include "sim/experiment/other_sharing.hpp"
#include "sim/experiment/placement_search.hpp"
#include "sim/experiment/scaled_times.hpp"
#include "sim/processes/at_once.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/iterations/main_loop.hpp"
#include "trace-io/timing_tree/computing_of_ranks.hpp"

namespace reprise::sim {
namespace {

using trace_io::DeltaClass;
using trace_io::Leaf;
using trace_io::Loop;
using trace_io::Node;
using Of = Imbalance::Of;

using Times = std::map<std::int32_t, double>;  // by rank, s

void add(const Times& more, Times& times) {
  for (const auto& [rank, time] : more) times[rank] += time;
}

struct Candidate {
  Imbalance row;
  Times times;
  Times variances;               // s², of the times
  std::set<std::size_t> leaves;  // by their number in the program

  double excess() const { return row.most - row.mean; }
  std::vector<Rank> ranks() const {  // that have such times
    std::vector<Rank> ranks;
    for (const auto& [rank, time] : times) ranks.push_back(Rank{rank});
    return ranks;
  }
};

// How far RANK's time may be above the mean if all compute equally long.
double scatter_of(const Candidate& candidate, Rank rank) {
  const auto found = candidate.variances.find(rank.value);
  if (found == candidate.variances.end()) return 0;
  constexpr double kUnlikely = 0.05;
  const auto ranks = static_cast<double>(candidate.times.size());
  // Of the mean, the rank is a part itself.
  return std::sqrt(2 * std::log(ranks / kUnlikely) * found->second * (1 - 1 / ranks));
}

void fill_row(Candidate& candidate) {
  Imbalance& row = candidate.row;
  std::vector<std::pair<Rank, double>> times;
  for (const auto& [rank, time] : candidate.times) {
    times.emplace_back(Rank{rank}, time);
    row.mean += time / static_cast<double>(candidate.times.size());
    if (time > row.most) {
      row.most = time;
      row.slowest = Rank{rank};
    }
  }
  row.scatter = scatter_of(candidate, row.slowest);
  row.pattern = pattern_of(times);
  if (!row.pattern.empty() && row.is_within_scatter())
    row.pattern = formatted("equal within %.2g%%, less than one recording can tell",
                            100 * (row.most / row.mean - 1));
}

// Candidates of the main thread's call paths and loops, and all times of each rank.
struct Collected {
  std::map<trace_io::SiteId, Candidate> sites;
  std::vector<Candidate> loops;
  Candidate everything;
};

Candidate collect(const trace_io::Trace& trace, const std::vector<Node>& nodes,
                  trace_io::ComputingOfRanks& computing, Collected& all, std::size_t& number) {
  Candidate together;
  for (const Node& node : nodes) {
    if (const auto* loop = std::get_if<Loop>(&node.content)) {
      Candidate one = collect(trace, loop->body, computing, all, number);
      one.row.of = Of::loop;
      one.row.what = loop_text(trace, *loop);
      add(one.times, together.times);
      add(one.variances, together.variances);
      together.leaves.insert(one.leaves.begin(), one.leaves.end());
      all.loops.push_back(std::move(one));
      continue;
    }
    const Leaf& leaf = std::get<Leaf>(node.content);
    Times times, variances;
    for (const auto& path : leaf.compute)
      for (const DeltaClass& delta : path.classes) {
        const auto of_ranks = computing.of(leaf, path, delta),
                   scatter = computing.variances(leaf, path, delta);
        const auto ranks = delta.ranks.ranks();
        for (std::size_t i = 0; i < ranks.size(); ++i) {
          times[ranks[i].value] += of_ranks[i];
          variances[ranks[i].value] += scatter[i];
        }
      }
    Candidate& site = all.sites[leaf.site];
    site.row.of = Of::call_path;
    site.row.site = leaf.site;
    site.row.what = "before " + site_text(trace, leaf.site);
    site.leaves.insert(number);
    together.leaves.insert(number);
    add(times, site.times);
    add(times, together.times);
    add(variances, site.variances);
    add(variances, together.variances);
    ++number;
  }
  return together;
}

// Loops of different ranks that run at the same time are levelled together.
void add_side_by_side(const Levelled& levelled, std::vector<Candidate>& loops) {
  const std::size_t single = loops.size();
  for (const auto& together : levelled.side_by_side()) {
    Candidate one;
    one.row.of = Of::loop;
    one.row.what = together.text;
    for (const auto& [begin, end] : together.calls) {
      const auto loop =
          std::find_if(loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(single),
                       [begin = begin, end = end](const Candidate& each) {
                         return each.leaves.size() == end - begin && *each.leaves.begin() == begin;
                       });
      add(loop->times, one.times);
      add(loop->variances, one.variances);
      one.leaves.insert(loop->leaves.begin(), loop->leaves.end());
    }
    loops.push_back(std::move(one));
  }
}

// Loops in one another may begin with the same call: those are named with the number of calls in them.
void tell_loops_apart(std::vector<Candidate>& loops) {
  std::map<std::string, std::size_t> named;
  for (const Candidate& loop : loops) ++named[loop.row.what];
  for (Candidate& loop : loops)
    if (named[loop.row.what] > 1) loop.row.what += ", of " + counted(loop.leaves.size(), "call");
}

double sum_of(const Times& times) {
  double sum = 0;
  for (const auto& [rank, time] : times) sum += time;
  return sum;
}

Times computing_in(const Outcome& outcome) {
  Times times;
  for (const RankOutcome& rank : outcome.ranks)
    if (rank.compute.value > 0) times[rank.rank.value] = rank.compute.value;
  return times;
}

// What the run takes longer than the one of means.
void add_over_time(const Imbalance& everything, ImbalanceAnswer& answer) {
  const double saved = answer.predicted - answer.with_means;
  if (saved < kOverTime * answer.predicted) return;
  Imbalance row = everything;
  row.of = Of::over_time;
  row.what = "how each rank's times change during the run";
  row.pattern = "ranks are slow at different times, or times scatter";
  row.saved = saved;
  answer.rows.push_back(std::move(row));
}

// The largest of them that are any imbalance.
void keep_largest(std::vector<Candidate>& candidates, std::size_t most) {
  std::erase_if(candidates, [](const Candidate& one) { return one.row.pattern.empty(); });
  std::ranges::stable_sort(candidates, std::ranges::greater(), &Candidate::excess);
  if (candidates.size() > most) candidates.resize(most);
}

}  // namespace

bool Imbalance::is_within_scatter() const {
  const double excess = most - mean;
  return scatter > 0 && excess <= scatter && excess <= kToldAnyway * mean;
}

std::string pattern_of(const std::vector<std::pair<Rank, double>>& times) {
  if (times.size() < 2) return "";
  auto ordered = times;
  std::ranges::stable_sort(ordered, {}, [](const auto& one) { return one.second; });
  const double range = ordered.back().second - ordered.front().second;
  double mean = 0;
  for (const auto& [rank, time] : times) mean += time / static_cast<double>(times.size());
  if (range <= 1e-3 * mean) return "";
  std::size_t gap = 1;
  for (std::size_t i = 2; i < ordered.size(); ++i)
    if (ordered[i].second - ordered[i - 1].second > ordered[gap].second - ordered[gap - 1].second)
      gap = i;
  if (ordered[gap].second - ordered[gap - 1].second <= range / 2) return "gradual";
  const auto text = [&](std::size_t begin, std::size_t end) {
    std::vector<Rank> ranks;
    for (std::size_t i = begin; i < end; ++i) ranks.push_back(ordered[i].first);
    return (ranks.size() == 1 ? "rank " : "ranks ") + trace_io::RankList::from_ranks(ranks).text();
  };
  const std::size_t slow = ordered.size() - gap,
                    few = std::max<std::size_t>(1, ordered.size() / 10);
  if (ordered.size() > 2 && slow <= few) return "slow outliers: " + text(gap, ordered.size());
  if (ordered.size() > 2 && gap <= few) return "fast outliers: " + text(0, gap);
  return "two groups: " + text(0, gap) + " and, slower, " + text(gap, ordered.size());
}

ImbalanceAnswer find_imbalance(const Experiment& experiment, std::size_t most, std::size_t jobs) {
  const trace_io::Trace& trace = *experiment.trace;
  const Prepared prepared = prepare(experiment);
  ReplaySettings settings = prepared.settings;
  settings.deltas = Deltas::mean;
  if (settings.placement.order == platforms::PlacementOrder::kSearched)
    settings.placement = search_placement(trace, prepared.platform, settings.placement).placement;
  ImbalanceAnswer answer;
  const Outcome outcome = replay(trace, prepared.platform, settings);
  answer.with_means = outcome.predicted_time.value;
  ReplaySettings as_predicted = prepared.settings;
  as_predicted.placement = settings.placement;
  const Outcome played = as_predicted.deltas == Deltas::mean
                             ? outcome
                             : replay(trace, prepared.platform, as_predicted);
  answer.predicted = played.predicted_time.value;
  // From here on recorded times are those of the machine, so that slow nodes and rules count as what ranks differ by.
  const auto scaled = scaled_times(trace, prepared.platform, settings);
  const trace_io::Trace& program = scaled ? scaled->trace : trace;
  const platforms::Platform& machine = scaled ? scaled->platform : prepared.platform;
  if (scaled) settings = scaled->settings;

  Collected all;
  std::size_t number = 0;
  if (!program.threads.empty()) {
    trace_io::ComputingOfRanks computing(program, 0);
    all.everything = collect(program, program.threads.front(), computing, all, number);
  }
  std::optional<Levelled> levelled;  // none: the trace is empty
  if (!program.threads.empty()) {
    levelled.emplace(program);
    add_side_by_side(*levelled, all.loops);
  }
  all.everything.row.what = "all compute times";
  const bool changes = !settings.conditions.nodes.empty() || !settings.conditions.noise.empty();
  const double recorded = sum_of(all.everything.times);
  if (changes) all.everything.times = computing_in(played);
  // Of levelled compute times, on nodes that are not slow for a while.
  const double slower = changes && recorded > 0 ? sum_of(all.everything.times) / recorded : 1;
  fill_row(all.everything);
  tell_loops_apart(all.loops);
  std::vector<Candidate> sites;
  for (auto& [site, candidate] : all.sites) sites.push_back(std::move(candidate));
  for (auto* kind : {&sites, &all.loops}) {
    for (Candidate& one : *kind) fill_row(one);
    keep_largest(*kind, most);
  }
  std::vector<const Candidate*> tried;
  for (auto* kind : {&sites, &all.loops})
    for (const Candidate& one : *kind) tried.push_back(&one);

  std::vector<std::pair<double, std::int32_t>> slow;
  for (const auto& [rank, time] : all.everything.times)
    if (!all.everything.row.is_within_scatter() && time > 1.001 * all.everything.row.mean)
      slow.emplace_back(-time, rank);
  std::ranges::sort(slow);
  if (slow.size() > most) slow.resize(most);
  // Ranks may have equal sums, though one is slow in this loop and another in that.
  const bool is_imbalanced = !all.everything.row.pattern.empty() || !tried.empty();
  if (is_imbalanced && all.everything.row.pattern.empty())
    all.everything.row.pattern = "the same over the whole run";
  if (is_imbalanced) tried.push_back(&all.everything);
  for (const Candidate* one : tried) answer.rows.push_back(one->row);
  for (const auto& [time, rank] : slow) {
    Imbalance row;
    row.of = Of::rank;
    row.what = "rank " + std::to_string(rank);
    row.slowest = Rank{rank};
    row.mean = all.everything.row.mean;
    row.most = -time;
    answer.rows.push_back(row);
  }
  const auto balanced = [&](std::size_t i, NetworkKind network) {
    ReplaySettings without = settings;
    without.network = network;
    if (changes && i < tried.size() && tried[i] == &all.everything) {
      without.conditions.nodes.clear();
      without.conditions.noise.clear();
      without.compute_scale *= slower;
    }
    if (i < tried.size())
      return replay(levelled->in(tried[i]->leaves, tried[i]->ranks()), machine, without)
          .predicted_time;
    const Imbalance& row = answer.rows[i];
    ComputeRule rule;
    rule.where = row.what;
    rule.ranks = {{row.slowest.value, row.slowest.value}};
    rule.factor = row.mean / row.most;
    without.compute.push_back(rule);
    return replay(program, machine, without).predicted_time;
  };
  const auto times = at_once(
      jobs, answer.rows.size(), kFurtherReplay,
      [&](std::size_t i) { return balanced(i, settings.network); }, settings.watch);
  const double unbalanced = scaled && !times.empty()
                                ? replay(program, machine, settings).predicted_time.value
                                : answer.with_means;
  std::size_t first = 0;  // the row that will be on top
  for (std::size_t i = 0; i < times.size(); ++i) {
    answer.rows[i].saved = unbalanced - times[i].value;
    if (answer.rows[i].saved > answer.rows[first].saved) first = i;
  }
  if (is_imbalanced) first = tried.size() - 1;
  const auto other = other_sharing(settings.network);
  if (other && !times.empty() && outcome.operations <= kMostCompared) {
    ReplaySettings others = settings;
    others.network = *other;
    others.watch = nullptr;
    const double predicted = replay(program, machine, others).predicted_time.value;
    const double saved = predicted - balanced(first, *other).value;
    if (std::abs(saved / predicted - answer.rows[first].saved / answer.with_means) > kNoticed)
      answer.other_sharing = {*other, predicted, saved};
  }
  if (is_imbalanced) answer.rows[first].saved += answer.predicted - answer.with_means;
  add_over_time(all.everything.row, answer);
  // everything on top
  const auto is_everything = [](const Imbalance& row) { return row.of == Of::everything; };
  std::ranges::stable_sort(answer.rows, [&](const Imbalance& a, const Imbalance& b) {
    if (is_everything(a) != is_everything(b)) return is_everything(a);
    return a.saved > b.saved;
  });
  return answer;
}

}  // namespace reprise::sim
