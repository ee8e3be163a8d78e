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

}  // namespace

FlowClasses::Found FlowClasses::find_or_add(std::span<const Link> links) {
  const std::uint64_t hash = hash_of(links);
  Class& first = first_.try_emplace(hash, kNone).first->second;
  for (Class one = first; one != kNone; one = classes_[one].next) {
    const auto known = uses(one);
    if (std::equal(known.begin(), known.end(), links.begin(), links.end(),
                   [](const Use& use, Link link) { return use.link == link; }))
      return {one, false};
  }
  if (links.size() > stride_) widen(links.size());
  Class index = static_cast<Class>(classes_.size());
  if (free_.empty()) {
    classes_.emplace_back();
    uses_.resize(uses_.size() + stride_);
  } else {
    index = free_.back();
    free_.pop_back();
  }
  classes_[index] = {hash, static_cast<std::uint32_t>(links.size()), first};
  first = index;
  std::transform(links.begin(), links.end(), uses(index).begin(), [](Link link) {
    return Use{link, 0};
  });
  return {index, true};
}

void FlowClasses::give_back(Class one) {
  const auto first = first_.find(classes_[one].hash);
  Class* to = &first->second;
  while (*to != one) to = &classes_[*to].next;
  *to = classes_[one].next;
  if (first->second == kNone) first_.erase(first);
  classes_[one] = {};
  free_.push_back(one);
}

void FlowClasses::widen(std::size_t links) {
  std::size_t wider = stride_;
  while (wider < links) wider *= 2;
  std::vector<Use> spread(classes_.size() * wider);
  for (Class one = 0; one < classes_.size(); ++one)
    std::copy(uses(one).begin(), uses(one).end(),
              spread.begin() + static_cast<std::ptrdiff_t>(one * wider));
  uses_ = std::move(spread);
  stride_ = wider;
}

}  // namespace reprise::sim
