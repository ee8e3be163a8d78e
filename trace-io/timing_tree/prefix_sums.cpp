// SPDX-License-Identifier: MIT
#include "trace-io/timing_tree/prefix_sums.hpp"

#include <algorithm>

namespace reprise::trace_io {
namespace {

// 0 + 1 + … + (n − 1)
WideSigned triangle(std::uint64_t n) {
  return n < 2 ? 0 : static_cast<WideSigned>(n) * static_cast<WideSigned>(n - 1) / 2;
}

}  // namespace

PrefixSums::PrefixSums(const ValueSequence& sequence) {
  const auto terms = sequence.terms();
  add_list(terms, 0, terms.size());
}

std::uint32_t PrefixSums::add_list(const std::vector<ValueSequence::Term>& terms, std::size_t begin,
                                   std::size_t end) {
  const auto number = static_cast<std::uint32_t>(lists_.size());
  lists_.emplace_back();
  List list;
  for (std::size_t at = begin; at < end;) {
    const auto& term = terms[at];
    Item item{list.values, list.sum, term, 0};
    if (term.is_loop) {
      item.body = add_list(terms, at + 1, at + 1 + term.body_terms);
      const List& body = lists_[item.body];
      list.values += term.count * body.values;
      list.sum += static_cast<WideSigned>(term.count) * body.sum +
                  static_cast<WideSigned>(term.stride) * static_cast<WideSigned>(body.values) *
                      triangle(term.count);
    } else {
      list.values += term.count;
      list.sum += static_cast<WideSigned>(term.start) * static_cast<WideSigned>(term.count) +
                  static_cast<WideSigned>(term.stride) * triangle(term.count);
    }
    list.items.push_back(item);
    at += 1 + term.body_terms;
  }
  lists_[number] = std::move(list);
  return number;
}

const PrefixSums::Item& PrefixSums::item_of(const List& list, std::uint64_t k) const {
  return *std::prev(std::ranges::upper_bound(list.items, k, {}, &Item::before));
}

WideSigned PrefixSums::sum(std::uint64_t k) const { return k == 0 ? 0 : sum(lists_.front(), k); }

WideSigned PrefixSums::sum(const List& list, std::uint64_t k) const {
  if (k == list.values) return list.sum;
  const Item& item = item_of(list, k);
  k -= item.before;
  const auto& term = item.term;
  if (!term.is_loop)
    return item.sum_before + static_cast<WideSigned>(term.start) * static_cast<WideSigned>(k) +
           static_cast<WideSigned>(term.stride) * triangle(k);
  const List& body = lists_[item.body];
  const std::uint64_t passes = k / body.values, rest = k % body.values;
  const auto shift = static_cast<WideSigned>(term.stride);
  return item.sum_before + static_cast<WideSigned>(passes) * body.sum +
         shift * static_cast<WideSigned>(body.values) * triangle(passes) +
         (rest == 0 ? 0
                    : sum(body, rest) +
                          shift * static_cast<WideSigned>(passes) * static_cast<WideSigned>(rest));
}

std::int64_t PrefixSums::at(std::uint64_t k) const {
  std::int64_t shifted = 0;
  for (const List* list = lists_.data();;) {
    const Item& item = item_of(*list, k);
    k -= item.before;
    if (!item.term.is_loop)
      return advanced(shifted, advanced(item.term.start, item.term.stride, k));
    list = &lists_[item.body];
    shifted = advanced(shifted, item.term.stride, k / list->values);
    k %= list->values;
  }
}

bool PrefixSums::is_constant() const {
  if (lists_.empty()) return true;
  const auto& items = lists_.front().items;
  return items.empty() ||
         (items.size() == 1 && !items.front().term.is_loop && items.front().term.stride == 0);
}

bool PrefixSums::repeats(std::uint64_t period) const {
  return is_constant() || repeats(lists_.front(), period);
}

// One loop without a shift, of as many values as the period, or of a body that repeats with it.
bool PrefixSums::repeats(const List& list, std::uint64_t period) const {
  if (period >= list.values) return true;
  if (list.items.size() != 1 || !list.items.front().term.is_loop ||
      list.items.front().term.stride != 0)
    return false;
  return period % lists_[list.items.front().body].values == 0;
}

}  // namespace reprise::trace_io
