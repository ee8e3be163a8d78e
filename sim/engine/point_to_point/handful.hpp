// SPDX-License-Identifier: MIT
// A vector whose first few elements are inside it: nothing is looked up elsewhere while there are no more.
//
// Cost  as std::vector's; N elements of room that are always paid for. Once it had more they all stay outside until it is empty.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace reprise::sim {

template <class Element, std::size_t N>
class Handful {
  static_assert(std::is_trivially_copyable_v<Element>);

 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Element* begin() { return is_outside_ ? outside_->data() : inside_.data(); }
  Element* end() { return begin() + size_; }
  const Element* begin() const { return is_outside_ ? outside_->data() : inside_.data(); }
  const Element* end() const { return begin() + size_; }

  void push_back(const Element& element) {
    if (!is_outside_ && size_ < N) {
      inside_[size_++] = element;
      return;
    }
    if (!outside_) outside_ = std::make_unique<std::vector<Element>>();
    if (!is_outside_) outside_->assign(inside_.begin(), inside_.end());
    is_outside_ = true;
    outside_->push_back(element);
    ++size_;
  }

  // Those behind it move up.
  void erase(Element* at) {
    for (Element* next = at + 1; next != end(); ++at, ++next) *at = *next;
    if (is_outside_) outside_->pop_back();
    if (--size_ == 0) is_outside_ = false;
  }

 private:
  std::uint32_t size_ = 0;
  bool is_outside_ = false;
  std::unique_ptr<std::vector<Element>> outside_;
  std::array<Element, N> inside_;
};

}  // namespace reprise::sim
