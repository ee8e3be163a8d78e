// SPDX-License-Identifier: MIT
// Numbers of sequences: of call paths, by the return addresses on the stack or by the frames of files.
//
// Memory  the elements, and 30 to 60 bytes a sequence.
// Cost    find(): a hash over the elements, about 1 ns each, and one comparison. A tree of sequences costs a dozen comparisons, each of which
//         misses the caches.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
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
    if (buckets_.empty()) return std::nullopt;
    const std::uint32_t hash = hash_of(sequence);
    for (std::uint32_t i = buckets_[bucket_of(hash)]; i != kNone; i = known_[i].older)
      if (known_[i].hash == hash &&
          std::ranges::equal(sequence,
                             std::span(elements_).subspan(known_[i].first, known_[i].count)))
        return known_[i].number;
    return std::nullopt;
  }
  // REQUIRES: it is not found. May throw std::bad_alloc.
  void add(Sequence sequence, std::uint32_t number) {
    if (known_.size() == buckets_.size()) grow();
    const std::uint32_t hash = hash_of(sequence);
    std::uint32_t& newest = buckets_[bucket_of(hash)];
    known_.push_back(
        {elements_.size(), static_cast<std::uint32_t>(sequence.size()), number, hash, newest});
    try {
      elements_.insert(elements_.end(), sequence.begin(), sequence.end());
    } catch (...) {
      known_.pop_back();
      throw;
    }
    newest = static_cast<std::uint32_t>(known_.size() - 1);
  }
  std::size_t elements() const { return elements_.size(); }  // of all
  void clear() { *this = SequenceNumbers(); }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Known {
    std::size_t first;
    std::uint32_t count, number, hash, older;  // `older`: the one before in its bucket
  };

  static std::uint32_t hash_of(Sequence sequence) {
    std::uint64_t hash = sequence.size();
    for (const Element& element : sequence) hash = mixed(hash, element);
    return static_cast<std::uint32_t>(hash ^ hash >> 32U);
  }
  std::size_t bucket_of(std::uint32_t hash) const { return hash & (buckets_.size() - 1); }
  void grow() {
    buckets_ = std::vector<std::uint32_t>(std::max(kFewest, 2 * buckets_.size()), kNone);
    for (std::uint32_t i = 0; i < known_.size(); ++i)
      known_[i].older = std::exchange(buckets_[bucket_of(known_[i].hash)], i);
  }

  static constexpr std::size_t kFewest = 64;  // a power of two
  std::vector<std::uint32_t> buckets_;        // the newest of each, as many as are known at least
  std::vector<Known> known_;
  std::vector<Element> elements_;
};

}  // namespace reprise::recorder
