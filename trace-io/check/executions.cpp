// SPDX-License-Identifier: MIT
#include "trace-io/check/executions.hpp"

#include <algorithm>
#include <optional>

#include "trace-io/check/sequence_sums.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::uint32_t kNobody = ~std::uint32_t{0};

// One field's sequence as several ranks with mostly equal execution counts ask about it.
class SharedAnswers {
 public:
  explicit SharedAnswers(const ValueSequence& sequence) : sums_(sequence) {}
  const SequenceSums& sums() const { return sums_; }
  WideSigned sum(std::uint64_t n) {
    if (!sum_ || sum_n_ != n) {
      sum_ = sums_.sum(n);
      sum_n_ = n;
    }
    return *sum_;
  }
  std::uint64_t above(std::uint64_t n, std::int64_t threshold) {
    if (!above_ || above_n_ != n || threshold_ != threshold) {
      above_ = sums_.count_above(n, threshold);
      above_n_ = n;
      threshold_ = threshold;
    }
    return *above_;
  }

 private:
  SequenceSums sums_;
  std::optional<WideSigned> sum_;
  std::optional<std::uint64_t> above_;
  std::uint64_t sum_n_ = 0, above_n_ = 0;
  std::int64_t threshold_ = 0;
};

// The first place from START on whose rank is RANK or above, as far as RANKS reach. Steps double until they are beyond it, then halve: a node
// of few ranks among many looks at O(log(ranks between)) of them for each, one of all at each once.
std::size_t next_at_least(const std::vector<Rank>& ranks, std::size_t start, Rank rank) {
  std::size_t end = start, step = 1;  // all before START are below RANK
  while (end < ranks.size() && ranks[end] < rank) {
    start = end + 1;
    end += step;
    step *= 2;
  }
  const auto at = [&](std::size_t place) {
    return ranks.begin() + static_cast<std::ptrdiff_t>(std::min(place, ranks.size()));
  };
  return static_cast<std::size_t>(std::lower_bound(at(start), at(end), rank) - ranks.begin());
}

std::string rank_text(Rank rank) { return "rank " + std::to_string(rank.value); }

// The executions of one body: what its nodes need to know of the loop around it.
struct Passes {
  std::vector<Rank> ranks;
  std::vector<std::uint64_t> executions;  // of the loop itself
  std::vector<std::uint64_t> full;        // passes over the whole body
  std::vector<SharedAnswers> exits;       // one per entry; none at the top
  std::vector<std::uint32_t> exit_of;     // per rank, index into exits
};

class Walk {
 public:
  Walk(const VisitNode& visit, const ReportProblem& report) : visit_(visit), report_(report) {}

  // Events per rank of `passes`; `around` (null at the top) is blamed for what is wrong with the body as a whole.
  std::vector<std::uint64_t> walk(const std::vector<Node>& body, const RankList& list,
                                  Passes& passes, const Node* around) {
    std::vector<std::uint64_t> events(passes.ranks.size(), 0);
    std::vector<std::int64_t> positions(passes.ranks.size(), 0);
    for (const auto& node : body) {
      const auto places = places_in(node, list, passes.ranks);
      if (places.empty()) continue;
      std::vector<Rank> ranks;
      std::vector<std::uint64_t> executions;
      bool countable = true;
      for (const auto place : places) {
        std::uint64_t times = passes.full[place];
        if (!passes.exits.empty())
          times +=
              passes.exits[passes.exit_of[place]].above(passes.executions[place], positions[place]);
        ++positions[place];
        ranks.push_back(passes.ranks[place]);
        executions.push_back(times);
        countable = countable && times < kMaxExecutions;
      }
      if (!countable) {
        report(node, "executed more than 2^62 times");
        continue;
      }
      visit_({node, ranks, executions});
      if (const auto* loop = std::get_if<Loop>(&node.content)) {
        const auto inner = walk_loop(node, *loop, std::move(ranks), std::move(executions));
        for (std::size_t i = 0; i < inner.size(); ++i)
          add_events(node, events[places[i]], inner[i]);
      } else {
        for (std::size_t i = 0; i < places.size(); ++i)
          add_events(node, events[places[i]], executions[i]);
      }
    }
    if (around != nullptr && !broken_) check_body(*around, passes, positions, events);
    return events;
  }

 private:
  void report(const Node& node, const std::string& problem) {
    broken_ = true;  // what the counts around it say is no finding of its own
    report_(node, problem);
  }

  void add_events(const Node& node, std::uint64_t& sum, std::uint64_t more) {
    if (sum + more >= kMaxExecutions) {
      report(node, "more than 2^62 events up to here");
      return;
    }
    sum += more;
  }

  // Indices into `outer` of the node's ranks; empty where they are none or not all there.
  std::vector<std::size_t> places_in(const Node& node, const RankList& list,
                                     const std::vector<Rank>& outer) {
    std::vector<std::size_t> places;
    if (node.ranks == list) {
      for (std::size_t i = 0; i < outer.size(); ++i) places.push_back(i);
    } else {
      std::size_t place = 0;
      for (const Rank rank : node.ranks.ranks()) {
        place = next_at_least(outer, place, rank);
        if (place == outer.size() || outer[place] != rank) {
          report(node, rank_text(rank) + " executes it, but does not execute what surrounds it");
          return {};
        }
        places.push_back(place);
      }
    }
    if (places.empty()) report(node, "no rank executes it");
    return places;
  }

  std::vector<std::uint64_t> walk_loop(const Node& node, const Loop& loop, std::vector<Rank> ranks,
                                       std::vector<std::uint64_t> executions) {
    std::vector<SharedAnswers> iterations;
    std::vector<std::uint32_t> iteration_of;
    Passes inner;
    inner.ranks = std::move(ranks);
    inner.executions = std::move(executions);
    if (!read_counter(node, "iterations", loop.iterations, inner, iterations, iteration_of))
      return {};
    if (!read_counter(node, "exits", loop.exits, inner, inner.exits, inner.exit_of)) return {};
    for (std::size_t i = 0; i < inner.ranks.size(); ++i) {
      const WideSigned full = iterations[iteration_of[i]].sum(inner.executions[i]);
      if (full >= static_cast<WideSigned>(kMaxExecutions)) {
        report(node, "a loop of more than 2^62 iterations");
        return {};
      }
      inner.full.push_back(static_cast<std::uint64_t>(full));
    }
    return walk(loop.body, node.ranks, inner, &node);
  }

  bool read_counter(const Node& node, const char* what, const FieldValues& values,
                    const Passes& inner, std::vector<SharedAnswers>& answers,
                    std::vector<std::uint32_t>& owners) {
    std::string problem;
    owners = entry_owners(values, node.ranks, inner.ranks, problem);
    if (owners.empty()) {
      report(node, std::string("the loop's ") + what + ": " + problem);
      return false;
    }
    for (const auto& entry : values) {
      if (entry.form != PeerForm::absolute || !entry.lengths.empty()) {
        report(node, std::string("the loop's ") + what +
                         ": a peer's form or lengths, but it is a number");
        return false;
      }
      answers.emplace_back(entry.values);
      if (!entry.values.empty() && answers.back().sums().least() < 0) {
        report(node, std::string("the loop's ") + what + ": a negative number");
        return false;
      }
    }
    for (std::size_t i = 0; i < owners.size(); ++i) {
      const std::uint64_t there = answers[owners[i]].sums().size();
      if (there >= inner.executions[i]) continue;
      report(node, std::string("the loop's ") + what + ": " + rank_text(inner.ranks[i]) +
                       " needs " + std::to_string(inner.executions[i]) + " values, there are " +
                       std::to_string(there));
      return false;
    }
    return true;
  }

  void check_body(const Node& around, Passes& passes, const std::vector<std::int64_t>& positions,
                  const std::vector<std::uint64_t>& events) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (positions[i] == 0)
        return report(around, rank_text(passes.ranks[i]) + " executes nothing in the loop's body");
      // Of the exits that this rank reads: others may have more nodes in the body, and share the sequence.
      if (passes.exits[passes.exit_of[i]].above(passes.executions[i], positions[i]) > 0)
        return report(around, "the loop is left beyond the " + std::to_string(positions[i]) +
                                  " nodes of its body that " + rank_text(passes.ranks[i]) +
                                  " executes");
      if (events[i] < passes.full[i])
        return report(around, "the loop's " + std::to_string(passes.full[i]) + " iterations on " +
                                  rank_text(passes.ranks[i]) + " hold only " +
                                  std::to_string(events[i]) + " events");
    }
  }

  const VisitNode& visit_;
  const ReportProblem& report_;
  bool broken_ = false;
};

}  // namespace

std::vector<std::uint32_t> entry_owners(const FieldValues& values, const RankList& list,
                                        std::span<const Rank> ranks, std::string& problem) {
  if (values.size() == 1 && values.front().ranks == list)
    return std::vector<std::uint32_t>(ranks.size(), 0);
  std::vector<std::uint32_t> owners(ranks.size(), kNobody);
  std::size_t owned = 0;
  const auto refuse = [&](const std::string& text) {
    problem = text;
    return std::vector<std::uint32_t>{};
  };
  for (std::size_t e = 0; e < values.size(); ++e) {
    if (values[e].ranks.empty()) return refuse("an entry for no rank");
    if (e > 0 && values[e].ranks.front() <= values[e - 1].ranks.front())
      return refuse("the entries are not in the order of their lowest ranks");
    for (const Rank rank : values[e].ranks.ranks()) {
      const auto place = static_cast<std::size_t>(
          std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin());
      if (place == ranks.size() || ranks[place] != rank)
        return refuse(rank_text(rank) + " has a value, but does not execute the call");
      if (owners[place] != kNobody) return refuse(rank_text(rank) + " has two values");
      owners[place] = static_cast<std::uint32_t>(e);
      ++owned;
    }
  }
  if (owned == ranks.size()) return owners;
  const auto missing =
      static_cast<std::size_t>(std::find(owners.begin(), owners.end(), kNobody) - owners.begin());
  return refuse(rank_text(ranks[missing]) + " executes the call, but has no value");
}

void walk_executions(const std::vector<Node>& program, const RankList& recorded,
                     const VisitNode& visit, const ReportProblem& report) {
  Passes passes;
  passes.ranks = recorded.ranks();
  passes.executions.assign(passes.ranks.size(), 1);
  passes.full.assign(passes.ranks.size(), 1);
  Walk(visit, report).walk(program, recorded, passes, nullptr);
}

}  // namespace reprise::trace_io
