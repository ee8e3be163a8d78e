// SPDX-License-Identifier: MIT
#include "recorder/site_cache.hpp"

#include <algorithm>

namespace reprise::recorder {
namespace {

constexpr std::size_t kBindingFrames =
    4;  // frames of a language binding that may stand before the program's own
constexpr std::size_t kStartFrames = 3;  // start-up code below main

}  // namespace

SiteCache::SiteCache(SiteTable& table, Settings settings)
    : table_(table), settings_(settings), buckets_(kBuckets, kNone) {}

trace_io::SiteId SiteCache::learn(std::uint32_t key, std::string_view procedure, Frame frame) {
  Unwound path;
  bool alone = !settings_.full;
  if (alone && !table_.is_in_binding(return_address(frame))) {
    path.addresses[0] = return_address(frame);
    path.frames = 1;
  } else {
    const std::size_t wanted = (alone ? 1 : settings_.depth + kStartFrames) + kBindingFrames;
    unwind(frame, std::min(wanted, Unwound::kMaxFrames), path);
    if (alone)
      path.can_be_remembered =
          false;  // a binding's frame: the position is not part of the key then
  }
  const trace_io::SiteId site = table_.site_of(procedure, path, alone ? 1 : settings_.depth);
  if (!path.can_be_remembered) return site;

  if (entries_.size() == kMaxEntries) {
    entries_.clear();
    words_.clear();
    std::fill(buckets_.begin(), buckets_.end(), kNone);
  }
  const std::uintptr_t address = return_address(frame);
  const std::uintptr_t position = settings_.full ? stack_position(frame) : 0;
  std::uint32_t& bucket = buckets_[bucket_of(address, position)];
  const auto first_word = static_cast<std::uint32_t>(words_.size());
  words_.insert(words_.end(), path.words.begin(),
                path.words.begin() + static_cast<std::ptrdiff_t>(path.word_count));
  entries_.push_back({address, position, key, site, bucket, first_word,
                      static_cast<std::uint32_t>(path.word_count)});
  bucket = static_cast<std::uint32_t>(entries_.size() - 1);
  return site;
}

}  // namespace reprise::recorder
