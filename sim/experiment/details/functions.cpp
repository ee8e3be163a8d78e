// SPDX-License-Identifier: MIT
// Functions by samples: their shares of the computing, what of the critical path is spent in them, and the call paths for a flame graph. Of
// traces recorded with --functions sample.
//
// Path     the time that the critical path computes before a call is divided as the samples before that call are, of all ranks, each by what rules
//          for functions have made of it (those for some ranks or nodes only are left out).
// Amdahl   a function of which the path spends t seconds cannot make the run shorter by more than that, however fast it gets; another path may take
//          over earlier.
#include <algorithm>
#include <map>
#include <set>

#include "sim/experiment/details/critical_path.hpp"
#include "sim/functions/function_names.hpp"
#include "sim/functions/function_table.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/model/function_samples.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;
using trace_io::SiteId;

constexpr std::size_t kShownRows = 20;

struct Row {
  std::uint64_t exclusive = 0, inclusive = 0;     // samples
  double path_exclusive = 0, path_inclusive = 0;  // seconds
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

Functions::Functions(const Replayed& replayed) {
  const trace_io::Trace& trace = replayed.trace;
  const FunctionNames names(trace);
  std::map<SiteId, std::map<std::uint32_t, std::uint64_t>>
      before;  // by the call after, by call path
  for (const auto& ranks : trace.functions->classes) {
    Graph& graph = graphs_.emplace_back();
    graph.ranks = ranks.ranks.text();
    graph.stacks = folded_stacks(trace, ranks);
    for (const FoldedStack& stack : graph.stacks) graph.samples += stack.samples;
    for (const auto& path : ranks.compute)
      for (const auto& [stack, count] : path.stacks) before[path.site][stack] += count;
  }
  const CriticalPathParts path = critical_path_of(replayed);
  time_ = path.time;
  std::map<SiteId, double> seconds;
  for (const PathShare& share : path.shares) {
    if (share.part != PathPart::compute) continue;
    computing_ += share.seconds;
    if (before.contains(share.site))
      seconds[share.site] += share.seconds;
    else
      unsampled_ += share.seconds;
  }
  const std::vector<double> weights = weights_of(trace, replayed.settings);
  std::map<std::string, Row> rows;
  for (const auto& [site, stacks] : before) {
    double all = 0;
    for (const auto& [stack, count] : stacks) {
      samples_ += count;
      all += weights[stack] * static_cast<double>(count);
    }
    const double each = all > 0 ? seconds[site] / all : 0;
    for (const auto& [stack, count] : stacks) {
      const auto& frames = trace.call_paths[stack].frames;
      const double time = each * weights[stack] * static_cast<double>(count);
      Row& innermost = rows[names.of(frames.front())];
      innermost.exclusive += count;
      innermost.path_exclusive += time;
      std::set<std::string> met;
      for (const auto& frame : frames)
        if (const std::string name = names.of(frame); met.insert(name).second) {
          rows[name].inclusive += count;
          rows[name].path_inclusive += time;
        }
    }
  }
  functions_.assign(rows.begin(), rows.end());
  std::ranges::stable_sort(functions_, [](const auto& x, const auto& y) {
    return std::pair(x.second.path_exclusive, x.second.path_inclusive) >
           std::pair(y.second.path_exclusive, y.second.path_inclusive);
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
                    {"path_exclusive_share", of_time(row.path_exclusive)},
                    {"path_inclusive_share", of_time(row.path_inclusive)}});
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
  std::string text = formatted("\n%-44s  %21s  %21s\n", "functions, of samples between calls",
                               "of the computing", "of the critical path");
  text += formatted("%-44s  %10s %10s  %10s %10s\n", "", "exclusive", "inclusive", "exclusive",
                    "inclusive");
  for (std::size_t i = 0; i < std::min(functions_.size(), kShownRows); ++i) {
    const auto& [name, row] = functions_[i];
    text += padded(name, 44) + formatted("  %9.1f%% %9.1f%%  %9.1f%% %9.1f%%\n",
                                         100 * share(row.exclusive), 100 * share(row.inclusive),
                                         100 * of_time(row.path_exclusive),
                                         100 * of_time(row.path_inclusive));
  }
  if (functions_.size() > kShownRows)
    text += formatted("(%zu more: --format json or csv)\n", functions_.size() - kShownRows);
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
