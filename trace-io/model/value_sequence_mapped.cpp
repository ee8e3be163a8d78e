// SPDX-License-Identifier: MIT
// The image of a sequence under a function of its values.
#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {
namespace {

using Term = ValueSequence::Term;

// Returns false where they are too many.
bool add_unrolled(const ValueSequence& values, const std::function<std::int64_t(std::int64_t)>& f,
                  std::uint64_t& work, std::vector<Term>& to) {
  if (values.size() > work) return false;
  work -= values.size();
  ValueSequence images;
  for (ValueSequence::Cursor cursor(values); !cursor.at_end();) images.append(f(cursor.next()));
  const auto folded = images.terms();
  to.insert(to.end(), folded.begin(), folded.end());
  return true;
}

bool add_mapped(std::span<const Term> terms, const std::function<std::int64_t(std::int64_t)>& f,
                std::uint64_t& work, std::vector<Term>& to) {
  for (std::size_t i = 0; i < terms.size(); i += 1 + terms[i].body_terms) {
    const Term& term = terms[i];
    if (term.is_loop && term.stride != 0) {  // a function knows no shift
      if (!add_unrolled(ValueSequence::from_terms(terms.subspan(i, 1 + term.body_terms)), f, work,
                        to))
        return false;
    } else if (term.is_loop) {
      const std::size_t loop = to.size();
      to.push_back(term);
      if (!add_mapped(terms.subspan(i + 1, term.body_terms), f, work, to)) return false;
      to[loop].body_terms = static_cast<std::uint32_t>(to.size() - loop - 1);
    } else if (term.stride == 0) {
      to.push_back({false, f(term.start), 0, term.count, 0});
    } else if (!add_unrolled(ValueSequence::from_terms(terms.subspan(i, 1)), f, work, to)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<ValueSequence> ValueSequence::mapped_by(
    const std::function<std::int64_t(std::int64_t)>& f) const {
  std::vector<Term> images;
  std::uint64_t work = kPrefixWork;
  if (!add_mapped(terms(), f, work, images)) return std::nullopt;
  ValueSequence result;
  std::uint64_t steps = 64 * images.size() + 4096;
  result.append_terms(images, 0, steps);
  return result;
}

}  // namespace reprise::trace_io
