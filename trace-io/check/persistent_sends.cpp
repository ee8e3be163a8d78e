// SPDX-License-Identifier: MIT
#include "trace-io/check/persistent_sends.hpp"

#include <limits>
#include <string>
#include <utility>

#include "trace-io/check/sequence_sums.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::int64_t kUnlike = -1;
constexpr std::uint64_t kSaturated = std::numeric_limits<std::uint64_t>::max();

std::size_t index_of(Field field, const Procedure& procedure) {
  const auto specs = fields(procedure);
  std::size_t place = 0;
  while (place < specs.size() && specs[place].field != field) ++place;
  return place;
}

// A field of a leaf, and which of its entries each of the ranks that execute it reads.
struct EntriesOfRanks {
  EntriesOfRanks(const FieldValues& its_values, const NodeExecutions& executed)
      : values(its_values),
        owners(entry_owners(values, executed.node.ranks, executed.ranks, problem)) {}
  std::string problem;
  const FieldValues& values;
  std::vector<std::uint32_t> owners;
};

std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b) {
  return b > 0 && a > kSaturated / b ? kSaturated : a * b;
}

}  // namespace

PersistentSends::PersistentSends(const Trace& trace) {
  const VisitNode visit = [&](const NodeExecutions& executed) {
    const auto* leaf = std::get_if<Leaf>(&executed.node.content);
    if (leaf == nullptr || count_ > kMostMade) return;
    const Procedure procedure =
        procedure_named(trace.procedures[trace.sites[leaf->site].procedure]);
    if (procedure.kind == Kind::init_send || procedure.kind == Kind::init_receive)
      add(*leaf, procedure, executed);
  };
  for (const auto& program : trace.threads)
    walk_executions(program, trace.header.recorded, visit, [](const Node&, const std::string&) {});
}

void PersistentSends::add(const Leaf& leaf, const Procedure& procedure,
                          const NodeExecutions& executed) {
  const bool is_send = procedure.kind == Kind::init_send;
  const EntriesOfRanks numbers(leaf.fields[index_of(Field::request, procedure)], executed),
      bytes(leaf.fields[index_of(Field::bytes, procedure)], executed),
      peers(leaf.fields[index_of(Field::peer, procedure)], executed);
  if (numbers.owners.empty() || bytes.owners.empty() || peers.owners.empty()) return;
  for (std::size_t i = 0; i < executed.ranks.size(); ++i) {
    count_ += executed.executions[i];
    if (count_ > kMostMade) return;
    ValueSequence::Cursor number(numbers.values[numbers.owners[i]].values),
        size(bytes.values[bytes.owners[i]].values), peer(peers.values[peers.owners[i]].values);
    BytesByNumber& made = made_[executed.ranks[i]];
    for (std::uint64_t k = 0; k < executed.executions[i]; ++k) {
      const std::int64_t its_bytes = is_send ? size.next() : 0;
      const auto [at, is_new] = made.emplace(number.next(), its_bytes);
      if (!is_new && at->second != its_bytes) at->second = kUnlike;
      has_null_sends_ |= is_send && peer.next() == kProcNull;
    }
  }
}

std::optional<std::uint64_t> PersistentSends::bytes_of(const Leaf& leaf, const Procedure& procedure,
                                                       const NodeExecutions& executed) const {
  if (count_ > kMostMade) return std::nullopt;
  const bool is_list = procedure.kind == Kind::start_all;
  const EntriesOfRanks numbers(
      leaf.fields[index_of(is_list ? Field::requests : Field::request, procedure)], executed);
  // By entry and executions: ranks that have both read the same numbers.
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::map<std::int64_t, std::uint64_t>> starts;
  std::vector<std::optional<SequenceSums>> sums(numbers.values.size());
  std::uint64_t total = 0;
  if (numbers.owners.empty()) return total;
  for (std::size_t i = 0; i < executed.ranks.size(); ++i) {
    const auto made = made_.find(executed.ranks[i]);
    if (made == made_.end()) continue;
    const std::uint32_t owner = numbers.owners[i];
    const FieldEntry& entry = numbers.values[owner];
    if (!sums[owner]) sums[owner].emplace(entry.values);
    std::uint64_t used = executed.executions[i];
    if (is_list) used = static_cast<std::uint64_t>(SequenceSums(entry.lengths).sum(used));
    auto& known = starts[{owner, executed.executions[i]}];
    for (const auto& [number, bytes] : made->second) {
      const auto [at, is_new] = known.emplace(number, 0);
      if (is_new)
        at->second =
            sums[owner]->count_above(used, number - 1) - sums[owner]->count_above(used, number);
      if (at->second == 0) continue;
      if (bytes == kUnlike) return std::nullopt;
      const std::uint64_t moved = saturated_product(at->second, static_cast<std::uint64_t>(bytes));
      total = moved > kSaturated - total ? kSaturated : total + moved;
    }
  }
  return total;
}

}  // namespace reprise::trace_io
