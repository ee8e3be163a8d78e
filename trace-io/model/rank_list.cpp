// SPDX-License-Identifier: MIT
#include "trace-io/model/rank_list.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "trace-io/base/error.hpp"

namespace reprise::trace_io {

// The shared inside of equal lists.
struct RankList::Body {
  std::vector<Term> terms;  // by start
  std::vector<std::int32_t>
      ends;  // the highest member of the terms so far: lets contains() stop early
  std::int32_t size = 0;
  std::uint64_t hash = 0;
  // One bit per rank from the lowest to the highest member, where the terms are many; else empty. Terms may interleave,
  // so that otherwise contains() would have to look at all of them.
  std::vector<std::uint64_t> bits;

  explicit Body(std::vector<Term>);
  bool is_interval() const;
};

namespace {

bool term_contains(const RankList::Term& term, std::size_t depth, std::int64_t distance) {
  if (distance < 0) return false;
  if (depth == term.dimensions.size()) return distance == 0;
  const auto [count, stride] = term.dimensions[depth];
  std::int64_t inner = 0;  // the furthest that the inner dimensions reach
  for (std::size_t d = depth + 1; d < term.dimensions.size(); ++d)
    inner += (std::int64_t{term.dimensions[d].count} - 1) * term.dimensions[d].stride;
  const std::int64_t last = std::min<std::int64_t>(distance / stride, std::int64_t{count} - 1);
  for (std::int64_t i = last; i >= 0 && distance - i * stride <= inner; --i)
    if (term_contains(term, depth + 1, distance - i * stride)) return true;
  return false;
}

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

using Term = RankList::Term;

// Refuses what could overflow or take unbounded memory before any member is computed. Returns the number of members.
std::int64_t checked_members(const Term& term, std::int32_t ranks, const std::string& where) {
  std::int64_t count = 1, end = term.start.value;
  if (term.start.value < 0 || term.start.value >= ranks)
    throw InputError(where, "rank " + std::to_string(term.start.value) + " is not one of the " +
                                std::to_string(ranks) + " ranks of the trace");
  for (const auto& dimension : term.dimensions) {
    if (dimension.count < 2 || dimension.stride < 1)
      throw InputError(where,
                       "a rank list has a dimension of count " + std::to_string(dimension.count) +
                           " and stride " + std::to_string(dimension.stride),
                       "counts are at least 2 and strides at least 1");
    count *= dimension.count;  // the checks below keep it under 2³¹ before the next factor
    end += (std::int64_t{dimension.count} - 1) * dimension.stride;
    if (end >= ranks)
      throw InputError(where, "rank " + std::to_string(end) + " is not one of the " +
                                  std::to_string(ranks) + " ranks of the trace");
    if (count > ranks)
      throw InputError(where, "a rank list has more members than the trace has ranks (" +
                                  std::to_string(ranks) + ")");
  }
  return count;
}

void add_text(const Term& term, std::size_t depth, std::int32_t start, std::string& text) {
  const auto& dimensions = term.dimensions;
  if (depth + 1 < dimensions.size()) {
    for (std::uint32_t i = 0; i < dimensions[depth].count; ++i)
      add_text(term, depth + 1, start + static_cast<std::int32_t>(i) * dimensions[depth].stride,
               text);
    return;
  }
  if (!text.empty()) text += ',';
  text += std::to_string(start);
  if (dimensions.empty()) return;
  const auto [count, stride] = dimensions.back();
  const std::string last = std::to_string(start + (static_cast<std::int32_t>(count) - 1) * stride);
  if (stride == 1)
    text += '-' + last;
  else if (count == 2)
    text += ',' + last;
  else
    text += '-' + last + ':' + std::to_string(stride);
}

// Ranks to terms and back. Folding is a function of the set alone, which makes terms canonical.
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

}  // namespace

RankList::Body::Body(std::vector<Term> list) : terms(std::move(list)) {
  std::uint64_t mix = 0;
  const auto add =
      [&](std::int64_t value) {  // FNV-1a, a word at a time, with the upper bits folded down
        mix = (mix ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15U;
        mix ^= mix >> 32U;
      };
  ends.reserve(terms.size());
  for (const Term& term : terms) {
    std::int32_t members = 1, end = term.start.value;
    add(term.start.value);
    for (const auto [count, stride] : term.dimensions) {
      members *= static_cast<std::int32_t>(count);
      end += (static_cast<std::int32_t>(count) - 1) * stride;
      add(count);
      add(stride);
    }
    size += members;
    ends.push_back(ends.empty() ? end : std::max(end, ends.back()));
  }
  hash = mix;
  // No more memory than the terms take: a term with one dimension takes 32 bytes and more.
  const auto words = static_cast<std::size_t>(ends.back() - terms[0].start.value) / 64 + 1;
  if (terms.size() < 8 || words > 4 * terms.size()) return;
  bits.resize(words);
  std::vector<std::int32_t> numbers;
  for (const Term& term : terms) add_members(term, numbers);
  for (const std::int32_t number : numbers) {
    const auto bit = static_cast<std::size_t>(number - terms[0].start.value);
    bits[bit / 64] |= std::uint64_t{1} << bit % 64;
  }
}

bool RankList::Body::is_interval() const {
  return terms.size() == 1 && ends[0] - terms[0].start.value + 1 == size;
}

RankList RankList::interval(std::int32_t first, std::int32_t last) {
  Term term{Rank{first}, {}};
  if (last > first) term.dimensions.push_back({static_cast<std::uint32_t>(last - first) + 1, 1});
  return RankList(std::make_shared<const Body>(std::vector<Term>{std::move(term)}));
}

RankList RankList::single(Rank rank) { return interval(rank.value, rank.value); }

RankList RankList::all(std::int32_t ranks) {
  return ranks > 0 ? interval(0, ranks - 1) : RankList();
}

RankList RankList::from_ascending(const std::vector<std::int32_t>& ranks) {
  if (ranks.empty()) return {};
  return RankList(std::make_shared<const Body>(folded_terms(ranks)));
}

RankList RankList::from_ranks(std::vector<Rank> ranks) {
  std::vector<std::int32_t> numbers(ranks.size());
  std::transform(ranks.begin(), ranks.end(), numbers.begin(), [](Rank rank) { return rank.value; });
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return from_ascending(numbers);
}

bool RankList::empty() const { return body_ == nullptr; }
std::int32_t RankList::size() const { return body_ ? body_->size : 0; }
Rank RankList::front() const { return body_->terms.front().start; }
std::uint64_t RankList::hash() const { return body_ ? body_->hash : 0; }
std::span<const RankList::Term> RankList::terms() const {
  return body_ ? std::span<const Term>(body_->terms) : std::span<const Term>();
}

bool RankList::contains(Rank rank) const {
  if (!body_ || rank < front() || rank.value > body_->ends.back()) return false;
  const auto& terms = body_->terms;
  if (!body_->bits.empty()) {
    const auto bit = static_cast<std::size_t>(rank.value - front().value);
    return (body_->bits[bit / 64] >> bit % 64 & 1U) != 0;
  }
  const auto after =
      std::upper_bound(terms.begin(), terms.end(), rank,
                       [](Rank wanted, const Term& term) { return wanted < term.start; });
  for (auto i = static_cast<std::size_t>(after - terms.begin());
       i-- > 0 && body_->ends[i] >= rank.value;)
    if (term_contains(terms[i], 0, std::int64_t{rank.value} - terms[i].start.value)) return true;
  return false;
}

std::vector<Rank> RankList::ranks() const {
  const std::vector<std::int32_t> numbers = members(*this);
  std::vector<Rank> result(numbers.size());
  std::transform(numbers.begin(), numbers.end(), result.begin(),
                 [](std::int32_t number) { return Rank{number}; });
  return result;
}

RankList RankList::united(const RankList& other) const {
  if (!other.body_ || *this == other) return *this;
  if (!body_) return other;
  if (body_->is_interval() && other.body_->is_interval()) {
    const std::int32_t first = std::min(front().value, other.front().value);
    const std::int32_t last = std::max(body_->ends[0], other.body_->ends[0]);
    if (last - first < size() + other.size()) return interval(first, last);
  }
  const auto mine = members(*this), theirs = members(other);
  std::vector<std::int32_t> both;
  both.reserve(mine.size() + theirs.size());
  std::set_union(mine.begin(), mine.end(), theirs.begin(), theirs.end(), std::back_inserter(both));
  if (both.size() == mine.size()) return *this;
  if (both.size() == theirs.size()) return other;
  return from_ascending(both);
}

RankList RankList::minus(const RankList& other) const {
  if (*this == other) return {};
  if (!intersects(other)) return *this;
  const auto mine = members(*this), theirs = members(other);
  std::vector<std::int32_t> rest;
  std::set_difference(mine.begin(), mine.end(), theirs.begin(), theirs.end(),
                      std::back_inserter(rest));
  return from_ascending(rest);
}

bool RankList::intersects(const RankList& other) const {
  if (!body_ || !other.body_ || body_->ends.back() < other.front().value ||
      other.body_->ends.back() < front().value)
    return false;
  if (body_ == other.body_) return true;
  const RankList& fewer = size() <= other.size() ? *this : other;
  const RankList& more = size() <= other.size() ? other : *this;
  const auto candidates = members(fewer);
  return std::any_of(candidates.begin(), candidates.end(),
                     [&](std::int32_t rank) { return more.contains(Rank{rank}); });
}

bool operator==(const RankList& a, const RankList& b) {
  if (a.body_ == b.body_) return true;
  return a.body_ && b.body_ && a.body_->hash == b.body_->hash && a.body_->terms == b.body_->terms;
}

// Rank lists from outside and for people.

RankList RankList::from_terms(std::span<const Term> terms, std::int32_t ranks,
                              const std::string& where) {
  std::int64_t count = 0;
  for (const Term& term : terms) {
    count += checked_members(term, ranks, where);
    if (count > ranks)
      throw InputError(where, "a rank list has more members than the trace has ranks (" +
                                  std::to_string(ranks) + ")");
  }
  if (terms.size() == 1 && terms[0].dimensions.size() < 2)  // canonical as it is, whatever its size
    return RankList(std::make_shared<const Body>(std::vector<Term>(terms.begin(), terms.end())));
  std::vector<std::int32_t> numbers;
  numbers.reserve(static_cast<std::size_t>(count));
  for (const Term& term : terms) add_members(term, numbers);
  std::sort(numbers.begin(), numbers.end());
  const auto twice = std::adjacent_find(numbers.begin(), numbers.end());
  if (twice != numbers.end())
    throw InputError(where, "rank " + std::to_string(*twice) + " appears twice in one rank list");
  return from_ascending(numbers);
}

std::string RankList::text() const {
  std::string result;
  for (const Term& term : terms()) add_text(term, 0, term.start.value, result);
  return result;
}

}  // namespace reprise::trace_io
