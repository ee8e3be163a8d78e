// SPDX-License-Identifier: MIT
#include <algorithm>
#include <unordered_set>

#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/check/completions.hpp"
#include "trace-io/check/compute_counters.hpp"
#include "trace-io/check/executions.hpp"
#include "trace-io/check/field_domain.hpp"
#include "trace-io/check/function_samples.hpp"
#include "trace-io/check/iterations.hpp"
#include "trace-io/check/messages.hpp"
#include "trace-io/check/recording_ends.hpp"
#include "trace-io/check/sequence_sums.hpp"
#include "trace-io/check/times_apart.hpp"
#include "trace-io/model/communicators.hpp"
#include "trace-io/model/time_pools.hpp"
#include "trace-io/model/trace.hpp"
#include "trace-io/order/order_code.hpp"

namespace reprise::trace_io {
namespace {

class StructureCheck {
 public:
  explicit StructureCheck(const Trace& trace) : trace_(trace) {}

  std::vector<Finding> run() {
    check_header();
    check_tables();
    if (findings_.empty()) check_communicator_table();
    if (!findings_.empty()) return std::move(findings_);
    for (const auto& name : trace_.procedures) procedures_.push_back(procedure_named(name));
    for (std::size_t t = 0; t < trace_.threads.size(); ++t) check_program(t);
    if (findings_.empty())
      check_iterations(trace_, [&](std::size_t t, const Node* node, const std::string& problem) {
        add(node == nullptr ? "marks" : place_of(t, *node), problem);
      });
    return std::move(findings_);
  }

 private:
  void add(const std::string& where, const std::string& problem) {
    if (findings_.size() < kMaxStructureFindings)
      findings_.push_back({Severity::error, where, problem});
  }

  bool in_range(const RankList& ranks) const {
    if (ranks.empty()) return true;
    for (const auto& term : ranks.terms()) {
      std::int64_t last = term.start.value;
      for (const auto& dimension : term.dimensions)
        last += static_cast<std::int64_t>(dimension.count - 1) * dimension.stride;
      if (last >= trace_.header.ranks) return false;
    }
    return ranks.front().value >= 0;
  }

  void check_header() {
    const Header& header = trace_.header;
    if (header.ranks < 1 || header.ranks > kMaxRanks)
      return add("header", std::to_string(header.ranks) + " ranks, 1 to " +
                               std::to_string(kMaxRanks) + " can be");
    if (!in_range(header.recorded))
      add("header", "recorded ranks beyond the job's " + std::to_string(header.ranks));
    if (const std::string problem = pools_problem(trace_); !problem.empty())
      add("pools of times", problem);
    if (const std::string problem = compensation_problem(trace_); !problem.empty())
      add("compensation", problem);
    if (const std::string problem = preemptions_problem(trace_); !problem.empty())
      add("preempted ranks", problem);
    if (const std::string problem = messages_problem(trace_); !problem.empty())
      add("messages", problem);
    if (const std::string problem = completions_problem(trace_); !problem.empty())
      add("completions", problem);
    if (const std::string problem = function_samples_problem(trace_); !problem.empty())
      add("samples of functions", problem);
    if (const std::string problem = compute_counters_problem(trace_); !problem.empty())
      add("counts of events", problem);
    if (const std::string problem = recording_ends_problem(trace_); !problem.empty())
      add("ends of recordings", problem);
    for (const auto& host : header.hosts)
      if (!in_range(host.ranks))
        add("host " + host.name, "ranks beyond the job's " + std::to_string(header.ranks));
  }

  template <class Index>
  void check_index(const std::string& where, const char* what, Index index, std::size_t limit) {
    if (index >= limit)
      add(where, std::string(what) + " " + std::to_string(index) + " does not exist, there are " +
                     std::to_string(limit));
  }

  void check_tables() {
    std::vector<std::string> names = trace_.procedures;
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) add("procedures", *twice + " is listed twice");
    for (std::size_t p = 0; p < trace_.call_paths.size(); ++p)
      for (const auto& frame : trace_.call_paths[p].frames)
        check_index("call path " + std::to_string(p), "module", frame.module,
                    trace_.modules.size());
    for (std::size_t s = 0; s < trace_.sites.size(); ++s) {
      const std::string where = "site " + std::to_string(s);
      check_index(where, "procedure", trace_.sites[s].procedure, trace_.procedures.size());
      check_index(where, "call path", trace_.sites[s].call_path, trace_.call_paths.size());
    }
    for (std::size_t n = 0; n < trace_.frame_names.size(); ++n) {
      const std::string where = "frame name " + std::to_string(n);
      check_index(where, "module", trace_.frame_names[n].frame.module, trace_.modules.size());
      if (n > 0 && !(trace_.frame_names[n - 1].frame < trace_.frame_names[n].frame))
        add(where, "not in the order of the frames");
    }
    for (std::size_t l = 1; l < trace_.losses.size(); ++l)
      if (!(trace_.losses[l - 1].name < trace_.losses[l].name))
        add("losses", "not in the order of their names");
  }

  void check_communicator_table() {
    try {
      check_communicators(trace_, "communicators");
    } catch (const InputError& error) {
      add(error.where(), error.problem());
    }
  }

  // ------------------------------------------------------------------ programs
  std::string place_of(std::size_t thread, const Node& node) const {
    std::string text = thread == 0 ? "" : "thread " + std::to_string(thread) + ", ";
    text.append(node.ranks.size() == 1 ? "rank " : "ranks ")
        .append(node.ranks.empty() ? "none" : node.ranks.text());
    if (const auto* leaf = std::get_if<Leaf>(&node.content))
      return text + ", " + site_text(trace_, leaf->site);
    return text + ", the loop of " + first_call(node);
  }

  std::string first_call(const Node& node) const {
    const Node* inner = &node;
    while (const auto* loop = std::get_if<Loop>(&inner->content)) {
      if (loop->body.empty()) return "nothing";
      inner = &loop->body.front();
    }
    return site_text(trace_, std::get<Leaf>(inner->content).site);
  }

  void check_program(std::size_t thread) {
    walk_executions(
        trace_.threads[thread], trace_.header.recorded,
        [&](const NodeExecutions& executed) {
          if (const auto* leaf = std::get_if<Leaf>(&executed.node.content))
            check_leaf(thread, *leaf, executed);
        },
        [&](const Node& node, const std::string& problem) {
          add(place_of(thread, node), problem);
        });
  }

  void check_leaf(std::size_t thread, const Leaf& leaf, const NodeExecutions& executed) {
    const auto refuse = [&](const std::string& problem) {
      add(place_of(thread, executed.node), problem);
    };
    if (leaf.site >= trace_.sites.size())
      return refuse("site " + std::to_string(leaf.site) + " does not exist");
    const Procedure& procedure = procedures_[trace_.sites[leaf.site].procedure];
    const auto specs = fields(procedure);
    if (leaf.fields.size() != specs.size())
      return refuse(std::to_string(leaf.fields.size()) + " fields, the procedure has " +
                    std::to_string(specs.size()));
    for (std::size_t f = 0; f < specs.size(); ++f) {
      const std::string problem = field_problem(leaf.fields[f], procedure, specs[f], executed);
      if (!problem.empty()) return refuse(std::string(name_of(specs[f].field)) + ": " + problem);
    }
    if (const std::string problem = further_calls_problem(trace_, leaf, procedure, executed);
        !problem.empty())
      return refuse(problem);
    for (std::size_t w = 0; w < leaf.compute.size(); ++w) {
      const auto& path = leaf.compute[w];
      if (path.predecessor != kNoSite && path.predecessor >= trace_.sites.size())
        return refuse("the predecessor's site " + std::to_string(path.predecessor) +
                      " does not exist");
      if (w > 0 && path.predecessor <= leaf.compute[w - 1].predecessor)
        return refuse("the compute deltas are not in the order of their predecessors");
      check_classes(path.classes, executed.node, refuse);
    }
    check_classes(leaf.communicate, executed.node, refuse);
    for (const DeltaClass& delta : leaf.communicate)
      if (!delta.logs.empty() || delta.order != nullptr)
        refuse("an order of times inside a call, where only compute times have one");
  }

  template <class Refuse>
  void check_classes(const std::vector<DeltaClass>& classes, const Node& node,
                     const Refuse& refuse) {
    RankList seen;
    for (const auto& delta : classes) {
      if (!delta.durations.consistent(delta.is_scaled()))
        refuse("a distribution whose parts contradict each other");
      if (const std::string problem = scale_factors_problem(delta); !problem.empty())
        refuse(problem);
      if (const std::string problem = order_problem(delta); !problem.empty()) refuse(problem);
      if (delta.ranks == node.ranks && classes.size() == 1) return;
      if (!delta.ranks.minus(node.ranks).empty())
        refuse("a delta class of ranks that do not execute the call");
      if (seen.intersects(delta.ranks)) refuse("a rank in two delta classes");
      seen = seen.united(delta.ranks);
    }
  }

  // Empty where all is well.
  std::string scale_factors_problem(const DeltaClass& delta) {
    if (!delta.totals.empty())
      return delta.scale_factors == nullptr ? totals_problem(delta)
                                            : "totals of ranks beside their scale factors";
    if (delta.scale_factors == nullptr)
      return delta.scaled_count == 0 ? "" : "a scaled count without scale factors";
    const RankScaleFactors& scale_factors = *delta.scale_factors;
    if (delta.durations.count() == 0) return "scale factors without durations";
    if (delta.scaled_count == 0 || delta.scaled_count >> 62 != 0)
      return "a scaled count of 0, or above 62 bits";
    if (!(delta.ranks == scale_factors.ranks) && !delta.ranks.minus(scale_factors.ranks).empty())
      return "a rank without a scale factor";
    if (!checked_scale_factors_.insert(&scale_factors).second) return "";
    if (scale_factors.values.size() != static_cast<std::uint64_t>(scale_factors.ranks.size()))
      return std::to_string(scale_factors.values.size()) + " scale factors for " +
             std::to_string(scale_factors.ranks.size()) + " ranks";
    const SequenceSums values(scale_factors.values);
    if (values.least() < 0 || values.greatest() > RankScaleFactors::kLargest)
      return "a scale factor below 0 or above " + std::to_string(RankScaleFactors::kLargest);
    return "";
  }

  static std::string totals_problem(const DeltaClass& delta) {
    if (delta.totals.size() != static_cast<std::size_t>(delta.ranks.size()))
      return std::to_string(delta.totals.size()) + " totals for " +
             std::to_string(delta.ranks.size()) + " ranks";
    std::uint64_t count = 0, sum = 0;
    bool is_negative = false;
    for (const RankTotal& total : delta.totals) {
      is_negative = is_negative || total.sum < 0;
      count += total.count;
      sum += static_cast<std::uint64_t>(total.sum);
    }
    const bool add_up = !is_negative && count == delta.durations.count() &&
                        sum == static_cast<std::uint64_t>(delta.durations.sum().value);
    return add_up ? "" : "totals of ranks that do not add up to those of all ranks";
  }

  static std::string field_problem(const FieldValues& values, const Procedure& procedure,
                                   const FieldSpec& spec, const NodeExecutions& executed) {
    std::string problem;
    const auto owners = entry_owners(values, executed.node.ranks, executed.ranks, problem);
    if (owners.empty()) return problem;
    std::vector<std::uint64_t> needed(values.size(), 0);
    for (std::size_t i = 0; i < owners.size(); ++i)
      needed[owners[i]] = std::max(needed[owners[i]], executed.executions[i]);
    for (std::size_t e = 0; e < values.size(); ++e) {
      problem = entry_problem(values[e], procedure, spec, needed[e]);
      if (!problem.empty()) return problem;
    }
    return "";
  }

  static std::string entry_problem(const FieldEntry& entry, const Procedure& procedure,
                                   const FieldSpec& spec, std::uint64_t executions) {
    const ValueSequence& per_call = spec.is_vector ? entry.lengths.sequence() : entry.values;
    if (per_call.size() < executions)
      return std::to_string(executions) + " calls, but only " + std::to_string(per_call.size()) +
             (spec.is_vector ? " lengths" : " values");
    if (spec.frame == PeerFrame::not_a_peer && entry.form != PeerForm::absolute)
      return "a peer's form, but the field is no peer";
    if (!spec.is_vector && !entry.lengths.empty()) return "lengths, but the field is no list";
    if (!spec.is_vector) return domain_problem(procedure, spec, entry.values, executions);
    if (per_call.empty()) return "";
    const SequenceSums lengths(per_call);
    if (lengths.least() < 0) return "a negative length";
    if (lengths.greatest() > kMaxListLength)
      return "a list of " + std::to_string(lengths.greatest()) + " values, more than " +
             std::to_string(kMaxListLength);
    if (lengths.sum(per_call.size()) != static_cast<WideSigned>(entry.values.size()))
      return "the lengths do not add up to the " + std::to_string(entry.values.size()) + " values";
    return domain_problem(procedure, spec, entry.values,
                          static_cast<std::uint64_t>(lengths.sum(executions)));
  }

  const Trace& trace_;
  std::vector<Procedure> procedures_;  // by index
  std::unordered_set<const RankScaleFactors*> checked_scale_factors_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> check_structure(const Trace& trace) { return StructureCheck(trace).run(); }

}  // namespace reprise::trace_io
