// SPDX-License-Identifier: MIT
#include "sim/network/flow_classes.hpp"

#include <algorithm>

namespace reprise::sim {
namespace {

// splitmix64's mixing (Steele, Lea, Flood, OOPSLA 2014) over one link after the other.
std::uint64_t hash_of(std::span<const FlowClasses::Link> links) {
  std::uint64_t hash = links.size();
  for (const auto link : links) {
    hash = (hash ^ link) + 0x9e3779b97f4a7c15;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
    hash ^= hash >> 31;
  }
  return hash;
}

// A few numbers: a loop of its own is faster than a call.
bool are_equal(std::span<const FlowClasses::Link> a, std::span<const FlowClasses::Link> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) return false;
  return true;
}

}  // namespace

std::size_t FlowClasses::place_of(std::span<const Link> links) const {
  return hash_of(links) & (table_.size() - 1);
}

FlowClasses::Found FlowClasses::find_or_add(std::span<const Link> wanted) {
  std::size_t place = place_of(wanted);
  for (; table_[place] != kNone; place = after(place)) {
    if (are_equal(links(table_[place]), wanted)) return {table_[place], false};
  }
  if (wanted.size() > stride_) widen(wanted.size());
  Class index = size();
  if (free_.empty()) {
    counts_.emplace_back();
    links_.resize(links_.size() + stride_);
  } else {
    index = free_.back();
    free_.pop_back();
  }
  counts_[index] = static_cast<std::uint32_t>(wanted.size());
  std::copy(wanted.begin(), wanted.end(), links_.data() + std::size_t{index} * stride_);
  table_[place] = index;
  if (2 * (counts_.size() - free_.size()) > table_.size()) grow();
  return {index, true};
}

// The place is closed: what stands behind it moves up as far as its own search allows.
void FlowClasses::give_back(Class one) {
  std::size_t hole = place_of(links(one));
  while (table_[hole] != one) hole = after(hole);
  for (std::size_t next = after(hole); table_[next] != kNone; next = after(next)) {
    const std::size_t begin = place_of(links(table_[next])), mask = table_.size() - 1;
    if (((next - begin) & mask) < ((next - hole) & mask)) continue;
    table_[hole] = table_[next];
    hole = next;
  }
  table_[hole] = kNone;
  counts_[one] = 0;
  free_.push_back(one);
}

void FlowClasses::clear() {
  links_.clear();
  counts_.clear();
  free_.clear();
  std::fill(table_.begin(), table_.end(), kNone);
}

void FlowClasses::grow() {
  table_.assign(2 * table_.size(), kNone);
  for (Class one = 0; one < size(); ++one) {
    if (counts_[one] == 0) continue;
    std::size_t place = place_of(links(one));
    while (table_[place] != kNone) place = after(place);
    table_[place] = one;
  }
}

void FlowClasses::widen(std::size_t links) {
  std::size_t wider = stride_;
  while (wider < links) wider *= 2;
  LargeArray<Link> spread(counts_.size() * wider);
  for (Class one = 0; one < size(); ++one)
    std::copy_n(links_.begin() + static_cast<std::ptrdiff_t>(one * stride_), counts_[one],
                spread.begin() + static_cast<std::ptrdiff_t>(one * wider));
  links_ = std::move(spread);
  stride_ = wider;
}

}  // namespace reprise::sim
