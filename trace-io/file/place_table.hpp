// SPDX-License-Identifier: MIT
// Numbers by key, looked up some million times for one file.
//
// How     open addressing; keys are mixed bits already.
// Cost    some 5 ns where the key is in the caches; 16 bytes a place, of which at most three of four are used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reprise::trace_io {

class PlaceTable {
 public:
  struct Place {
    std::uint64_t key = 0, number = 0;
  };
  // From now on so many more keys leave all places where they are.
  void make_room(std::size_t more) {
    if (4 * (used_ + more) > 3 * places_.size()) grow();
  }
  // Where the number of the key is; 0 where it is new. REQUIRES: there is room.
  Place& at(std::uint64_t key, bool& is_new) {
    if (key == 0) key = 1;  // 0: free
    std::size_t i = key & (places_.size() - 1);
    while (places_[i].key != key && places_[i].key != 0) i = (i + 1) & (places_.size() - 1);
    is_new = places_[i].key == 0;
    if (is_new) {
      places_[i].key = key;
      ++used_;
    }
    return places_[i];
  }

 private:
  void grow() {
    std::vector<Place> old(2 * places_.size());
    old.swap(places_);
    const std::size_t mask = places_.size() - 1;
    for (const Place& place : old) {
      if (place.key == 0) continue;
      std::size_t i = place.key & mask;
      while (places_[i].key != 0) i = (i + 1) & mask;
      places_[i] = place;
    }
  }

  std::vector<Place> places_ = std::vector<Place>(256);
  std::size_t used_ = 0;
};

}  // namespace reprise::trace_io
