// SPDX-License-Identifier: MIT
// The levels of a table, one row after the other, and which one is foreseen next: what followed the last time that the same levels came.
//
// Hash  part of the format: some stretches of small levels have the same one, and then one is taken for the other.
// Cost  some 10 ns a level.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "trace-io/base/integers.hpp"

namespace reprise::trace_io {

class LevelHistory {
 public:
  // Takes no time.
  void begin_table() {
    levels_.clear();
    followers_.clear();
    match_ = 0;
  }
  void begin_row() { in_row_ = 0; }

  bool is_foreseen() const { return match_ > 0 && match_ < levels_.size(); }
  // REQUIRES: is_foreseen().
  std::int32_t foreseen() const { return levels_[match_]; }
  // How many in a row were as foreseen.
  std::uint32_t rightly() const { return rightly_; }

  // The level that came.
  void note(std::int32_t level) {
    if (is_foreseen() && foreseen() == level) {
      ++match_;
      ++rightly_;
    } else {
      match_ = 0;
      rightly_ = 0;
    }
    levels_.push_back(level);
    if (++in_row_ < kLength) return;
    WordHash hash;
    for (std::size_t back = 1; back <= kLength; ++back)
      hash.add(static_cast<std::uint64_t>(std::int64_t{levels_[levels_.size() - back]}));
    std::uint32_t& follower = followers_.behind(hash.value());
    if (match_ == 0) match_ = follower;
    follower = static_cast<std::uint32_t>(levels_.size());
  }

 private:
  static constexpr std::size_t kLength = 5;  // levels that must have come before
  // What came behind levels, by their hash. Beginning anew takes no time.
  class Followers {
   public:
    void clear() {
      ++table_;
      used_ = 0;
    }
    // 0 where nothing came. The reference holds until the next call.
    std::uint32_t& behind(std::uint64_t hash) {
      if (2 * used_ >= entries_.size()) grow();
      Entry& entry = place_of(hash);
      if (entry.table != table_) {
        entry = {hash, table_, 0};
        ++used_;
      }
      return entry.follower;
    }

   private:
    struct Entry {
      std::uint64_t hash = 0;
      std::uint32_t table = 0, follower = 0;
    };
    Entry& place_of(std::uint64_t hash) {
      std::size_t place = hash * kHashMultiplier >> 32U & (entries_.size() - 1);
      while (entries_[place].table == table_ && entries_[place].hash != hash)
        place = (place + 1) & (entries_.size() - 1);
      return entries_[place];
    }
    void grow() {
      std::vector<Entry> before(std::max<std::size_t>(64, 4 * entries_.size()));
      before.swap(entries_);
      for (const Entry& entry : before)
        if (entry.table == table_) place_of(entry.hash) = entry;
    }

    std::vector<Entry> entries_;  // a power of two
    std::uint32_t table_ = 1;
    std::size_t used_ = 0;
  };

  std::vector<std::int32_t> levels_;
  std::size_t match_ = 0;  // place of what is foreseen; 0: nothing
  std::uint32_t rightly_ = 0;
  std::size_t in_row_ = 0;
  Followers followers_;
};

}  // namespace reprise::trace_io
