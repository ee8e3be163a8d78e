// SPDX-License-Identifier: MIT
#include "trace-io/text/implied.hpp"

#include <algorithm>

namespace reprise::trace_io {
namespace {

constexpr std::uint64_t kMostValues = std::uint64_t{1} << 62;

FieldValues constant(const NodeExecutions& executed, std::int64_t value) {
  const std::uint64_t calls =
      *std::max_element(executed.executions.begin(), executed.executions.end());
  return {
      {executed.node.ranks, PeerForm::absolute, *repeated({{false, value, 0, 1, 0}}, calls), {}}};
}

// The same number for every element of the lists of another field.
FieldValues alike(const FieldValues& lists, std::int64_t value) {
  FieldValues values = lists;
  for (auto& entry : values) {
    entry.form = PeerForm::absolute;
    entry.values = *repeated({{false, value, 0, 1, 0}}, entry.values.size());
  }
  return values;
}

std::size_t index_of(std::span<const FieldSpec> specs, Field field) {
  return static_cast<std::size_t>(
      std::find_if(specs.begin(), specs.end(),
                   [&](const FieldSpec& s) { return s.field == field; }) -
      specs.begin());
}

}  // namespace

std::optional<ValueSequence> repeated(const Terms& one_call, std::uint64_t calls) {
  if (calls == 0 || one_call.empty()) return ValueSequence{};
  const auto list = ValueSequence::from_terms(one_call);
  if (list.size() > kMostValues / calls) return std::nullopt;
  if (list.is_constant()) {
    ValueSequence run;
    run.append_run(list.front(), 0, list.size() * calls);
    return run;
  }
  if (calls == 1) return list;
  Terms terms;
  terms.push_back({true, 0, 0, calls, static_cast<std::uint32_t>(one_call.size())});
  terms.insert(terms.end(), one_call.begin(), one_call.end());
  if (!ValueSequence::well_formed(terms))
    return std::nullopt;  // the list itself nests as deep as can be
  return ValueSequence::from_terms(terms);
}

std::vector<std::uint64_t> values_needed(const FieldValues& values,
                                         const NodeExecutions& executed) {
  std::string problem;
  const auto owners = entry_owners(values, executed.node.ranks, executed.ranks, problem);
  std::vector<std::uint64_t> needed(values.size(), 0);
  for (std::size_t i = 0; i < owners.size(); ++i)
    needed[owners[i]] = std::max(needed[owners[i]], executed.executions[i]);
  return needed;
}

std::optional<FieldValues> default_value(const Leaf& leaf, std::span<const FieldSpec> specs,
                                         Kind kind, std::size_t field,
                                         const NodeExecutions& executed) {
  switch (specs[field].field) {
    case Field::comm:
    case Field::tag:
    case Field::receive_tag:
    case Field::in_place:
    case Field::window:
    case Field::file:
    case Field::assertion:
    case Field::exclusive:
      return constant(executed, 0);
    case Field::element_bytes:
      return constant(executed, 8);
    case Field::commutes:
      return constant(executed, 1);
    case Field::matched_peer:
      return constant(executed, kNoPeer);
    case Field::matched_tag:
      return constant(executed, kNone);
    case Field::completed:
      if (kind != Kind::wait_some) return std::nullopt;
      return leaf.fields[index_of(specs, Field::requests)];
    case Field::matched_peers:
    case Field::matched_tags: {
      const std::size_t completed = index_of(specs, Field::completed);
      const auto& lists =
          leaf.fields[completed < specs.size() ? completed : index_of(specs, Field::requests)];
      return alike(lists, specs[field].field == Field::matched_peers ? kNoPeer : kNone);
    }
    case Field::sources:
    case Field::destinations: {
      FieldValues none = constant(executed, 0);
      none.front().lengths = none.front().values;
      none.front().values = {};
      return none;
    }
    default:
      return std::nullopt;
  }
}

Distribution equal_durations(Nanoseconds each, std::uint64_t count, Rank lowest,
                             std::uint32_t bins) {
  const std::int64_t sum = each.value * static_cast<std::int64_t>(count);
  const Wide squares = static_cast<Wide>(each.value) * static_cast<Wide>(sum);
  std::vector<Distribution::Bin> all;
  if (bins > 0) all.push_back({count, sum});
  return Distribution::from_parts(bins, count, sum, Distribution::Squares::of(squares),
                                  {each, lowest}, {each, lowest}, std::move(all));
}

std::uint64_t total_executions(const NodeExecutions& executed, const RankList& ranks) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < executed.ranks.size(); ++i)
    if (ranks.contains(executed.ranks[i]))
      total += std::min(executed.executions[i], kMostValues - total);
  return total;
}

bool same_terms(const FieldValues& a, const FieldValues& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const FieldEntry& x, const FieldEntry& y) { return same_terms(x, y); });
}

}  // namespace reprise::trace_io
