// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "platforms/placement.hpp"
#include "sim/cli/platform_actions.hpp"
#include "sim/collectives/node_map.hpp"
#include "sim/collectives/selection.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::cli {
namespace {

using sim::Choice;
using sim::Played;
using trace_io::Collective;

struct Range {
  std::uint64_t from = 0;
  std::optional<std::uint64_t> to;  // the last size; absent: no limit
  Played played;
};

bool are_equal(const Played& a, const Played& b) {
  return a.choice.algorithm == b.choice.algorithm && a.choice.segment == b.choice.segment &&
         a.choice.fanout == b.choice.fanout && a.in_place_of == b.in_place_of &&
         a.reason == b.reason;
}

// Of calls whose elements have 8 bytes. An allgatherv has equal blocks here, a reduce_scatter equal shares.
class Asked {
 public:
  Asked(const sim::Selection& selection, Collective operation, const CollectivesQuestion& question,
        const sim::NodeMap& nodes)
      : selection_(selection), list_(static_cast<std::size_t>(question.ranks)) {
    call_.operation = operation;
    call_.size = question.ranks;
    call_.nodes = &nodes;
    call_.element_bytes = Bytes{8};
    call_.receive_list = list_;
  }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;

  Played at(std::uint64_t size) {
    call_.bytes = Bytes{size};
    // Every block of the list has the size; of a reduce_scatter only the sum counts.
    if (call_.operation == Collective::allgatherv)
      std::fill(list_.begin(), list_.end(), static_cast<std::int64_t>(size));
    if (call_.operation == Collective::reduce_scatter) list_[0] = static_cast<std::int64_t>(size);
    return sim::played(selection_.choose(call_), call_);
  }
  // The first size above FROM, up to TO, for which not the same is played; REQUIRES: one change at most, and it is at TO.
  std::uint64_t change(std::uint64_t from, std::uint64_t to) {
    const Played before = at(from);
    while (to - from > 1) {
      const std::uint64_t middle = from + (to - from) / 2;
      (are_equal(at(middle), before) ? from : to) = middle;
    }
    return to;
  }

 private:
  const sim::Selection& selection_;
  sim::CollectiveCall call_;
  std::vector<std::int64_t> list_;
};

std::vector<Range> ranges(const sim::Selection& selection, Collective operation,
                          const CollectivesQuestion& question, const sim::NodeMap& nodes) {
  Asked asked(selection, operation, question, nodes);
  std::vector<Range> found;
  const auto add = [&found](std::uint64_t size, const Played& played) {
    if (!found.empty() && are_equal(found.back().played, played)) return;
    if (!found.empty()) found.back().to = size - 1;
    found.push_back({size, std::nullopt, played});
  };
  std::vector<std::uint64_t> sizes = selection.thresholds(operation, question.ranks);
  sizes.insert(sizes.begin(), 0);
  // Between the selection's own limits, few elements are what makes a difference.
  constexpr std::uint64_t kManyElements = std::uint64_t{1} << 40;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    add(sizes[i], asked.at(sizes[i]));
    const std::uint64_t last = i + 1 < sizes.size() ? sizes[i + 1] - 1 : sizes[i] + kManyElements;
    if (last <= sizes[i] || are_equal(asked.at(last), found.back().played)) continue;
    const std::uint64_t many = asked.change(sizes[i], last);
    add(many, asked.at(many));
  }
  return found;
}

// The node of each rank.
std::vector<std::uint32_t> nodes_of(const platforms::Platform& platform,
                                    const CollectivesQuestion& question) {
  std::vector<std::uint32_t> nodes;
  for (const auto& place : platforms::place_ranks(static_cast<std::uint32_t>(question.ranks),
                                                  platform, question.placement))
    nodes.push_back(place.node);
  return nodes;
}

struct RanksOnNodes {
  std::uint32_t nodes = 0, least = 0, most = 0;  // nodes with ranks, and the ranks on one of them
};

RanksOnNodes ranks_on(const std::vector<std::uint32_t>& nodes) {
  std::map<std::uint32_t, std::uint32_t> ranks;
  for (const std::uint32_t node : nodes) ++ranks[node];
  const auto by_ranks = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto [least, most] = std::minmax_element(ranks.begin(), ranks.end(), by_ranks);
  return {static_cast<std::uint32_t>(ranks.size()), least->second, most->second};
}

std::string on_nodes_text(const RanksOnNodes& on) {
  if (on.nodes == 1) return "all on one node";
  return (on.least < on.most ? "up to " : "") + counted(on.most, "rank") + " on each of " +
         counted(on.nodes, "node");
}

template <class Each>
void for_each_operation(Each each) {
  for (int i = 1; i <= static_cast<int>(Collective::reduce_scatter_block); ++i)
    each(static_cast<Collective>(i));
}

std::string algorithm_text(const Played& played) {
  const Choice& choice = played.choice;
  std::string text(choice.algorithm->name);
  if (choice.segment.value > 0) text += ", segments of " + to_text(choice.segment);
  if (choice.fanout > 0) text += ", fanout " + std::to_string(choice.fanout);
  if (played.in_place_of != nullptr)
    text +=
        " in place of " + std::string(played.in_place_of->name) + ": " + std::string(played.reason);
  return text;
}

}  // namespace

std::string collectives_text(const platforms::Platform& platform,
                             const CollectivesQuestion& question) {
  const sim::Selection selection(platform, question.mpi_library);
  const auto placed = nodes_of(platform, question);
  const sim::NodeMap nodes(placed);
  const RanksOnNodes on = ranks_on(placed);
  std::string text = "collectives of " + std::string(selection.name()) + " on " +
                     counted(static_cast<std::uint64_t>(question.ranks), "rank") + ", " +
                     on_nodes_text(on) + ", " + question.placement_name + " placement\n\n" +
                     "operation             up to         algorithm\n";
  for_each_operation([&](Collective operation) {
    bool is_first = true;
    for (const Range& range : ranges(selection, operation, question, nodes)) {
      const std::string name = is_first ? std::string(sim::operation_name(operation)) : "";
      const std::string limit = range.to ? to_text(Bytes{*range.to}) : "any size";
      text += formatted("%-20s  %-12s  %s\n", name.c_str(), limit.c_str(),
                        algorithm_text(range.played).c_str());
      is_first = false;
    }
  });
  return text;
}

std::string collectives_json(const platforms::Platform& platform,
                             const CollectivesQuestion& question) {
  const sim::Selection selection(platform, question.mpi_library);
  const auto placed = nodes_of(platform, question);
  const sim::NodeMap nodes(placed);
  const RanksOnNodes on = ranks_on(placed);
  nlohmann::ordered_json answer = {{"format", 1},
                                   {"selection", selection.name()},
                                   {"ranks", question.ranks},
                                   {"placement", question.placement_name},
                                   {"nodes", on.nodes},
                                   {"ranks_per_node", on.most}};
  for_each_operation([&](Collective operation) {
    auto rows = nlohmann::ordered_json::array();
    for (const Range& range : ranges(selection, operation, question, nodes)) {
      nlohmann::ordered_json row = {{"from_bytes", range.from},
                                    {"to_bytes", nullptr},
                                    {"algorithm", range.played.choice.algorithm->name}};
      const Choice& choice = range.played.choice;
      if (range.to) row["to_bytes"] = *range.to;
      if (choice.segment.value > 0) row["segment_bytes"] = choice.segment.value;
      if (choice.fanout > 0) row["fanout"] = choice.fanout;
      if (range.played.in_place_of != nullptr) {
        row["in_place_of"] = range.played.in_place_of->name;
        row["reason"] = range.played.reason;
      }
      rows.push_back(std::move(row));
    }
    answer["operations"][std::string(sim::operation_name(operation))] = std::move(rows);
  });
  return json_text(answer);
}

}  // namespace reprise::cli
