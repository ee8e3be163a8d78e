// SPDX-License-Identifier: MIT
#include "trace-io/model/tag_steps.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace reprise::trace_io {
namespace {

// Of runs and loops one after the other. Values near the ends of their range, which no tag has, come out rounded.
double least_of(std::span<const ValueSequence::Term> terms) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const ValueSequence::Term& term = terms[i];
    double own = static_cast<double>(term.start);
    if (term.is_loop) own = least_of(terms.subspan(i + 1, term.body_terms));
    const double last =
        own + static_cast<double>(term.stride) * static_cast<double>(term.count - 1);
    least = std::min({least, own, last});
    if (term.is_loop) i += term.body_terms;
  }
  return least;
}

}  // namespace

bool tells_tag_steps(const Leaf& leaf, Kind kind) {
  if (!has_tag_steps(kind) || leaf.fields.size() <= kTagPlace) return false;
  return std::ranges::any_of(leaf.fields[kTagPlace], [](const FieldEntry& entry) {
    const auto run = entry.values.only_run();
    return least_of(run ? std::vector{*run} : entry.values.terms()) <= kNoTagStep;
  });
}

bool has_tag_steps(const Trace& trace) {
  std::vector<Kind> kinds;  // by procedure
  for (const auto& name : trace.procedures) kinds.push_back(procedure_named(name).kind);
  bool has_some = false;
  for (const auto& program : trace.threads)
    for_each_leaf(program, [&](const Leaf& leaf) {
      has_some = has_some || tells_tag_steps(leaf, kinds[trace.sites[leaf.site].procedure]);
    });
  return has_some;
}

}  // namespace reprise::trace_io
