// SPDX-License-Identifier: MIT
#include "trace-io/check/sequence_sums.hpp"

#include <algorithm>

namespace reprise::trace_io {
namespace {

using Term = ValueSequence::Term;

WideSigned sum_of_run(const Term& run, std::uint64_t count) {
  const auto n = static_cast<WideSigned>(count);
  // start·n + stride·n(n−1)/2; the even one of n and n−1 is halved, so that no product needs more than 127 bits.
  const WideSigned steps = n % 2 == 0 ? (n / 2) * (run.stride * (n - 1)) : (run.stride * ((n - 1) / 2)) * n;
  return run.start * n + steps;
}

std::uint64_t count_above_in_run(const Term& run, std::uint64_t count, std::int64_t threshold) {
  const auto start = static_cast<WideSigned>(run.start), stride = static_cast<WideSigned>(run.stride);
  const auto n = static_cast<WideSigned>(count);
  if (stride == 0) return start > threshold ? count : 0;
  if (stride > 0) {
    const WideSigned below = start > threshold ? 0 : (threshold - start) / stride + 1;
    return static_cast<std::uint64_t>(n - std::min(n, below));
  }
  const WideSigned above = start > threshold ? (start - threshold - stride - 1) / -stride : 0;
  return static_cast<std::uint64_t>(std::min(n, above));
}

std::int64_t last_of_run(const Term& run) {
  return static_cast<std::int64_t>(static_cast<WideSigned>(run.start) +
                                   static_cast<WideSigned>(run.stride) * static_cast<WideSigned>(run.count - 1));
}

}  // namespace

SequenceSums::SequenceSums(const ValueSequence& sequence) : terms_(sequence.terms()), sizes_(terms_.size()) {
  size_ = measure(0, terms_.size());
}

std::uint64_t SequenceSums::measure(std::size_t begin, std::size_t end) {
  std::uint64_t total = 0;
  for (std::size_t t = begin; t < end; ++t) {
    const Term& term = terms_[t];
    if (term.is_loop) {
      sizes_[t] = measure(t + 1, t + 1 + term.body_terms);
      total += sizes_[t] * term.count;
      t += term.body_terms;
    } else {
      sizes_[t] = term.count;
      total += term.count;
    }
  }
  return total;
}

template <class Visit>
void SequenceSums::visit_runs(std::size_t begin, std::size_t end, std::uint64_t n, std::uint64_t times,
                              Visit& visit) const {
  for (std::size_t t = begin; t < end && n > 0; ++t) {
    const Term& term = terms_[t];
    if (!term.is_loop) {
      const std::uint64_t used = std::min(n, term.count);
      visit(term, used, times);
      n -= used;
      continue;
    }
    const std::size_t body_end = t + 1 + term.body_terms;
    const std::uint64_t full = std::min(term.count, n / sizes_[t]);
    if (full > 0) visit_runs(t + 1, body_end, sizes_[t], times * full, visit);
    n -= full * sizes_[t];
    if (full < term.count && n > 0) {
      visit_runs(t + 1, body_end, n, times, visit);
      return;
    }
    t += term.body_terms;
  }
}

WideSigned SequenceSums::sum(std::uint64_t n) const {
  WideSigned total = 0;
  const auto add = [&](const Term& run, std::uint64_t used, std::uint64_t times) {
    total += sum_of_run(run, used) * static_cast<WideSigned>(times);
  };
  visit_runs(0, terms_.size(), n, 1, add);
  return total;
}

std::uint64_t SequenceSums::count_above(std::uint64_t n, std::int64_t threshold) const {
  std::uint64_t total = 0;
  const auto add = [&](const Term& run, std::uint64_t used, std::uint64_t times) {
    total += count_above_in_run(run, used, threshold) * times;
  };
  visit_runs(0, terms_.size(), n, 1, add);
  return total;
}

std::int64_t SequenceSums::least() const {
  std::int64_t value = INT64_MAX;
  for (const auto& term : terms_)
    if (!term.is_loop) value = std::min({value, term.start, last_of_run(term)});
  return value;
}

std::int64_t SequenceSums::greatest() const {
  std::int64_t value = INT64_MIN;
  for (const auto& term : terms_)
    if (!term.is_loop) value = std::max({value, term.start, last_of_run(term)});
  return value;
}

}  // namespace reprise::trace_io
