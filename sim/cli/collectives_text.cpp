// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <vector>

#include "sim/cli/platform_actions.hpp"
#include "sim/collectives/node_map.hpp"
#include "sim/collectives/selection.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::cli {
namespace {

using sim::Choice;
using trace_io::Collective;

struct Range {
  std::uint64_t from = 0;
  std::optional<std::uint64_t> to;  // the last size; absent: no limit
  Choice choice;
};

// An allgatherv has equal blocks here, a reduce_scatter equal shares; elements are of 8 bytes.
std::vector<Range> ranges(const sim::Selection& selection, Collective operation,
                          const CollectivesQuestion& question, const sim::NodeMap& nodes) {
  sim::CollectiveCall call;
  call.operation = operation;
  call.size = question.ranks;
  call.nodes = &nodes;
  call.element_bytes = Bytes{8};
  std::vector<std::int64_t> list(static_cast<std::size_t>(question.ranks));
  call.receive_list = list;
  std::vector<std::uint64_t> sizes = selection.thresholds(operation, question.ranks);
  // Fewer elements than there are ranks, rounded down to a power of two, may count as few.
  if (operation == Collective::reduce || operation == Collective::allreduce) {
    std::uint64_t few = 1;
    while (few * 2 <= static_cast<std::uint64_t>(question.ranks)) few *= 2;
    sizes.push_back((few - 1) * 8 + 1);
    std::sort(sizes.begin(), sizes.end());
  }
  sizes.insert(sizes.begin(), 0);
  std::vector<Range> found;
  for (const std::uint64_t size : sizes) {
    call.bytes = Bytes{size};
    // Every block of the list has the size; of a reduce_scatter only the sum counts.
    if (operation == Collective::allgatherv)
      std::fill(list.begin(), list.end(), static_cast<std::int64_t>(size));
    if (operation == Collective::reduce_scatter) list[0] = static_cast<std::int64_t>(size);
    const Choice choice = selection.choose(call);
    if (!found.empty() && found.back().choice.algorithm == choice.algorithm &&
        found.back().choice.segment == choice.segment &&
        found.back().choice.fanout == choice.fanout)
      continue;
    if (!found.empty()) found.back().to = size - 1;
    found.push_back({size, std::nullopt, choice});
  }
  return found;
}

sim::NodeMap node_map(const CollectivesQuestion& question) {
  std::vector<std::uint32_t> nodes;
  for (std::int32_t rank = 0; rank < question.ranks; ++rank)
    nodes.push_back(static_cast<std::uint32_t>(rank / question.ranks_per_node));
  return sim::NodeMap(nodes);
}

template <class Each>
void for_each_operation(Each each) {
  for (int i = 1; i <= static_cast<int>(Collective::reduce_scatter_block); ++i)
    each(static_cast<Collective>(i));
}

std::string tuning_text(const Choice& choice) {
  std::string text;
  if (choice.segment.value > 0) text += ", segments of " + to_text(choice.segment);
  if (choice.fanout > 0) text += ", fanout " + std::to_string(choice.fanout);
  return text;
}

}  // namespace

std::string collectives_text(const platforms::Platform& platform,
                             const CollectivesQuestion& question) {
  const sim::Selection selection(platform, question.mpi_library);
  const sim::NodeMap nodes = node_map(question);
  std::string text = "collectives of " + std::string(selection.name()) + " on " +
                     counted(static_cast<std::uint64_t>(question.ranks), "rank") + ", " +
                     counted(static_cast<std::uint64_t>(question.ranks_per_node), "rank") +
                     " a node\n\n" + "operation             up to         algorithm\n";
  for_each_operation([&](Collective operation) {
    bool is_first = true;
    for (const Range& range : ranges(selection, operation, question, nodes)) {
      const std::string name = is_first ? std::string(sim::operation_name(operation)) : "";
      const std::string limit = range.to ? to_text(Bytes{*range.to}) : "any size";
      text += formatted("%-20s  %-12s  %s", name.c_str(), limit.c_str(),
                        std::string(range.choice.algorithm->name).c_str()) +
              tuning_text(range.choice) + "\n";
      is_first = false;
    }
  });
  return text;
}

std::string collectives_json(const platforms::Platform& platform,
                             const CollectivesQuestion& question) {
  const sim::Selection selection(platform, question.mpi_library);
  const sim::NodeMap nodes = node_map(question);
  nlohmann::ordered_json answer = {{"format", 1},
                                   {"selection", selection.name()},
                                   {"ranks", question.ranks},
                                   {"ranks_per_node", question.ranks_per_node}};
  for_each_operation([&](Collective operation) {
    auto rows = nlohmann::ordered_json::array();
    for (const Range& range : ranges(selection, operation, question, nodes)) {
      nlohmann::ordered_json row = {{"from_bytes", range.from},
                                    {"to_bytes", nullptr},
                                    {"algorithm", range.choice.algorithm->name}};
      if (range.to) row["to_bytes"] = *range.to;
      if (range.choice.segment.value > 0) row["segment_bytes"] = range.choice.segment.value;
      if (range.choice.fanout > 0) row["fanout"] = range.choice.fanout;
      rows.push_back(std::move(row));
    }
    answer["operations"][std::string(sim::operation_name(operation))] = std::move(rows);
  });
  return json_text(answer);
}

}  // namespace reprise::cli
