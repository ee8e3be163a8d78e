// SPDX-License-Identifier: MIT
// A set of ranks as nested strides: {start, (count, stride) × depth} terms, as ScalaTrace's rank lists.
//
// Folding single ranks become intervals (stride 1); then, as long as anything changes, terms of equal dimensions, taken in
//         order of their starts, become one term with a further outer dimension wherever their starts are equally far apart.
// Cost    copies share storage; union of equal or identical lists is O(1), else O(ranks of both); contains() O(log terms +
//         depth), O(1) for irregular dense sets (they carry a bitmap, no larger than their terms); only where few, wide terms
//         interleave it looks at all that may reach the rank.
// Shape   terms are disjoint and canonical: equal sets have equal terms. A regular set (a row, a column, a block of a
//         Cartesian grid, all ranks) is one term.
// Source  Ratn et al., ICS 2008, after Noeth et al.: rank lists of PRSD traces.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "trace-io/base/quantity.hpp"

namespace reprise::trace_io {

class RankList {
 public:
  struct Dimension {
    std::uint32_t count;  // ≥ 2
    std::int32_t stride;  // ≥ 1
    friend bool operator==(const Dimension&, const Dimension&) = default;
  };
  struct Term {  // members: start + Σ i_d · stride_d, 0 ≤ i_d < count_d
    Rank start;
    std::vector<Dimension> dimensions;  // outermost first; empty for a single rank
    friend bool operator==(const Term&, const Term&) = default;
  };

  RankList() = default;  // empty
  static RankList single(Rank);
  static RankList all(std::int32_t ranks);
  static RankList from_ranks(std::vector<Rank>);  // any order, duplicates allowed
  // For readers of untrusted input: throws InputError{where, …} where a member is not in 0 … ranks−1 or appears twice, or
  // the members are more than `ranks`; the result is made canonical.
  static RankList from_terms(std::span<const Term>, std::int32_t ranks, const std::string& where);

  bool empty() const;
  std::int32_t size() const;
  Rank front() const;  // lowest; REQUIRES: !empty()
  bool contains(Rank) const;
  RankList united(const RankList&) const;
  RankList minus(const RankList&) const;
  bool intersects(const RankList&) const;
  std::span<const Term> terms() const;
  std::vector<Rank> ranks() const;  // ascending
  // "0-3,8,10-14:2" (":2" is the stride; two strided members are "0,8"); deeper terms are spelt as ranges.
  std::string text() const;
  std::uint64_t hash() const;
  friend bool operator==(const RankList&, const RankList&);

 private:
  struct Body;
  explicit RankList(std::shared_ptr<const Body> body) : body_(std::move(body)) {}
  static RankList from_ascending(const std::vector<std::int32_t>&);  // distinct
  static RankList interval(std::int32_t first, std::int32_t last);

  std::shared_ptr<const Body> body_;  // null for the empty list
};

}  // namespace reprise::trace_io
