// SPDX-License-Identifier: MIT
#include "trace-io/merge/rank_unions.hpp"

namespace reprise::trace_io {

RankList RankUnions::united(const RankList& a, const RankList& b) {
  std::vector<Known>& bucket = known_[a.hash() * 0x9e3779b97f4a7c15U + b.hash()];
  for (const Known& known : bucket)
    if (known.a == a && known.b == b) return known.both;
  bucket.push_back({a, b, a.united(b)});
  return bucket.back().both;
}

}  // namespace reprise::trace_io
