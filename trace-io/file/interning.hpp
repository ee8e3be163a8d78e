// SPDX-License-Identifier: MIT
// Numbers for things that occur again: the first occurrence is written out, later ones are references.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "trace-io/base/integers.hpp"
#include "trace-io/model/rank_list.hpp"
#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {

// Numbers 0, 1, … in order of first occurrence. The table is never iterated.
template <class Thing>
class Numbering {
 public:
  std::optional<std::uint64_t> number_of(const Thing& thing) const {
    const auto found = numbers_.find(thing);
    if (found == numbers_.end()) return std::nullopt;
    return found->second;
  }
  std::uint64_t add(const Thing& thing) {
    return numbers_.emplace(thing, numbers_.size()).first->second;
  }

 private:
  std::unordered_map<Thing, std::uint64_t, ByHash> numbers_;
};

// How the entries of a field divide the ranks.
struct Partition {
  std::vector<RankList> lists;
  std::uint64_t hash() const {
    WordHash words;
    for (const auto& list : lists) words.add(list.hash());
    return words.value();
  }
  friend bool operator==(const Partition&, const Partition&) = default;
};

// One FieldEntry as numbers of its parts: equal signatures mean equal values.
struct FieldSignature {
  std::vector<std::uint64_t> parts;
  std::uint64_t hash() const {
    WordHash words;
    for (const auto part : parts) words.add(part);
    return words.value();
  }
  friend bool operator==(const FieldSignature&, const FieldSignature&) = default;
};

}  // namespace reprise::trace_io
