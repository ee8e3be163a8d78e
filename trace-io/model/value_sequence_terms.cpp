// SPDX-License-Identifier: MIT
// The public form of the terms: checking it, building from it, giving it out.
#include <algorithm>
#include <limits>

#include "trace-io/base/error.hpp"
#include "trace-io/model/value_sequence.hpp"
#include "trace-io/model/value_sequence_parts.hpp"

namespace reprise::trace_io {
namespace {

using SequenceTerm = ValueSequence::Term;
constexpr std::uint64_t kMostValues =
    std::uint64_t{1} << 62;  // far from 63 bits, so that sums of two cannot overflow

bool is_good_run(const SequenceTerm& term) {
  if (term.body_terms != 0 || term.count == 0 || term.count > kMostValues) return false;
  return term.count > 1 || term.stride == 0;
}

struct Checked {
  std::uint64_t values = 0;
  std::int64_t least = 0, greatest = 0;  // of the values
};

// What the terms amount to, or nothing where they are not well formed.
std::optional<Checked> checked(std::span<const SequenceTerm> terms, int depth) {
  Checked total;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const SequenceTerm& term = terms[i];
    Checked part{term.count, term.start, term.start};
    if (term.is_loop) {
      if (term.start != 0 || term.count < 2 || term.body_terms == 0 || depth == 0 ||
          term.body_terms >= terms.size() - i)
        return std::nullopt;
      const auto body = checked(terms.subspan(i + 1, term.body_terms), depth - 1);
      if (!body) return std::nullopt;
      part = *body;
      if (__builtin_mul_overflow(body->values, term.count, &part.values)) return std::nullopt;
      i += term.body_terms;
    } else if (!is_good_run(term)) {
      return std::nullopt;
    }
    if (part.values > kMostValues - total.values) return std::nullopt;
    std::int64_t distance = 0;
    if (__builtin_mul_overflow(term.stride, static_cast<std::int64_t>(term.count - 1), &distance) ||
        __builtin_add_overflow(distance < 0 ? part.least : part.greatest, distance,
                               distance < 0 ? &part.least : &part.greatest))
      return std::nullopt;
    total.least = total.values == 0 ? part.least : std::min(total.least, part.least);
    total.greatest = total.values == 0 ? part.greatest : std::max(total.greatest, part.greatest);
    total.values += part.values;
  }
  return total;
}

// A loop over one constant is that constant, and a shifted loop over one value a run: plain runs, which the other functions can
// take as a whole.
void add_nodes(std::span<const SequenceTerm> terms, std::vector<ValueNode>& nodes) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const SequenceTerm& term = terms[i];
    if (!term.is_loop) {
      nodes.push_back(ValueNode::run(term.start, term.stride, term.count));
      continue;
    }
    const std::size_t loop = nodes.size();
    nodes.push_back({});
    add_nodes(terms.subspan(i + 1, term.body_terms), nodes);
    i += term.body_terms;
    const ValueNode only = nodes[loop + 1];
    if (nodes.size() == loop + 2 && only.stride == 0 && !only.is_loop() &&
        (term.stride == 0 || only.is_single())) {
      nodes.pop_back();
      nodes[loop] = ValueNode::run(only.start, term.stride, only.count() * term.count);
    } else {
      nodes[loop] = ValueNode::loop(nodes.size() - loop - 1, term.count, term.stride);
    }
  }
}

using SequenceTerm = ValueSequence::Term;

// Returns false where they are too many.
bool add_unrolled(const ValueSequence& values, const std::function<std::int64_t(std::int64_t)>& f,
                  std::uint64_t& work, std::vector<SequenceTerm>& to) {
  if (values.size() > work) return false;
  work -= values.size();
  ValueSequence images;
  for (ValueSequence::Cursor cursor(values); !cursor.at_end();) images.append(f(cursor.next()));
  const auto folded = images.terms();
  to.insert(to.end(), folded.begin(), folded.end());
  return true;
}

bool add_mapped(std::span<const SequenceTerm> terms,
                const std::function<std::int64_t(std::int64_t)>& f, std::uint64_t& work,
                std::vector<SequenceTerm>& to) {
  for (std::size_t i = 0; i < terms.size(); i += 1 + terms[i].body_terms) {
    const SequenceTerm& term = terms[i];
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

bool ValueSequence::well_formed(std::span<const SequenceTerm> terms) {
  return checked(terms, kMaxDepth).has_value();
}

ValueSequence ValueSequence::of_run(std::int64_t start, std::int64_t stride, std::uint64_t count) {
  ValueSequence result;
  result.open(start, stride, count);
  return result;
}

ValueSequence ValueSequence::from_terms(std::span<const SequenceTerm> terms, bool grown) {
  ValueSequence result;
  if (terms.empty()) return result;
  std::vector<ValueNode> nodes;
  nodes.reserve(terms.size());
  add_nodes(terms, nodes);
  if (nodes.size() == 1 && !nodes[0].is_loop()) {
    result.open(nodes[0].start, nodes[0].stride, nodes[0].count());
    return result;
  }
  Folded& parts = result.folded();
  parts.grown = grown;
  parts.nodes = std::move(nodes);
  parts.before = values_in(parts.nodes.data(), parts.nodes.data() + parts.nodes.size());
  std::size_t last = 0;
  for (std::size_t i = 0; i < parts.nodes.size(); i += parts.nodes[i].span()) last = i;
  parts.tops.assign(1, {0, static_cast<std::uint32_t>(last), 0});
  result.open_last_term(parts.nodes.size());
  parts.tops.clear();
  parts.indexed = false;
  return result;
}

std::vector<ValueSequence::Term> ValueSequence::terms() const {
  std::vector<ValueNode> nodes;
  if (folded_) {
    nodes = folded_->nodes;
    folded_->copy_followed(nodes);
  }
  if (count_ > 0) nodes.push_back(ValueNode::run(run_start(), count_ == 1 ? 0 : stride_, count_));
  std::vector<SequenceTerm> result;
  result.reserve(nodes.size());
  for (const ValueNode& node : nodes)
    result.push_back(node.is_loop()
                         ? SequenceTerm{true, 0, node.stride, node.count(), node.body()}
                         : SequenceTerm{false, node.start, node.stride, node.count(), 0});
  return result;
}

std::size_t ValueSequence::term_count() const {
  std::size_t count = count_ > 0 ? 1 : 0;
  if (!folded_) return count;
  std::vector<ValueNode> followed;
  folded_->copy_followed(followed);
  return count + folded_->nodes.size() + followed.size();
}

// The image of a sequence under a function of its values.

std::optional<ValueSequence> ValueSequence::mapped_by(
    const std::function<std::int64_t(std::int64_t)>& f) const {
  std::vector<SequenceTerm> images;
  std::uint64_t work = kPrefixWork;
  if (!add_mapped(terms(), f, work, images)) return std::nullopt;
  ValueSequence result;
  std::uint64_t steps = 64 * images.size() + 4096;
  result.append_terms(images, 0, steps);
  return result;
}

}  // namespace reprise::trace_io
