// SPDX-License-Identifier: MIT
// How sequences are coded: the writer's choice of form and pattern.
#include <algorithm>
#include <utility>

#include "trace-io/base/integers.hpp"
#include "trace-io/file/coded_sequences.hpp"
#include "trace-io/file/symbol_table.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::size_t kFewSymbols = 32;  // with more, differences and distances are tried

}  // namespace

CodedSequences::Plan CodedSequences::plan_of(const std::vector<std::int64_t>& values,
                                             std::size_t most_symbols) const {
  constexpr std::uint64_t kOfSymbol = 6, kOfKnown = 3;
  Plan plan;
  plan.cost = ~std::uint64_t{0};
  plan.row.size = values.size();
  SymbolTable alphabet(most_symbols);
  plan.row.symbols.reserve(values.size());
  for (const std::int64_t value : values) {
    const auto symbol = alphabet.symbol_of(value);
    if (!symbol) return plan;
    plan.row.symbols.push_back(*symbol);
  }
  plan.row.alphabet = alphabet.take();
  plan.hash = hash_of(plan.row.symbols);
  plan.cost = plan.row.alphabet.size() * kOfSymbol;
  const auto size = sizes_.find(values.size());
  if (size == sizes_.end()) return plan;
  const auto& patterns = size->second.patterns;
  const auto known = size->second.by_hash.find(plan.hash);
  if (known == size->second.by_hash.end() || patterns[known->second].symbols != plan.row.symbols)
    return plan;
  plan.row.pattern = patterns.size() - known->second;
  plan.cost = plan.row.alphabet.size() * kOfKnown;
  return plan;
}

CodedSequences::Plan CodedSequences::planned(const std::vector<std::int64_t>& values,
                                             std::uint64_t most_cost) const {
  Plan best = plan_of(values, kMostSymbols);
  if (best.row.pattern > 0 || best.row.alphabet.size() - 1 < kFewSymbols) return best;
  std::vector<std::int64_t> others(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    others[i] = difference(values[i], i == 0 ? 0 : values[i - 1]);
  const auto consider = [&](RowForm form, std::uint64_t other) {
    const std::size_t limit = best.row.alphabet.empty() ? kMostSymbols : best.row.alphabet.size();
    Plan plan = plan_of(others, limit);
    if (plan.cost >= best.cost) return;
    best = std::move(plan);
    best.row.form = form;
    best.row.other = other;
  };
  consider(RowForm::differences, 0);
  if (const auto size = sizes_.find(values.size()); size != sizes_.end()) {
    const auto& patterns = size->second.patterns;
    for (std::size_t back = 0; back < std::min(patterns.size(), kCandidates); ++back) {
      const auto& of = patterns[patterns.size() - 1 - back].values;
      for (std::size_t i = 0; i < values.size(); ++i) others[i] = difference(values[i], of[i]);
      consider(RowForm::distances, back);
    }
  }
  if (best.cost > most_cost) best.cost = ~std::uint64_t{0};
  return best;
}

}  // namespace reprise::trace_io
