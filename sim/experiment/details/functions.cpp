// SPDX-License-Identifier: MIT
// Functions by samples: their shares of the computing, what of the critical path is spent in them, and the call paths for a flame graph. Of
// traces recorded with --functions sample.
//
// Path     the time that the critical path computes before a call is divided as the samples before that call are, of the classes of ranks that the path
//          computes on, by how long it does; each sample counts by what rules for functions have made of it (those for some ranks or nodes only are left out).
// Amdahl   a function of which the path spends t seconds cannot make the run shorter by more than that, however fast it gets; another path may take
//          over earlier.
// In MPI   what the path spends in calls that the function or its callees make: messages, overheads, waiting for what is no rank's computing.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "sim/experiment/details/critical_path.hpp"
#include "sim/functions/function_names.hpp"
#include "sim/functions/function_table.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/model/function_samples.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;
using trace_io::SiteId;

constexpr std::size_t kShownFunctions = 20;

struct Row {
  std::uint64_t exclusive = 0, inclusive = 0;     // samples
  double path_exclusive = 0, path_inclusive = 0;  // seconds
  double path_in_mpi = 0;                         // seconds, in calls that were made in it
};

struct Graph {
  std::string ranks;
  std::uint64_t samples = 0;
  std::vector<FoldedStack> stacks;
};

class Functions : public Figure {
 public:
  explicit Functions(const Replayed& replayed);

  ordered_json json() const override;
  std::string text() const override;
  ordered_json rows() const override;

 private:
  double share(std::uint64_t samples) const {
    return samples_ > 0 ? static_cast<double>(samples) / static_cast<double>(samples_) : 0;
  }
  double of_time(double seconds) const { return time_ > 0 ? seconds / time_ : 0; }

  std::uint64_t samples_ = 0;
  double time_ = 0, computing_ = 0, unsampled_ = 0;     // seconds: the run, the path's computing
  std::vector<std::pair<std::string, Row>> functions_;  // the path's largest first
  std::vector<Graph> graphs_;
};

// By call path: what the rules make of a second of it.
std::vector<double> weights_of(const trace_io::Trace& trace, const ReplaySettings& settings) {
  std::vector<double> weights(trace.call_paths.size(), 1);
  for (const ComputeRule& rule : settings.compute) {
    if (rule.part == ComputeRule::Part::all || !rule.ranks.empty() || !rule.nodes.empty()) continue;
    const auto matches =
        call_paths_in(trace, rule.call, rule.part != ComputeRule::Part::in_function);
    for (std::size_t stack = 0; stack < weights.size(); ++stack)
      if (matches[stack]) weights[stack] *= rule.factor;
  }
  return weights;
}

// Seconds that the path computes on ranks of each class; those of a row of several ranks are divided evenly.
std::vector<double> on_classes(const trace_io::FunctionSamples& samples,
                               const CriticalPathParts& path) {
  std::vector<double> seconds(samples.classes.size());
  for (std::size_t row = 0; row + 1 < path.first_ranks.size(); ++row) {
    double computing = 0;
    for (std::size_t i = row * path.bins; i < (row + 1) * path.bins; ++i)
      computing += path.computing[i];
    const std::int32_t ranks = path.first_ranks[row + 1] - path.first_ranks[row];
    for (std::int32_t rank = path.first_ranks[row]; rank < path.first_ranks[row + 1]; ++rank)
      for (std::size_t c = 0; c < seconds.size(); ++c)
        if (samples.classes[c].ranks.contains(Rank{rank})) seconds[c] += computing / ranks;
  }
  return seconds;
}

// The path's computing before calls, by call path: what of it is spent there.
class PathTime {
 public:
  PathTime(const Replayed& replayed, const CriticalPathParts& path)
      : samples_(*replayed.trace.functions),
        weights_(weights_of(replayed.trace, replayed.settings)),
        on_classes_(on_classes(samples_, path)),
        by_call_path(replayed.trace.call_paths.size()) {
    std::map<SiteId, double> seconds;
    for (const PathShare& share : path.shares)
      if (share.part == PathPart::compute) seconds[share.site] += share.seconds;
    for (const auto& [site, time] : seconds) {
      computing += time;
      if (!divide(site, time)) unsampled += time;
    }
  }

  double computing = 0, unsampled = 0;

 private:
  struct Sampled {
    std::size_t of;  // class
    const trace_io::PathSamples* path;
  };

  double weight(const trace_io::PathSamples& path) const {
    double all = 0;
    for (const auto& [stack, count] : path.stacks)
      all += weights_[stack] * static_cast<double>(count);
    return all;
  }

  // False where no sample was taken before the call. Classes that the path is not on count where no other was sampled there.
  bool divide(SiteId site, double time) {
    std::vector<Sampled> found;
    std::map<std::size_t, double> of_class;
    for (std::size_t c = 0; c < samples_.classes.size(); ++c)
      for (const auto& path : samples_.classes[c].compute)
        if (path.site == site) {
          found.push_back({c, &path});
          of_class[c] += weight(path);
        }
    double on_path = 0;
    for (const auto& [c, all] : of_class) on_path += all > 0 ? on_classes_[c] : 0;
    double rest = 0;  // weights of all classes, where the path is on none of them
    for (const auto& [c, all] : of_class) rest += all;
    if (rest <= 0) return false;
    for (const auto& [c, path] : found) {
      if (of_class[c] <= 0) continue;
      const double share = on_path > 0 ? on_classes_[c] / on_path / of_class[c] : 1 / rest;
      for (const auto& [stack, count] : path->stacks)
        by_call_path[stack] += time * share * weights_[stack] * static_cast<double>(count);
    }
    return true;
  }

  const trace_io::FunctionSamples& samples_;
  const std::vector<double> weights_, on_classes_;

 public:
  std::vector<double> by_call_path;  // seconds
};

// What the path spends in a call, not before it: neither computing nor what makes that longer.
bool is_inside_call(const PathShare& share) {
  const PathPart part = share.part;
  return share.site != trace_io::kNoSite && part != PathPart::compute && part != PathPart::noise &&
         part != PathPart::core && part != PathPart::memory;
}

Functions::Functions(const Replayed& replayed) {
  const trace_io::Trace& trace = replayed.trace;
  const FunctionNames names(trace);
  std::map<std::uint32_t, std::uint64_t> counts;  // by call path
  for (const auto& ranks : trace.functions->classes) {
    Graph& graph = graphs_.emplace_back();
    graph.ranks = ranks.ranks.text();
    graph.stacks = folded_stacks(trace, ranks);
    for (const FoldedStack& stack : graph.stacks) graph.samples += stack.samples;
    samples_ += graph.samples;
    for (const auto& path : ranks.compute)
      for (const auto& [stack, count] : path.stacks) counts[stack] += count;
  }
  const CriticalPathParts path = critical_path_of(replayed);
  const PathTime time(replayed, path);
  time_ = path.time;
  computing_ = time.computing;
  unsampled_ = time.unsampled;
  std::map<std::string, Row> rows;
  for (const auto& [stack, count] : counts) {
    const auto& frames = trace.call_paths[stack].frames;
    Row& innermost = rows[names.of(frames.front())];
    innermost.exclusive += count;
    innermost.path_exclusive += time.by_call_path[stack];
    std::set<std::string> met;
    for (const auto& frame : frames)
      if (const std::string name = names.of(frame); met.insert(name).second) {
        rows[name].inclusive += count;
        rows[name].path_inclusive += time.by_call_path[stack];
      }
  }
  for (const PathShare& share : path.shares)
    if (is_inside_call(share))
      for (const std::string& name : callers_of(trace, names, share.site))
        rows[name].path_in_mpi += share.seconds;
  functions_.assign(rows.begin(), rows.end());
  std::ranges::stable_sort(functions_, [](const auto& x, const auto& y) {
    return std::tuple(x.second.path_exclusive, x.second.path_inclusive, x.second.path_in_mpi) >
           std::tuple(y.second.path_exclusive, y.second.path_inclusive, y.second.path_in_mpi);
  });
}

ordered_json Functions::rows() const {
  auto rows = ordered_json::array();
  for (const auto& [name, row] : functions_)
    rows.push_back({{"function", name},
                    {"exclusive_share", share(row.exclusive)},
                    {"inclusive_share", share(row.inclusive)},
                    {"path_exclusive_s", row.path_exclusive},
                    {"path_inclusive_s", row.path_inclusive},
                    {"path_in_mpi_s", row.path_in_mpi},
                    {"path_exclusive_share", of_time(row.path_exclusive)},
                    {"path_inclusive_share", of_time(row.path_inclusive)},
                    {"path_in_mpi_share", of_time(row.path_in_mpi)}});
  return rows;
}

ordered_json Functions::json() const {
  auto graphs = ordered_json::array();
  for (const Graph& graph : graphs_) {
    auto stacks = ordered_json::array();
    for (const FoldedStack& stack : graph.stacks)
      stacks.push_back({{"functions", stack.functions}, {"samples", stack.samples}});
    graphs.push_back({{"ranks", graph.ranks}, {"samples", graph.samples}, {"stacks", stacks}});
  }
  return {{"samples", samples_},
          {"time_s", time_},
          {"path_computing_s", computing_},
          {"path_unsampled_s", unsampled_},
          {"functions", rows()},
          {"rank_classes", graphs}};
}

std::string Functions::text() const {
  std::string text = formatted("\n%-44s  %21s  %32s\n", "functions, of samples between calls",
                               "of recorded computing", "of the critical path");
  text += formatted("%-44s  %10s %10s  %10s %10s %10s\n", "", "exclusive", "inclusive", "exclusive",
                    "inclusive", "in MPI");
  for (std::size_t i = 0; i < std::min(functions_.size(), kShownFunctions); ++i) {
    const auto& [name, row] = functions_[i];
    text += padded(name, 44) +
            formatted("  %9.1f%% %9.1f%%  %9.1f%% %9.1f%% %9.1f%%\n", 100 * share(row.exclusive),
                      100 * share(row.inclusive), 100 * of_time(row.path_exclusive),
                      100 * of_time(row.path_inclusive), 100 * of_time(row.path_in_mpi));
  }
  if (functions_.size() > kShownFunctions)
    text += formatted("(%zu more: --format json or csv)\n", functions_.size() - kShownFunctions);
  if (unsampled_ > 0)
    text +=
        formatted("(%.1f%% of the path computes before calls that no sample was taken before)\n",
                  100 * of_time(unsampled_));
  return text;
}

}  // namespace

extern const Detail kFunctions = {
    .name = "functions",
    .key = "functions",
    .cost = "",
    .scope = DetailScope::baseline,
    .watched = {.path = true},
    .measure = [](const Replayed& replayed) -> std::unique_ptr<Figure> {
      if (replayed.trace.functions == nullptr) return nullptr;
      return std::make_unique<Functions>(replayed);
    }};

}  // namespace reprise::sim
