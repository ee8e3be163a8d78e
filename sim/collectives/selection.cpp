// SPDX-License-Identifier: MIT
#include "sim/collectives/selection.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include "sim/collectives/node_map.hpp"
#include "sim/collectives/parts.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"

namespace reprise::sim {
namespace {

using trace_io::Collective;

constexpr std::array<std::string_view, 23> kOperationNames = {"none",
                                                              "barrier",
                                                              "bcast",
                                                              "reduce",
                                                              "allreduce",
                                                              "scan",
                                                              "exscan",
                                                              "gather",
                                                              "gatherv",
                                                              "scatter",
                                                              "scatterv",
                                                              "allgather",
                                                              "allgatherv",
                                                              "alltoall",
                                                              "alltoallv",
                                                              "alltoallw",
                                                              "reduce_scatter",
                                                              "reduce_scatter_block",
                                                              "neighbor_allgather",
                                                              "neighbor_allgatherv",
                                                              "neighbor_alltoall",
                                                              "neighbor_alltoallv",
                                                              "neighbor_alltoallw"};

struct Library {
  std::string_view name;
  const Table& (*table)();  // null: the simple algorithms
};
constexpr std::array<Library, 4> kLibraries = {{{"open-mpi-4.1", open_mpi_4_1_table},
                                                {"mpich-4.0", mpich_4_0_table},
                                                {"smpi", smpi_table},
                                                {"simple", nullptr}}};
constexpr std::string_view kRecorded = "recorded";

std::string_view library_of(std::string_view recorded) {
  if (recorded.starts_with("Open MPI")) return "open-mpi-4.1";
  if (recorded.find("MPICH") != std::string_view::npos ||
      recorded.find("Intel") != std::string_view::npos)
    return "mpich-4.0";
  return "simple";
}

std::string hint_for(const std::string& word, const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  const auto nearest = nearest_word(word, names);
  return (nearest ? "did you mean \"" + *nearest + "\"? " : "") + "there are: " + list;
}

std::uint64_t size_of(const CollectiveCall& call) {
  switch (call.operation) {
    case Collective::allgatherv:
      return sum(call.receive_list).value / static_cast<std::uint64_t>(call.size);
    case Collective::reduce_scatter:
      return sum(call.receive_list).value;
    case Collective::none:
    case Collective::barrier:
    case Collective::gatherv:
    case Collective::scatterv:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return 0;
    default:
      return call.bytes.value;
  }
}

bool is_reduction(Collective operation) {
  return operation == Collective::reduce || operation == Collective::allreduce ||
         operation == Collective::reduce_scatter || operation == Collective::reduce_scatter_block;
}

bool fits(const TableRow& row, const CollectiveCall& call) {
  const auto asks = [&](TableRow::When what) { return (row.when & what) != 0; };
  const auto power = std::bit_floor(static_cast<std::uint32_t>(call.size));
  if (static_cast<std::uint64_t>(call.size) >= row.members_below) return false;
  if (asks(TableRow::kOrdered) && call.commutes) return false;
  if (asks(TableRow::kCommuting) && !call.commutes) return false;
  if (asks(TableRow::kPowerOfTwo) && power != static_cast<std::uint32_t>(call.size)) return false;
  if (asks(TableRow::kTwoLevels) && (call.nodes == nullptr || !call.nodes->has_levels()))
    return false;
  return !asks(TableRow::kFewElements) || elements(call) < static_cast<std::int64_t>(power);
}

// Empty where it is.
std::string_view why_not_applicable(const Algorithm& algorithm, const CollectiveCall& call) {
  if (call.remote_size > 0) return "the communicator joins two groups";
  if (algorithm.only_commuting && !call.commutes && is_reduction(call.operation))
    return "the operator does not commute";
  if (algorithm.name == "two_level" && (call.nodes == nullptr || !call.nodes->has_levels()))
    return "no node has several of the ranks, or one has all";
  return "";
}

}  // namespace

std::string_view operation_name(Collective operation) {
  return kOperationNames[static_cast<std::size_t>(operation)];
}

Selection::Selection(const platforms::Platform& platform, std::string_view mpi_library) {
  const platforms::Collectives& wanted = platform.collectives;
  const std::string_view library =
      wanted.selection == kRecorded ? library_of(mpi_library) : std::string_view(wanted.selection);
  const auto found = std::find_if(kLibraries.begin(), kLibraries.end(),
                                  [&](const Library& known) { return known.name == library; });
  if (found == kLibraries.end()) {
    std::vector<std::string> names{std::string(kRecorded)};
    for (const Library& known : kLibraries) names.emplace_back(known.name);
    throw InputError(platform.file + " at /mpi/collectives/selection",
                     "unknown selection \"" + wanted.selection + '"',
                     hint_for(wanted.selection, names));
  }
  name_ = found->name;
  if (found->table != nullptr) table_ = &found->table();
  for (const platforms::CollectiveRule& rule : wanted.rules) {
    const auto named = std::find(kOperationNames.begin(), kOperationNames.end(), rule.operation);
    REPRISE_ASSERT(named != kOperationNames.end(), "the platform's operations are ours");
    const auto operation = static_cast<Collective>(named - kOperationNames.begin());
    const Algorithm* algorithm = find_algorithm(operation, false, rule.algorithm);
    const bool is_left = rule.algorithm == kLibraryChoice;
    if (algorithm == nullptr && !is_left) {
      std::vector<std::string> names;
      for (const Algorithm& known : algorithms())
        if (known.operation == operation && !known.on_intercommunicators)
          names.emplace_back(known.name);
      names.emplace_back(kLibraryChoice);
      throw InputError(platform.file + " at " + rule.pointer,
                       "no algorithm \"" + rule.algorithm + "\" for " + rule.operation,
                       hint_for(rule.algorithm, names));
    }
    rules_.push_back(
        {operation,
         rule.up_to ? rule.up_to->value : kUnlimited,
         {algorithm, rule.segment, static_cast<std::int32_t>(rule.fanout), algorithm}});
    asks_for_nodes_ = asks_for_nodes_ || (!is_left && algorithm->name == "two_level");
  }
  if (table_ != nullptr)
    for (const TableRow& row : *table_)
      asks_for_nodes_ = asks_for_nodes_ || (row.when & TableRow::kTwoLevels) != 0;
}

Choice Selection::choose(const CollectiveCall& call) const {
  const Collective operation =
      call.operation == Collective::none ? Collective::barrier : call.operation;
  const std::uint64_t size = size_of(call);
  const auto rule = std::ranges::find_if(
      rules_, [&](const Rule& one) { return one.operation == operation && size <= one.up_to; });
  const Algorithm* const asked = rule == rules_.end() ? nullptr : rule->choice.algorithm;
  if (asked != nullptr && why_not_applicable(*asked, call).empty()) return rule->choice;
  if (call.remote_size > 0) return {&simple_algorithm(operation, true), Bytes{}, 0, asked};
  if (table_ != nullptr)
    for (const TableRow& row : *table_) {
      if (row.operation != operation || !fits(row, call)) continue;
      const bool in_total = (row.when & TableRow::kTotal) != 0;
      const std::uint64_t counted = in_total ? size * static_cast<std::uint64_t>(call.size) : size;
      for (const TableRow::Cut& cut : row.cuts)
        if (counted < cut.below || cut.below == kUnlimited) {
          const Algorithm* algorithm = find_algorithm(operation, false, cut.algorithm);
          REPRISE_ASSERT(algorithm != nullptr, "tables name algorithms that there are");
          return {algorithm, Bytes{}, 0, asked};
        }
    }
  return {&simple_algorithm(operation, false), Bytes{}, 0, asked};
}

Played played(const Choice& choice, const CollectiveCall& call) {
  Played found{choice, nullptr, "", ""};
  if (choice.asked != nullptr && choice.asked != choice.algorithm) {
    found.in_place_of = choice.asked;
    found.reason = why_not_applicable(*choice.asked, call);
  }
  const Fallback* const fallback = choice.algorithm->fallback;
  if (fallback == nullptr || !fallback->holds(call)) return found;
  if (found.in_place_of == nullptr) {
    found.in_place_of = choice.algorithm;
    found.reason = fallback->reason;
    found.library = fallback->library;
  }
  found.choice.algorithm = find_algorithm(choice.algorithm->operation, false, fallback->algorithm);
  REPRISE_ASSERT(found.choice.algorithm != nullptr, "fallbacks name algorithms that there are");
  if (!fallback->keeps_tuning) found.choice.segment = Bytes{}, found.choice.fanout = 0;
  return found;
}

std::vector<std::uint64_t> Selection::thresholds(Collective operation, std::int32_t members) const {
  std::set<std::uint64_t> sizes;
  for (const Rule& rule : rules_)
    if (rule.operation == operation && rule.up_to != kUnlimited) sizes.insert(rule.up_to + 1);
  if (table_ != nullptr)
    for (const TableRow& row : *table_)
      for (const TableRow::Cut& cut : row.cuts) {
        if (row.operation != operation || cut.below == kUnlimited) continue;
        const std::uint64_t blocks =
            (row.when & TableRow::kTotal) != 0 ? static_cast<std::uint64_t>(members) : 1;
        sizes.insert((cut.below + blocks - 1) / blocks);
      }
  return {sizes.begin(), sizes.end()};
}

}  // namespace reprise::sim
