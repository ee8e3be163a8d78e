// SPDX-License-Identifier: MIT
// What a time on a path consists of: seconds by key, few keys, added to often.
//
// How   entries in the order of their coming; the last few are looked through for the same key, all are sorted and added up when there
//       are twice as many as after the last time. So a sum is made in a fixed order, and no table is kept for the short ones.
// Cost  add: O(1) in the mean, O(log keys) at worst; 16 bytes a key, at most twice that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reprise::sim {

class PathVector {
 public:
  struct Entry {
    std::uint64_t key = 0;
    double seconds = 0;
  };

  void add(std::uint64_t key, double seconds) {
    const std::size_t first = entries_.size() > kLookedAt ? entries_.size() - kLookedAt : 0;
    for (std::size_t i = entries_.size(); i-- > first;)
      if (entries_[i].key == key) {
        entries_[i].seconds += seconds;
        return;
      }
    if (entries_.size() >= limit_) add_up();
    entries_.push_back({key, seconds});
  }
  void add(const PathVector& other, double times = 1) {
    for (const Entry& entry : other.entries_) add(entry.key, times * entry.seconds);
  }
  // OTHER is added and left empty; the shorter goes into the longer.
  void absorb(PathVector& other);
  void clear() {
    entries_.clear();
    limit_ = kFew;
  }
  bool empty() const { return entries_.empty(); }
  const std::vector<Entry>& entries() const { return entries_; }  // a key perhaps several times
  double sum() const;

  // Each key becomes that of CHANGED(key).
  template <class Changed>
  void rename(const Changed& changed) {
    for (Entry& entry : entries_) entry.key = changed(entry.key);
    add_up();
  }
  // By key, each once.
  const std::vector<Entry>& sorted() {
    add_up();
    return entries_;
  }

 private:
  static constexpr std::size_t kLookedAt = 8, kFew = 32;
  void add_up();

  std::vector<Entry> entries_;
  std::size_t limit_ = kFew;
};

}  // namespace reprise::sim
