// SPDX-License-Identifier: MIT
#include "trace-io/compress/folded_program.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "trace-io/compress/alignment.hpp"

namespace reprise::trace_io {

void FoldedProgram::append(std::unique_ptr<FoldNode> node) {
  const auto [latest, is_new] = latest_.try_emplace(node->last_site, nodes_.size());
  finalize(*node, nodes_.size());
  places_.push_back(
      {length_, hash_, is_new ? kNone : std::exchange(latest->second, nodes_.size()), false});
  length_ += node->length;
  hash_ = hash_ * node->power + node->hash;
  nodes_.push_back(std::move(node));
}

void FoldedProgram::finalize(const FoldNode& node, std::size_t place) {
  if (const FoldLoop* loop = node.loop()) {
    for (const auto& inner : loop->body) finalize(*inner, place);
    return;
  }
  const auto [home, is_new] = home_.try_emplace(node.last_site, place);
  if (is_new) return;
  if (home->second < place) places_[home->second].is_shared = true;
  home->second = place;
}

FoldNode* FoldedProgram::loop_before_detour(SiteId site) const {
  const auto home = home_.find(site);
  if (home == home_.end() || places_[home->second].is_shared) return nullptr;
  FoldNode& node = *nodes_[home->second];
  const std::uint64_t length = length_ - places_[home->second].length_before;
  return node.loop() && length <= window_ ? &node : nullptr;
}

FoldBody FoldedProgram::take_from(const FoldNode& loop) {
  FoldBody taken;
  do {
    taken.push_back(take_back());
  } while (taken.back().get() != &loop);
  std::ranges::reverse(taken);
  return taken;
}

bool FoldedProgram::fold() {
  const std::size_t end = nodes_.size();
  std::size_t candidate = places_.back().previous;
  for (int i = 0; i < kCandidates && candidate != kNone && end - candidate <= window_; ++i) {
    const std::size_t second = candidate + 1, first = first_copy_start(second);
    const std::span nodes(nodes_);
    if (first != kNone &&
        alike({nodes.subspan(first, second - first), true}, {nodes.subspan(second), true})) {
      fold(first, second);
      return true;
    }
    candidate = places_[candidate].previous;
  }
  return false;
}

// Where the piece starts that ends before node `end` and has the leaf string of everything from there on.
std::size_t FoldedProgram::first_copy_start(std::size_t end) const {
  const Place& middle = places_[end];
  const std::uint64_t length = length_ - middle.length_before;
  if (length > middle.length_before) return kNone;
  const auto found =
      std::ranges::lower_bound(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(end),
                               middle.length_before - length, {}, &Place::length_before);
  if (found->length_before != middle.length_before - length) return kNone;
  const std::uint64_t power = leaf_string_power(length);
  if (middle.hash_before - found->hash_before * power != hash_ - middle.hash_before * power)
    return kNone;
  return static_cast<std::size_t>(found - places_.begin());
}

void FoldedProgram::fold(std::size_t first_start, std::size_t second_start) {
  // remove_back() needs what the nodes were: they are taken out from the end, then put back in order.
  FoldBody earlier(second_start - first_start), later(nodes_.size() - second_start);
  for (auto place = later.rbegin(); place != later.rend(); ++place) *place = take_back();
  for (auto place = earlier.rbegin(); place != earlier.rend(); ++place) *place = take_back();
  auto node = std::make_unique<FoldNode>(united(std::move(earlier), std::move(later)));
  node->loop()->passes = 2;
  append(std::move(node));
}

std::unique_ptr<FoldNode> FoldedProgram::take_back() {
  auto node = std::move(nodes_.back());
  const Place place = places_.back();
  nodes_.pop_back();
  places_.pop_back();
  length_ = place.length_before;
  hash_ = place.hash_before;
  if (place.previous == kNone)
    latest_.erase(node->last_site);
  else
    latest_[node->last_site] = place.previous;
  return node;
}

}  // namespace reprise::trace_io
