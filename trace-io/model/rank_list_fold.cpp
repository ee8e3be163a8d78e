// SPDX-License-Identifier: MIT
// Ranks to terms and back. Folding is a function of the set alone, which makes terms canonical.
#include <algorithm>

#include "trace-io/model/rank_list_parts.hpp"

namespace reprise::trace_io {
namespace {

using Term = RankList::Term;

std::vector<Term> intervals(const std::vector<std::int32_t>& ranks) {
  std::vector<Term> terms;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    Term term{Rank{ranks[i]}, {}};
    if (end - i > 1) term.dimensions.push_back({static_cast<std::uint32_t>(end - i), 1});
    terms.push_back(std::move(term));
    i = end;
  }
  return terms;
}

bool shape_is_less(const Term& a, const Term& b) {
  return std::lexicographical_compare(
      a.dimensions.begin(), a.dimensions.end(), b.dimensions.begin(), b.dimensions.end(),
      [](const RankList::Dimension& x, const RankList::Dimension& y) {
        return x.count != y.count ? x.count < y.count : x.stride < y.stride;
      });
}

bool start_is_less(const Term& a, const Term& b) { return a.start < b.start; }

// One pass; REQUIRES: ordered by shape, then start.
std::vector<Term> with_outer_dimensions(std::vector<Term> terms) {
  std::vector<Term> result;
  for (std::size_t i = 0; i < terms.size();) {
    std::size_t end = i + 1;
    const auto alike = [&](std::size_t k) {
      return k < terms.size() && terms[k].dimensions == terms[i].dimensions;
    };
    const auto distance = [&](std::size_t k) {
      return terms[k].start.value - terms[k - 1].start.value;
    };
    while (alike(end) && distance(end) == distance(i + 1)) ++end;
    if (end - i > 1) {
      const RankList::Dimension outer{static_cast<std::uint32_t>(end - i), distance(i + 1)};
      terms[i].dimensions.insert(terms[i].dimensions.begin(), outer);
    }
    // Moving comes last: alike() and distance() read the terms.
    result.push_back(std::move(terms[i]));
    i = end;
  }
  return result;
}

void add_members(const Term& term, std::size_t depth, std::int32_t start,
                 std::vector<std::int32_t>& to) {
  if (depth == term.dimensions.size()) return to.push_back(start);
  const auto [count, stride] = term.dimensions[depth];
  for (std::uint32_t i = 0; i < count; ++i)
    add_members(term, depth + 1, start + static_cast<std::int32_t>(i) * stride, to);
}

}  // namespace

std::vector<Term> folded_terms(const std::vector<std::int32_t>& ranks) {
  std::vector<Term> terms = intervals(ranks);
  for (std::size_t before = 0; terms.size() > 1 && terms.size() != before;) {
    before = terms.size();
    std::sort(terms.begin(), terms.end(), start_is_less);
    std::stable_sort(terms.begin(), terms.end(), shape_is_less);
    terms = with_outer_dimensions(std::move(terms));
  }
  std::sort(terms.begin(), terms.end(), start_is_less);
  return terms;
}

void add_members(const Term& term, std::vector<std::int32_t>& to) {
  add_members(term, 0, term.start.value, to);
}

std::vector<std::int32_t> members(const RankList& list) {
  std::vector<std::int32_t> result;
  result.reserve(static_cast<std::size_t>(list.size()));
  for (const Term& term : list.terms()) add_members(term, result);
  if (!std::is_sorted(result.begin(), result.end())) std::sort(result.begin(), result.end());
  return result;
}

}  // namespace reprise::trace_io
