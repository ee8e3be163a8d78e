// SPDX-License-Identifier: MIT
#include "trace-io/merge/leaf_union.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "trace-io/iterations/ranks_iterations.hpp"
#include "trace-io/merge/delta_classes.hpp"
#include "trace-io/merge/field_join.hpp"

namespace reprise::trace_io {

LeafUnion::LeafUnion(const Trace& united, const CommunicatorTable& communicators,
                     RankUnions& unions)
    : communicators_(communicators), elapsed_(united.header.elapsed), unions_(unions) {
  std::vector<std::span<const FieldSpec>> fields_of;  // procedures
  std::vector<Times> times;
  for (const std::string& name : united.procedures) {
    const Procedure procedure = procedure_named(name);
    fields_of.push_back(fields(procedure));
    // Those of one-sided communication, files and what is not modelled may be played.
    times.push_back(procedure.kind == Kind::init || procedure.kind == Kind::finalize ? Times::sums
                    : procedure.kind < Kind::window_create                           ? Times::totals
                                                           : Times::classes);
  }
  fields_of_site_.reserve(united.sites.size());
  times_of_site_.reserve(united.sites.size());
  for (const Site& site : united.sites) {
    fields_of_site_.push_back(fields_of.at(site.procedure));
    times_of_site_.push_back(times.at(site.procedure));
  }
}

void LeafUnion::unite(Leaf& a, Leaf& b) const {
  join_fields(a, b, fields_of_site_.at(a.site), communicators_, unions_);
  unite_paths(a.compute, b.compute);
  switch (times_of_site_.at(a.site)) {
    case Times::sums:
      unite_in_one(a.communicate, b.communicate, unions_);
      break;
    case Times::totals:
      pool_classes(a.communicate, b.communicate, unions_);
      break;
    case Times::classes:
      a.communicate =
          united_classes(std::move(a.communicate), std::move(b.communicate), elapsed_, unions_);
  }
  a.polls += b.polls;
  if (b.further.empty()) return;
  const auto middle = static_cast<std::ptrdiff_t>(a.further.size());
  a.further.insert(a.further.end(), b.further.begin(), b.further.end());
  std::ranges::inplace_merge(a.further, a.further.begin() + middle, {}, &FurtherCalls::rank);
}

void LeafUnion::unite_heads(Loop& a, Loop& b) const {
  join_plain(a.iterations, b.iterations, unions_);
  join_plain(a.exits, b.exits, unions_);
  if (!b.clusters.empty())
    a.clusters = united_iterations(std::move(a.clusters), std::move(b.clusters));
}

void LeafUnion::unite_paths(std::vector<PathDeltas>& a, std::vector<PathDeltas>& b) const {
  if (std::ranges::equal(a, b, {}, &PathDeltas::predecessor, &PathDeltas::predecessor)) {
    for (std::size_t i = 0; i < a.size(); ++i) pool_classes(a[i].classes, b[i].classes, unions_);
    return;
  }
  std::vector<PathDeltas> both;
  auto in_a = a.begin();
  auto in_b = b.begin();
  while (in_a != a.end() && in_b != b.end()) {
    if (in_a->predecessor < in_b->predecessor) {
      both.push_back(std::move(*in_a++));
    } else if (in_b->predecessor < in_a->predecessor) {
      both.push_back(std::move(*in_b++));
    } else {
      pool_classes(in_a->classes, in_b->classes, unions_);
      both.push_back(std::move(*in_a++));
      ++in_b;
    }
  }
  std::move(in_a, a.end(), std::back_inserter(both));
  std::move(in_b, b.end(), std::back_inserter(both));
  a = std::move(both);
}

}  // namespace reprise::trace_io
