// SPDX-License-Identifier: MIT
#include "recorder/sampling/sample_table.hpp"

#include <algorithm>

namespace reprise::recorder {

SampleTable::SampleTable()
    : buckets_(std::make_unique_for_overwrite<std::uint32_t[]>(kBuckets)),
      waiting_(std::make_unique_for_overwrite<std::uint32_t[]>(kMostStacks)),
      stacks_(std::make_unique_for_overwrite<Stack[]>(kMostStacks)),
      words_(std::make_unique_for_overwrite<std::uintptr_t[]>(kMostWords)) {
  std::fill_n(buckets_.get(), kBuckets, kNone);
}

// Its number, a new one if need be; kNone where there is no room.
std::uint32_t SampleTable::find(std::span<const std::uintptr_t> path, bool reached_end) noexcept {
  std::uint64_t hash = reached_end ? 1 : 0;
  for (const std::uintptr_t address : path) {
    hash = (hash ^ address) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29U;
  }
  std::uint32_t& bucket = buckets_[hash % kBuckets];
  for (std::uint32_t i = bucket; i != kNone; i = stacks_[i].next)
    if (stacks_[i].hash == hash && stacks_[i].reached_end == reached_end &&
        std::ranges::equal(addresses(i), path))
      return i;
  // A word is kept for each path that may still come.
  if (stack_count_ == kMostStacks ||
      word_count_ + path.size() + (kMostStacks - stack_count_ - 1) > kMostWords)
    return kNone;
  std::ranges::copy(path, words_.get() + word_count_);
  stacks_[stack_count_] = {
      hash, word_count_, 0, bucket, static_cast<std::uint16_t>(path.size()), reached_end};
  word_count_ += static_cast<std::uint32_t>(path.size());
  return bucket = stack_count_++;
}

bool SampleTable::add(std::span<const std::uintptr_t> path, bool reached_end,
                      std::uint32_t samples) noexcept {
  std::uint32_t stack = find(path, reached_end);
  if (stack == kNone) stack = find(path.first(1), false);
  if (stack == kNone) return false;
  if (stacks_[stack].samples == 0) waiting_[touched_++] = stack;
  stacks_[stack].samples += samples;
  return true;
}

}  // namespace reprise::recorder
