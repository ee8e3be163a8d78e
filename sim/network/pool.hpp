// SPDX-License-Identifier: MIT
// Objects that come and go by the million, addressed by small numbers, and asked into the cache before they are needed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/network/large_pages.hpp"

namespace reprise::sim {

inline constexpr std::size_t kCacheLine = 64;

// Asks the processor to have an object in its cache soon. Changes nothing else, whatever stands there.
template <class Object>
void fetch(const Object& object) {
  const char* const begin = reinterpret_cast<const char*>(&object);
  for (std::size_t at = 0; at < sizeof(Object); at += kCacheLine) __builtin_prefetch(begin + at);
  __builtin_prefetch(begin + sizeof(Object) - 1);
}

// No allocation once the pool has grown.
//
// Objects keep their contents when given back (their own buffers are reused); the taker sets what it needs.
// Addresses change when the pool grows: hold the index, not a reference, across take().
template <class Object>
class Pool {
 public:
  std::uint32_t take() {
    if (free_.empty()) {
      objects_.emplace_back();
      return static_cast<std::uint32_t>(objects_.size() - 1);
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    return index;
  }
  void give_back(std::uint32_t index) { free_.push_back(index); }
  Object& operator[](std::uint32_t index) { return objects_[index]; }
  const Object& operator[](std::uint32_t index) const { return objects_[index]; }
  std::uint32_t size() const {
    return static_cast<std::uint32_t>(objects_.size());
  }  // taken and free ones

 private:
  LargeArray<Object> objects_;
  LargeArray<std::uint32_t> free_;
};

}  // namespace reprise::sim
