// SPDX-License-Identifier: MIT
#include "trace-io/check/sequence_sums.hpp"

#include <algorithm>

namespace reprise::trace_io {
namespace {

using Term = ValueSequence::Term;

// `sum` and what `passes` passes over `values` values add, each pass greater by `shift` a value than the one before.
WideSigned sum_of_passes(WideSigned sum, std::uint64_t values, std::int64_t shift,
                         std::uint64_t passes) {
  const auto n = static_cast<WideSigned>(passes), size = static_cast<WideSigned>(values);
  // shift·size·n(n−1)/2; the even one of n and n−1 is halved, so that no product needs more than 127 bits.
  const WideSigned steps =
      n % 2 == 0 ? (n / 2 * size) * (shift * (n - 1)) : (shift * ((n - 1) / 2)) * (n * size);
  return sum * n + steps;
}

// The first pass in which the value, `shift` greater in each pass, is on the other side of the threshold than at the very
// beginning of the shift's direction: above it where the shift is positive, not above it where it is negative. At most `passes`.
std::uint64_t first_beyond(std::int64_t value, std::int64_t shift, WideSigned threshold,
                           std::uint64_t passes) {
  const WideSigned distance =
      shift > 0 ? threshold - value : static_cast<WideSigned>(value) - threshold - 1;
  const WideSigned step = shift > 0 ? shift : -static_cast<WideSigned>(shift);
  const WideSigned first = distance < 0 ? 0 : distance / step + 1;
  return static_cast<std::uint64_t>(std::min(first, static_cast<WideSigned>(passes)));
}

std::uint64_t count_above_in_run(const Term& run, std::uint64_t count, WideSigned threshold) {
  const auto start = static_cast<WideSigned>(run.start),
             stride = static_cast<WideSigned>(run.stride);
  const auto n = static_cast<WideSigned>(count);
  if (stride == 0) return start > threshold ? count : 0;
  if (stride > 0) {
    const WideSigned below = start > threshold ? 0 : (threshold - start) / stride + 1;
    return static_cast<std::uint64_t>(n - std::min(n, below));
  }
  const WideSigned above = start > threshold ? (start - threshold - stride - 1) / -stride : 0;
  return static_cast<std::uint64_t>(std::min(n, above));
}

}  // namespace

SequenceSums::SequenceSums(const ValueSequence& sequence)
    : terms_(sequence.terms()), bodies_(terms_.size()) {
  all_ = measure(0, terms_.size());
}

SequenceSums::Extent SequenceSums::measure(std::size_t begin, std::size_t end) {
  Extent total;
  for (std::size_t t = begin; t < end; ++t) {
    const Term& term = terms_[t];
    Extent once{1, term.start, term.start, term.start};
    if (term.is_loop) {
      once = bodies_[t] = measure(t + 1, t + 1 + term.body_terms);
      t += term.body_terms;
    }
    const auto moved =
        static_cast<WideSigned>(term.stride) * static_cast<WideSigned>(term.count - 1);
    total.values += once.values * term.count;
    total.sum += sum_of_passes(once.sum, once.values, term.stride, term.count);
    total.least =
        std::min({total.least, once.least, static_cast<std::int64_t>(once.least + moved)});
    total.greatest =
        std::max({total.greatest, once.greatest, static_cast<std::int64_t>(once.greatest + moved)});
  }
  return total;
}

WideSigned SequenceSums::sum(std::size_t begin, std::size_t end, std::uint64_t n) const {
  WideSigned total = 0;
  for (std::size_t t = begin; t < end && n > 0; ++t) {
    const Term& term = terms_[t];
    const Extent once = term.is_loop ? bodies_[t] : Extent{1, term.start, term.start, term.start};
    const std::uint64_t full = std::min(term.count, n / once.values);
    if (full > 0) total += sum_of_passes(once.sum, once.values, term.stride, full);
    n -= full * once.values;
    if (full < term.count && n > 0) {  // a part of one more pass
      const auto moved = static_cast<WideSigned>(term.stride) * static_cast<WideSigned>(full);
      return total + sum(t + 1, t + 1 + term.body_terms, n) + moved * static_cast<WideSigned>(n);
    }
    t += term.body_terms;
  }
  return total;
}

std::uint64_t SequenceSums::count_above(std::size_t begin, std::size_t end, std::uint64_t n,
                                        WideSigned threshold) const {
  std::uint64_t total = 0;
  for (std::size_t t = begin; t < end && n > 0; ++t) {
    const Term& term = terms_[t];
    if (!term.is_loop) {
      const std::uint64_t used = std::min(n, term.count);
      total += count_above_in_run(term, used, threshold);
      n -= used;
      continue;
    }
    const Extent& once = bodies_[t];
    const std::size_t body_end = t + 1 + term.body_terms;
    const auto of_pass = [&](std::uint64_t pass, std::uint64_t values) {
      return count_above(
          t + 1, body_end, values,
          threshold - static_cast<WideSigned>(term.stride) * static_cast<WideSigned>(pass));
    };
    const std::uint64_t full = std::min(term.count, n / once.values);
    if (term.stride == 0) {
      if (full > 0) total += full * of_pass(0, once.values);
    } else {
      // Passes before `from` have all values on one side of the threshold, those from `to` on all on the other.
      const std::uint64_t low = first_beyond(once.least, term.stride, threshold, full);
      const std::uint64_t high = first_beyond(once.greatest, term.stride, threshold, full);
      const std::uint64_t from = std::min(low, high), to = std::max(low, high);
      total += once.values * (term.stride > 0 ? full - to : from);
      for (std::uint64_t pass = from; pass < to; ++pass) total += of_pass(pass, once.values);
    }
    n -= full * once.values;
    if (full < term.count && n > 0) return total + of_pass(full, n);
    t += term.body_terms;
  }
  return total;
}

}  // namespace reprise::trace_io
