// SPDX-License-Identifier: MIT
#include "trace-io/merge/rank_unions.hpp"

#include <algorithm>
#include <memory>

namespace reprise::trace_io {

RankUnions::Known& RankUnions::known(const RankList& a, const RankList& b) {
  if (latest_ != nullptr && latest_->a == a && latest_->b == b) return *latest_;
  auto& bucket = known_[a.hash() * 0x9e3779b97f4a7c15U + b.hash()];
  for (const auto& known : bucket)
    if (known->a == a && known->b == b) return *(latest_ = known.get());
  bucket.push_back(std::make_unique<Known>(Known{a, b, a.united(b), {}}));
  return *(latest_ = bucket.back().get());
}

RankList RankUnions::united(const RankList& a, const RankList& b) { return known(a, b).both; }

const std::vector<bool>& RankUnions::is_of_b(const RankList& a, const RankList& b) {
  return is_of_b(known(a, b));
}

const std::vector<bool>& RankUnions::is_of_b(Known& pair) {
  if (!pair.is_of_b.empty() || pair.both.empty()) return pair.is_of_b;
  const std::vector<Rank> of_a = pair.a.ranks(), of_b = pair.b.ranks();
  std::size_t i = 0, j = 0;
  while (i < of_a.size() || j < of_b.size()) {
    const bool next_is_b = i == of_a.size() || (j < of_b.size() && of_b[j] < of_a[i]);
    pair.is_of_b.push_back(next_is_b);
    ++(next_is_b ? j : i);
  }
  return pair.is_of_b;
}

bool RankUnions::is_behind(const RankList& a, const RankList& b) {
  Known& pair = known(a, b);
  if (!pair.is_behind) {
    const std::vector<bool>& is_of_b = this->is_of_b(pair);
    pair.is_behind = std::find(is_of_b.begin(), is_of_b.end(), true) - is_of_b.begin() == a.size();
  }
  return *pair.is_behind;
}

}  // namespace reprise::trace_io
