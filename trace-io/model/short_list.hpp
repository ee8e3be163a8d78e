// SPDX-License-Identifier: MIT
// A list of numbers that mostly are few: the first of them stand in the list itself, without memory of their own.
//
// Cost    as std::vector. Memory: 16 bytes and the room in place.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace reprise::trace_io {

template <class Number, std::uint32_t kInPlace>
class ShortList {
  static_assert(std::is_trivially_copyable_v<Number>);

 public:
  ShortList() = default;
  explicit ShortList(std::span<const Number> numbers) { assign(numbers); }
  ShortList(const ShortList& other) { assign(other); }
  ShortList(ShortList&& other) noexcept { take(other); }
  ShortList& operator=(const ShortList& other) {
    if (this != &other) assign(other);
    return *this;
  }
  ShortList& operator=(ShortList&& other) noexcept {
    if (this == &other) return *this;
    free_memory();
    take(other);
    return *this;
  }
  ~ShortList() { free_memory(); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Number* begin() { return data_; }
  Number* end() { return data_ + size_; }
  const Number* begin() const { return data_; }
  const Number* end() const { return data_ + size_; }
  Number& operator[](std::size_t i) { return data_[i]; }
  const Number& operator[](std::size_t i) const { return data_[i]; }
  std::size_t heap_bytes() const { return is_in_place() ? 0 : capacity_ * sizeof(Number); }

  // May throw std::bad_alloc, as what follows; then nothing has changed.
  void push_back(Number number) {
    if (size_ == capacity_) [[unlikely]]
      make_room(size_ + std::size_t{1});
    data_[size_++] = number;
  }
  void resize(std::size_t size) {  // new ones are 0
    make_room(size);
    if (size > size_) std::fill(data_ + size_, data_ + size, Number{});
    size_ = static_cast<std::uint32_t>(size);
  }

  friend bool operator==(const ShortList& a, const ShortList& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  bool is_in_place() const { return data_ == in_place_.data(); }
  void free_memory() {
    if (!is_in_place()) delete[] data_;
  }
  void assign(std::span<const Number> numbers) {
    if (numbers.size() > capacity_) {
      Number* const more = new Number[numbers.size()];
      free_memory();
      data_ = more;
      capacity_ = static_cast<std::uint32_t>(numbers.size());
    }
    std::copy(numbers.begin(), numbers.end(), data_);
    size_ = static_cast<std::uint32_t>(numbers.size());
  }
  // REQUIRES: it has no memory of its own.
  void take(ShortList& other) noexcept {
    if (other.is_in_place()) {
      data_ = in_place_.data();
      in_place_ = other.in_place_;
    } else {
      data_ = std::exchange(other.data_, other.in_place_.data());
    }
    capacity_ = std::exchange(other.capacity_, kInPlace);
    size_ = std::exchange(other.size_, 0);
  }
  void make_room(std::size_t size) {
    if (size <= capacity_) return;
    const std::size_t capacity = std::max<std::size_t>(size, std::size_t{2} * capacity_);
    Number* const more = new Number[capacity];
    std::copy(begin(), end(), more);
    free_memory();
    data_ = more;
    capacity_ = static_cast<std::uint32_t>(capacity);
  }

  std::array<Number, kInPlace> in_place_{};
  Number* data_ = in_place_.data();
  std::uint32_t size_ = 0, capacity_ = kInPlace;
};

}  // namespace reprise::trace_io
