// SPDX-License-Identifier: MIT
// A short list that stands in its owner, as the flows on one of 10⁵ links: in memory of its own only where it has been longer.
//
// Memory  8 bytes and room for kFew things, where the standard's way takes three words for it: an owner of one cache line stays one.
// Cost    as std::vector's. It keeps the memory that it has once had.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace reprise::sim {

template <class Thing, std::uint32_t kFew>
class InlineList {
  static_assert(std::is_trivially_copyable_v<Thing>);

 public:
  InlineList() {}
  InlineList(InlineList&& other) noexcept : size_(other.size_), room_(other.room_) {
    if (is_inline())
      std::copy_n(other.few_, size_, few_);
    else
      many_ = std::exchange(other.many_, nullptr);
    other.size_ = 0;
    other.room_ = kFew;
  }
  InlineList& operator=(InlineList&&) = delete;
  ~InlineList() {
    if (room_ > kFew) delete[] many_;
  }

  std::uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool is_inline() const { return room_ == kFew; }
  Thing* begin() { return is_inline() ? few_ : many_; }
  Thing* end() { return begin() + size_; }
  const Thing* begin() const { return is_inline() ? few_ : many_; }
  const Thing* end() const { return begin() + size_; }
  Thing& operator[](std::uint32_t place) { return begin()[place]; }
  const Thing& front() const { return *begin(); }  // REQUIRES: !empty()
  const Thing& back() const { return end()[-1]; }  // likewise
  void push_back(const Thing& thing) {
    if (size_ == room_) grow();
    begin()[size_++] = thing;
  }
  void pop_back() { --size_; }  // REQUIRES: !empty()
  void clear() { size_ = 0; }

 private:
  void grow() {
    auto longer = std::make_unique<Thing[]>(std::size_t{2} * room_);
    std::copy_n(begin(), size_, longer.get());
    if (!is_inline()) delete[] many_;
    many_ = longer.release();
    room_ *= 2;
  }

  std::uint32_t size_ = 0, room_ = kFew;
  union {
    Thing few_[kFew]{};
    Thing* many_;
  };
  static_assert(sizeof(Thing) * kFew >= sizeof(Thing*));
};

}  // namespace reprise::sim
