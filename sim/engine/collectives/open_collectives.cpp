// SPDX-License-Identifier: MIT
#include "sim/engine/collectives/open_collectives.hpp"

namespace reprise::sim {

const OpenCollectives::Entry* OpenCollectives::find(std::uint32_t number,
                                                    std::uint32_t sequence) const {
  if (number >= communicators_.size()) return nullptr;
  const Communicator& communicator = communicators_[number];
  const std::size_t position = sequence - communicator.begin;
  return position < communicator.open.size() ? &communicator.open[position].first : nullptr;
}

bool OpenCollectives::admits(std::uint32_t number, std::uint32_t sequence) const {
  if (number >= communicators_.size()) return true;
  const Communicator& communicator = communicators_[number];
  return sequence >= communicator.begin &&
         (communicator.open.empty() || sequence - communicator.begin <= communicator.open.size());
}

void OpenCollectives::enter(std::uint32_t number, std::uint32_t sequence, const Entry& entry) {
  if (communicators_.size() <= number) communicators_.resize(number + 1);
  Communicator& communicator = communicators_[number];
  if (communicator.open.empty()) communicator.begin = sequence;
  const std::size_t position = sequence - communicator.begin;
  if (position == communicator.open.size()) communicator.open.push_back({entry, 0});
  Open& open = communicator.open[position];
  if (open.first.root == kUnknownRoot) open.first.root = entry.root;
  ++open.entered;
  while (!communicator.open.empty() &&
         communicator.open.front().entered == communicator.open.front().first.members) {
    communicator.open.pop_front();
    ++communicator.begin;
  }
}

std::optional<OpenCollectives::Unfinished> OpenCollectives::unfinished() const {
  for (std::size_t number = 0; number < communicators_.size(); ++number) {
    const Communicator& communicator = communicators_[number];
    if (communicator.open.empty()) continue;
    const Open& open = communicator.open.front();
    return Unfinished{static_cast<std::uint32_t>(number), communicator.begin, open.entered,
                      open.first.members, open.first};
  }
  return std::nullopt;
}

}  // namespace reprise::sim
