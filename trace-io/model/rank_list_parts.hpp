// SPDX-License-Identifier: MIT
// The inside of RankList: the shared body, folding ranks into terms and unfolding terms into ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/model/rank_list.hpp"

namespace reprise::trace_io {

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

// REQUIRES: ascending, distinct, not empty.
std::vector<RankList::Term> folded_terms(const std::vector<std::int32_t>& ranks);
std::vector<std::int32_t> members(const RankList&);  // ascending
void add_members(const RankList::Term&, std::vector<std::int32_t>& to);

}  // namespace reprise::trace_io
