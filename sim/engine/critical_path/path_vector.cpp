// SPDX-License-Identifier: MIT
#include "sim/engine/critical_path/path_vector.hpp"

#include <algorithm>
#include <utility>

namespace reprise::sim {

void PathVector::absorb(PathVector& other) {
  if (other.entries_.size() > entries_.size()) std::swap(*this, other);
  add(other);
  other.clear();
}

double PathVector::sum() const {
  double sum = 0;
  for (const Entry& entry : entries_) sum += entry.seconds;
  return sum;
}

void PathVector::add_up() {
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.key < b.key; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (kept > 0 && entries_[kept - 1].key == entries_[i].key)
      entries_[kept - 1].seconds += entries_[i].seconds;
    else
      entries_[kept++] = entries_[i];
  }
  entries_.resize(kept);
  limit_ = std::max(kFew, 2 * kept);
}

}  // namespace reprise::sim
