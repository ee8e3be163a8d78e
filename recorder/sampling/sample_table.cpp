// SPDX-License-Identifier: MIT
#include "recorder/sampling/sample_table.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <type_traits>
#include <utility>

namespace reprise::recorder {

SampleTable::SampleTable() {
  void* memory = mmap(nullptr, sizeof(Room), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  // Beside others of its kind it would be taken for one large mapping.
  madvise(memory, sizeof(Room), MADV_NOHUGEPAGE);
  static_assert(std::is_trivially_default_constructible_v<Room>);
  room_.reset(static_cast<Room*>(memory));
  stacks_ = room_->stacks.data();
  words_ = room_->words.data();
}

void SampleTable::Unmap::operator()(Room* room) const noexcept { munmap(room, sizeof(Room)); }

void SampleTable::keep_used_only() {
  if (room_ == nullptr) return;
  std::vector<Stack> stacks(stacks_, stacks_ + stack_count_);
  std::vector<std::uintptr_t> words(words_, words_ + word_count_);
  used_stacks_ = std::move(stacks);
  used_words_ = std::move(words);
  stacks_ = used_stacks_.data();
  words_ = used_words_.data();
  touched_ = 0;
  room_.reset();
}

// Its number, a new one if need be; kNone where there is no room.
std::uint32_t SampleTable::find(std::span<const std::uintptr_t> path, bool reached_end) noexcept {
  std::uint64_t hash = reached_end ? 1 : 0;
  for (const std::uintptr_t address : path) {
    hash = (hash ^ address) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29U;
  }
  std::uint32_t& bucket = room_->buckets[hash % kBuckets];
  for (std::uint32_t next = bucket; next != 0; next = stacks_[next - 1].next) {
    const Stack& known = stacks_[next - 1];
    if (known.hash == hash && known.reached_end == reached_end &&
        std::ranges::equal(addresses(next - 1), path))
      return next - 1;
  }
  // A word is kept for each path that may still come.
  if (stack_count_ == kMostStacks ||
      word_count_ + path.size() + (kMostStacks - stack_count_ - 1) > kMostWords)
    return kNone;
  std::ranges::copy(path, words_ + word_count_);
  stacks_[stack_count_] = {
      hash, word_count_, 0, bucket, static_cast<std::uint16_t>(path.size()), reached_end};
  word_count_ += static_cast<std::uint32_t>(path.size());
  bucket = ++stack_count_;
  return bucket - 1;
}

bool SampleTable::add(std::span<const std::uintptr_t> path, bool reached_end,
                      std::uint32_t samples) noexcept {
  if (room_ == nullptr) return false;
  std::uint32_t stack = find(path, reached_end);
  if (stack == kNone) stack = find(path.first(1), false);
  if (stack == kNone) return false;
  if (stacks_[stack].samples == 0) room_->waiting[touched_++] = stack;
  stacks_[stack].samples += samples;
  return true;
}

}  // namespace reprise::recorder
