// SPDX-License-Identifier: MIT
// Numbers of sequences: of call paths, by the return addresses on the stack or by the frames of files.
//
// Memory  the elements, and 24 to 60 bytes a sequence.
// Cost    find(): a hash over the elements, about 1 ns each, and one comparison. A tree of sequences costs a dozen comparisons, each of which
//         misses the caches.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::recorder {

inline std::uint64_t mixed(std::uint64_t hash, std::uintptr_t address) {
  return std::rotl((hash ^ address) * 0x9e3779b97f4a7c15u, 29);
}
inline std::uint64_t mixed(std::uint64_t hash, const trace_io::Frame& frame) {
  return mixed(mixed(hash, frame.offset), frame.module);
}

template <typename Element>
class SequenceNumbers {
 public:
  using Sequence = std::span<const Element>;

  std::optional<std::uint32_t> find(Sequence sequence) const {
    const auto newest = newest_.find(hash_of(sequence));
    if (newest == newest_.end()) return std::nullopt;
    for (std::uint32_t i = newest->second; i != kNone; i = known_[i].older)
      if (std::ranges::equal(sequence,
                             std::span(elements_).subspan(known_[i].first, known_[i].count)))
        return known_[i].number;
    return std::nullopt;
  }
  // REQUIRES: it is not found. May throw std::bad_alloc.
  void add(Sequence sequence, std::uint32_t number) {
    elements_.insert(elements_.end(), sequence.begin(), sequence.end());
    const auto newest = newest_.try_emplace(hash_of(sequence), kNone).first;
    known_.push_back({elements_.size() - sequence.size(),
                      static_cast<std::uint32_t>(sequence.size()), number, newest->second});
    newest->second = static_cast<std::uint32_t>(known_.size() - 1);
  }
  std::size_t elements() const { return elements_.size(); }  // of all
  void clear() { *this = SequenceNumbers(); }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Known {
    std::size_t first;
    std::uint32_t count, number, older;  // `older`: the one before with the same hash
  };

  static std::uint64_t hash_of(Sequence sequence) {
    std::uint64_t hash = sequence.size();
    for (const Element& element : sequence) hash = mixed(hash, element);
    return hash;
  }

  std::unordered_map<std::uint64_t, std::uint32_t> newest_;
  std::vector<Known> known_;
  std::vector<Element> elements_;
};

}  // namespace reprise::recorder
