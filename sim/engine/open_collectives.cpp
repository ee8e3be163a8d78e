// SPDX-License-Identifier: MIT
#include "sim/engine/open_collectives.hpp"

namespace reprise::sim {

std::optional<OpenCollectives::Entry> OpenCollectives::enter(std::uint32_t number, std::uint32_t sequence,
                                                             std::int32_t members, const Entry& entry) {
  if (members <= 1) return std::nullopt;
  if (communicators_.size() <= number) communicators_.resize(number + 1);
  Communicator& communicator = communicators_[number];
  const std::size_t position = sequence - communicator.begin;
  if (position == communicator.open.size()) communicator.open.push_back({entry, 0});
  Open& open = communicator.open[position];
  const bool roots_differ =
      open.first.root != entry.root && open.first.root != kUnknownRoot && entry.root != kUnknownRoot;
  if (open.first.operation != entry.operation || roots_differ) return open.first;
  if (open.first.root == kUnknownRoot) open.first = entry;
  ++open.entered;
  while (!communicator.open.empty() && communicator.open.front().entered == members) {
    communicator.open.pop_front();
    ++communicator.begin;
  }
  return std::nullopt;
}

}  // namespace reprise::sim
