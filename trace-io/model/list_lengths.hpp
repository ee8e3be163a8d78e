// SPDX-License-Identifier: MIT
// The lengths of a list field, one per call: a sequence that takes 8 bytes where there is none, as in all fields that are no lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {

// Reads as the sequence. May throw std::bad_alloc where it is written.
class ListLengths {
 public:
  ListLengths() = default;
  ListLengths(ValueSequence values)  // NOLINT(google-explicit-constructor): they are one
      : values_(values.empty() ? nullptr : std::make_unique<ValueSequence>(std::move(values))) {}
  ListLengths(const ListLengths& other)
      : values_(other.values_ ? std::make_unique<ValueSequence>(*other.values_) : nullptr) {}
  ListLengths(ListLengths&&) noexcept = default;
  ListLengths& operator=(const ListLengths& other) {
    if (this != &other && (values_ || other.values_)) *this = ListLengths(other);
    return *this;
  }
  ListLengths& operator=(ListLengths&&) noexcept = default;
  ~ListLengths() = default;

  const ValueSequence& sequence() const { return values_ ? *values_ : none(); }
  operator const ValueSequence&() const { return sequence(); }  // NOLINT: likewise

  bool empty() const { return !values_; }
  void clear() { values_.reset(); }
  std::uint64_t size() const { return sequence().size(); }
  bool is_constant() const { return sequence().is_constant(); }  // REQUIRES: !empty()
  std::int64_t front() const { return sequence().front(); }      // likewise
  std::size_t term_count() const { return sequence().term_count(); }
  std::vector<ValueSequence::Term> terms() const { return sequence().terms(); }
  std::uint64_t hash() const { return sequence().hash(); }
  friend bool operator==(const ListLengths& a, const ListLengths& b) {
    return (a.empty() && b.empty()) || a.sequence() == b.sequence();
  }

  void append(std::int64_t length) { own().append(length); }
  // REQUIRES: count ≥ 1.
  void append_run(std::int64_t start, std::int64_t stride, std::uint64_t count) {
    own().append_run(start, stride, count);
  }

 private:
  static const ValueSequence& none() {
    // Never destroyed: to have that done takes memory of the application's heap, which a recorder that is called because that heap is damaged cannot have.
    static const ValueSequence& none = *new ValueSequence;
    return none;
  }
  ValueSequence& own() {
    if (!values_) values_ = std::make_unique<ValueSequence>();
    return *values_;
  }

  std::unique_ptr<ValueSequence> values_;  // null: empty
};

}  // namespace reprise::trace_io
