// SPDX-License-Identifier: MIT
// Objects in a pool, of which millions come and go, each addressed by a small number.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/fetch.hpp"
#include "sim/network/large_pages.hpp"

namespace reprise::sim {

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
