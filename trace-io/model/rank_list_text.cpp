// SPDX-License-Identifier: MIT
// Rank lists from outside and for people.
#include <algorithm>

#include "trace-io/base/error.hpp"
#include "trace-io/model/rank_list_parts.hpp"

namespace reprise::trace_io {
namespace {

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

}  // namespace

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
